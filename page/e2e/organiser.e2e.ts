/** The organiser: a Swiss tournament with an engine of somebody else, interrupted, resumed and reported. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { binary, choose, itOnServer, launch, openPage, Program } from './harness.ts'

let browser: Browser
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'collinear-organiser-'))
  browser = await launch()
})
afterEach(async () => {
  for (const context of browser.contexts()) await context.close()
})
afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true, force: true })
})

async function openForm(program: Program): Promise<{ page: Page; dialog: Locator; errors: string[] }> {
  const { page, errors } = await openPage(browser, program.url)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Arena' }).click()
  await page.getByRole('button', { name: 'New match' }).click()
  return { page, dialog: page.locator('dialog[open]'), errors }
}

/** The meetings of each round that is over, the first round first. */
const meetings = (page: Page): Promise<string[]> =>
  page.evaluate(() => [...document.querySelectorAll('details:has(table)')].reverse().map((round) =>
    [...round.querySelectorAll('tr')].map((row) => row.textContent).join('\n')))

itOnServer('a Swiss tournament of eight agents and an engine is interrupted, resumed, and its report read elsewhere', async () => {
  const data = mkdtempSync(join(folder, 'data-'))
  // The names of engines are the user's: those of the test go elsewhere, and every try begins anew.
  process.env.XDG_CONFIG_HOME = join(data, 'config')
  let program = await Program.start(data, '--searches', '2')
  const { page, dialog, errors } = await openForm(program)
  await dialog.getByLabel(/^Game\b/).selectOption('own')
  for (const [name, value] of [['width', 7], ['height', 7], ['k', 5]] as const) await dialog.locator(`input[name=${name}]`).fill(String(value))
  for (let at = 2; at < 9; at++) await dialog.getByRole('button', { name: 'Add a player' }).click()

  await dialog.getByText('Add an engine').click()
  await dialog.getByLabel('Name (letters, digits, dashes)').fill('guest')
  await dialog.getByLabel('Protocol').selectOption('ugi')
  await dialog.getByLabel('Command').fill('/no/such/engine')
  await dialog.getByRole('button', { name: 'Try it and add it' }).click()
  await dialog.getByText('could not be started').waitFor()
  await dialog.getByLabel('Command').fill(`"${binary}" engine --protocol ugi --agent windows`)
  await dialog.getByRole('button', { name: 'Try it and add it' }).click()
  await dialog.getByText('guest can be chosen now').waitFor()

  const players = ['random', 'adjacent', 'windows', 'threats', 'sequences', 'montecarlo', 'sextant', 'montecarlo', 'guest']
  for (const [at, name] of players.entries()) await choose(page, `Player ${at + 1}`, `agent ${name}`)
  await dialog.getByLabel('Format').selectOption('swiss')
  await dialog.getByLabel('Rounds').fill('6')
  await dialog.getByLabel('Games per pair').fill('2')
  await dialog.locator('label', { hasText: /^Milliseconds per turn$/ }).locator('input').fill('40')
  await dialog.getByRole('spinbutton', { name: 'Seed' }).fill('7')
  await dialog.getByLabel('Games at once').fill('2')
  await dialog.getByRole('button', { name: 'Start the match' }).click()
  await page.waitForFunction(() => window.location.hash.startsWith('#arena/run/'))
  const run = new URL(page.url()).hash

  // Two boards at once, with stones on them.
  await page.getByRole('heading', { name: 'Games under way' }).waitFor()
  await page.waitForFunction(() => document.querySelectorAll('svg.wide').length === 2
    && document.querySelectorAll('svg.wide circle.last').length === 2)
  await page.waitForFunction(() => document.querySelectorAll('.games tr').length >= 2)
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await page.getByRole('button', { name: 'Resume' }).waitFor()
  const paused = await page.locator('.games tr').count()
  expect(paused).toBeLessThan(48)
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.waitForFunction((paused) => document.querySelectorAll('.games tr').length > Math.max(paused, 9), paused)
  const before = await meetings(page)
  expect(before.length).toBeGreaterThan(1)
  expect(errors).toEqual([])

  await program.kill()
  program = await Program.start(data, '--searches', '2')
  try {
    const again = await openPage(browser, program.url)
    await again.page.keyboard.press('Escape')
    const resume = again.page.getByRole('button', { name: 'Resume' })
    // The address of the first game may come after this one.
    await expect.poll(async () => {
      await again.page.evaluate((run) => { window.location.hash = run }, run)
      return resume.waitFor({ timeout: 3_000 }).then(() => true, () => false)
    }, { timeout: 30_000 }).toBe(true)
    await resume.click()
    await again.page.getByText('48 games', { exact: true }).first().waitFor({ timeout: 120_000 })
    const after = await meetings(again.page)
    expect(after.length).toBe(6)
    // What was over before the kill is as it was.
    expect(after.slice(0, before.length - 1)).toEqual(before.slice(0, -1))
    expect(await again.page.locator('table.swiss tbody tr').count()).toBe(9)

    const [download] = await Promise.all([
      again.page.waitForEvent('download'),
      again.page.getByRole('link', { name: 'Save the report as one file' }).click(),
    ])
    const report = join(folder, download.suggestedFilename())
    expect(report).toMatch(/collinear-tournament-[0-9a-f]{16}\.html$/)
    await download.saveAs(report)
    expect(again.errors).toEqual([])

    // Another machine: no server, no network, no scripts.
    await program.kill()
    const elsewhere = await browser.newContext({ offline: true, javaScriptEnabled: false })
    const reader = await elsewhere.newPage()
    const asked: string[] = []
    reader.on('request', (request) => asked.push(request.url()))
    await reader.goto(pathToFileURL(report).href)
    await reader.getByText('Round 6.').waitFor()
    expect(asked).toEqual([pathToFileURL(report).href])
    expect(await reader.locator('details').count()).toBe(48)
    expect(await reader.locator('table').first().locator('tbody tr').count()).toBe(9)
    expect(await reader.locator('pre').textContent()).toContain('format = "swiss"')
    const game = reader.locator('details', { hasText: 'guest' }).first()
    await game.locator('summary').click()
    expect(await game.locator('p').textContent()).toMatch(/^([a-g][1-7] ?)+/)
  } finally {
    await program.stop()
  }
})

itOnServer('what cannot be played is said in the form, and only at the computer itself are engines added', async () => {
  const program = await Program.start(undefined, '--no-token')
  try {
    const { page, dialog, errors } = await openForm(program)
    await dialog.getByLabel(/^Game\b/).selectOption('tictactoe')
    await dialog.getByLabel('Games start from').selectOption('balanced')
    await dialog.getByRole('button', { name: 'Start the match' }).click()
    await dialog.getByText('no balanced openings').waitFor()
    expect(await dialog.isVisible()).toBe(true)
    expect(await dialog.getByText('Add an engine').count()).toBe(0)
    // As given, one opening per line.
    await dialog.getByLabel('Games start from').selectOption('list')
    await dialog.getByLabel('One opening per line').fill('a1 b2\nc3')
    await dialog.getByLabel('Games', { exact: true }).fill('4')
    await dialog.getByRole('button', { name: 'Start the match' }).click()
    await page.waitForFunction(() => document.querySelectorAll('.games tr').length === 4)
    expect(errors).toEqual([])
  } finally {
    await program.stop()
  }
})
