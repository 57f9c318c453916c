/** The page without a server and without a network, after one visit; and a new version of it. */

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { clickCell, itOnSite, newGame, openPage, Program, serve, site, waitExactly, waitStones } from './harness.ts'
import { browser } from './stage.ts'

const KEEP_MS = 60_000

/** Waits until everything is kept. */
const kept = (page: Page) => expect.poll(
  () => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.active?.state), { timeout: KEEP_MS },
).toBe('activated')

itOnSite('new game, level 10, review, puzzle and reload work with the server stopped', async () => {
  const host = await Program.start()
  const { page, errors } = await openPage(browser, host.url, { serviceWorkers: 'allow' })
  await page.keyboard.press('Escape')
  await kept(page)
  await host.stop()
  await page.context().setOffline(true)
  for (const [game, cell, level] of [['Gomoku', 112, 'level sextant:level=10'], ['Connect6', 180, 'level sextant:level=10'], ['Connect Four', 38, 'level perfect']] as const) {
    await newGame(page, game, { white: level })
    await clickCell(page, cell)
    await waitStones(page, game === 'Connect6' ? 3 : 2)
  }
  const address = page.url()
  await page.reload()
  await waitExactly(page, 2)
  expect(page.url()).toBe(address)
  await page.getByRole('tab', { name: 'Analysis' }).click()
  await page.getByLabel('Depth').selectOption('Quick')
  await page.getByRole('button', { name: 'Review game' }).click()
  await page.locator('[data-part=review]').waitFor()
  await page.getByRole('button', { name: 'My games' }).click()
  await page.locator('dialog[open] li').nth(2).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Puzzles' }).click()
  await page.locator('main section a').first().click()
  await page.getByRole('heading', { name: /wins in/ }).waitFor()
  await page.getByRole('button', { name: 'Hint' }).click()
  await page.locator('.state', { hasText: 'Look at the part of the board that is shaded' }).waitFor()
  expect(errors).toEqual([])
})

itOnSite('a new version is announced, and taken over as a whole', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'collinear-site-'))
  cpSync(site!, folder, { recursive: true })
  const { url, server } = await serve(folder)
  const { page, errors } = await openPage(browser, url, { serviceWorkers: 'allow' })
  await page.keyboard.press('Escape')
  await kept(page)
  const { version } = JSON.parse(readFileSync(join(folder, 'site.json'), 'utf8')) as { version: string }
  for (const name of ['site.json', 'service-worker.js']) {
    const file = join(folder, name)
    writeFileSync(file, readFileSync(file, 'utf8').replace(version, 'another'))
  }
  writeFileSync(join(folder, 'index.html'), readFileSync(join(folder, 'index.html'), 'utf8').replace('<title>', '<meta name="next" /><title>'))
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())!.update())
  await page.getByRole('button', { name: 'Use it now' }).waitFor()
  expect(await page.locator('meta[name=next]').count()).toBe(0)
  await page.getByRole('button', { name: 'Use it now' }).click()
  await page.waitForFunction(() => document.querySelector('meta[name=next]') !== null)
  await page.waitForSelector('svg[role=grid]')
  expect(await page.evaluate(() => caches.keys())).toHaveLength(1)
  expect(errors).toEqual([])
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

itOnSite('works from a folder below the address of its host', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'collinear-site-'))
  cpSync(site!, join(folder, 'games', 'rows'), { recursive: true })
  const { url, server } = await serve(folder)
  const { page, errors } = await openPage(browser, `${url}games/rows/#gomoku/h8.i9`)
  await waitStones(page, 2)
  await newGame(page, 'Gomoku', { white: 'level sextant:level=1' })
  await clickCell(page, 112)
  await waitStones(page, 2)
  expect(await page.locator('h1 img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  expect(errors).toEqual([])
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

itOnSite('opened as a file, it says what to do', async () => {
  const page = await (await browser.newContext()).newPage()
  await page.goto(pathToFileURL(join(site!, 'index.html')).href)
  await expect.poll(() => page.textContent('body')).toContain('serve the folder')
})
