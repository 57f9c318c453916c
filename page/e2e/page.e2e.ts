/** The page itself: accessibility, size, and that it talks to nobody else. */

import { expect, it } from 'vitest'
import { faults } from './axe.ts'
import { clickCell, itOnServer, newGame, openPage, site, waitStones } from './harness.ts'
import { browser, collinear, program } from './stage.ts'

for (const colorScheme of ['light', 'dark'] as const) {
  it(`axe finds nothing, ${colorScheme}`, async () => {
    const { page } = await openPage(browser, program.url, { colorScheme, reducedMotion: 'reduce' })
    if (!(await page.locator('dialog[open]').count())) await page.keyboard.press('n')
    await page.locator('dialog[open] .primary:enabled').waitFor()
    expect(await faults(page)).toEqual([])
    await newGame(page, 'Gomoku', { white: 'agent random' })
    await clickCell(page, 112)
    await waitStones(page, 2)
    expect(await faults(page)).toEqual([])
    for (const tab of ['Analysis', 'Share & export']) {
      await page.getByRole('tab', { name: tab }).click()
      expect(await faults(page)).toEqual([])
    }
    await page.getByRole('tab', { name: 'Analysis' }).click()
    for (const overlay of ['Threats', 'Network’s choice', 'Explain lines at the cursor']) await page.getByLabel(overlay).check()
    await page.locator('[data-part=policy]').waitFor()
    await page.getByLabel('Depth').selectOption('Quick')
    await page.getByRole('button', { name: 'Review game' }).click()
    await page.locator('[data-part=review]').waitFor()
    expect(await faults(page)).toEqual([])
    for (const button of ['Settings', 'Help', 'My games']) {
      await page.getByRole('button', { name: button }).click()
      await page.locator('dialog[open]').waitFor()
      expect(await faults(page)).toEqual([])
      await page.keyboard.press('Escape')
    }
    for (const [button, heading] of [...(site ? [] : [['Arena', 'Arena']] as const), ['Puzzles', 'Puzzles']] as const) {
      await page.getByRole('button', { name: button }).click()
      await page.getByRole('heading', { name: heading }).waitFor()
      expect(await faults(page)).toEqual([])
    }
    await page.locator('main section a').first().click()
    await page.getByRole('heading', { name: /wins in/ }).waitFor()
    expect(await faults(page)).toEqual([])
    await page.evaluate(() => { window.location.hash = 'editor' })
    await page.getByRole('heading', { name: 'Set up a position' }).waitFor()
    for (const game of ['connect6', 'connect4']) {
      await page.getByLabel(/^Game\b/).selectOption(game)
      expect(await faults(page)).toEqual([])
    }
  })

  itOnServer(`axe finds nothing in the arena, ${colorScheme}`, async () => {
    collinear('match', 'random', 'windows', '--game', 'tictactoe', '-n', '2', '--quiet')
    collinear('experiment', 'run', 'first-move-random', '--games', '2', '--quiet')
    const { page } = await openPage(browser, program.url, { colorScheme, reducedMotion: 'reduce' })
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Arena' }).click()
    await page.getByRole('button', { name: 'New match' }).click()
    await page.locator('dialog[open] .primary:enabled').waitFor()
    expect(await faults(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.locator('tr', { hasText: 'random, windows' }).getByRole('link').click()
    await page.getByRole('heading', { name: 'Standings' }).waitFor()
    expect(await faults(page)).toEqual([])
    await page.getByRole('link', { name: 'Replay 1' }).click()
    await page.getByRole('button', { name: 'Back to the run' }).waitFor()
    await waitStones(page, 5)
    expect(await faults(page)).toEqual([])
    await page.getByRole('button', { name: 'Arena' }).click()
    await page.getByRole('button', { name: 'What is the first move worth' }).click()
    await page.getByText('How much does whoever moves first score').waitFor()
    expect(await faults(page)).toEqual([])
  })
}

it('the first load is small and comes from the program alone', async () => {
  const context = await browser.newContext()
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  let bytes = 0
  const hosts = new Set<string>()
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength))
  page.on('request', (request) => hosts.add(new URL(request.url()).host))
  await page.goto(program.url)
  await page.waitForSelector('svg[role=grid]')
  expect([...hosts]).toEqual([new URL(program.url).host])
  expect(bytes).toBeGreaterThan(10_000)
  expect(bytes).toBeLessThan(200_000)
  console.log(`first load: ${bytes} bytes`)
})

itOnServer('settings survive a new browser', async () => {
  const { page } = await openPage(browser, program.url)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByLabel('Appearance').selectOption('dark')
  await page.waitForFunction(() => document.documentElement.dataset.theme === 'dark')
  // What is asked after them is answered after they are kept.
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'My games' }).click()
  await page.locator('dialog[open] .body > *').first().waitFor()
  const other = await openPage(browser, program.url)
  await other.page.waitForFunction(() => document.documentElement.dataset.theme === 'dark')
})
