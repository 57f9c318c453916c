/** `npm run views`: every view in light and dark, on a phone, a phone on its side, and at 200 % zoom, to be looked at. */

import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { it } from 'vitest'
import { binary, launch, openPage, Program } from './harness.ts'

const folder = process.env.PICTURES ?? '/tmp/collinear-views'
const PHONE: BrowserContextOptions = { hasTouch: true, isMobile: true, deviceScaleFactor: 1 }
const SCREENS: Record<string, BrowserContextOptions> = {
  light: { viewport: { width: 1280, height: 820 }, colorScheme: 'light' },
  dark: { viewport: { width: 1280, height: 820 }, colorScheme: 'dark' },
  phone: { ...PHONE, viewport: { width: 390, height: 844 }, colorScheme: 'light' },
  landscape: { ...PHONE, viewport: { width: 844, height: 390 }, colorScheme: 'dark' },
  // A desk's window has half as many points at 200 %.
  zoom: { viewport: { width: 720, height: 450 }, deviceScaleFactor: 2, colorScheme: 'light' },
}
const WON = 'gomoku/h8.a1.i8.a3.g8.c1'
const analysis = (page: Page) => page.getByRole('tab', { name: 'Analysis' }).click()

const VIEWS: Record<string, [link: string, prepare: (page: Page) => Promise<unknown>]> = {
  first: ['', (page) => page.locator('dialog[open] .primary:enabled').waitFor()],
  board: ['connect6/j10.j9.i10.k8.k9.i11.k7.n11.n8.i8.i9.i7.i13', async () => undefined],
  connect4: ['connect4/d1.c1.d2.c2.d3.c3.d4', (page) => page.locator('.winning').waitFor({ state: 'attached' })],
  analysis: [WON, async (page) => {
    await analysis(page)
    await page.getByRole('button', { name: 'Analyse this position' }).click()
    await page.locator('.line').nth(1).waitFor()
  }],
  review: ['connect4/d1.d2.c1.c2.e1.d3.b1', async (page) => {
    await analysis(page)
    await page.getByRole('button', { name: 'Review game' }).click()
    await page.locator('[data-part=review] ol li').first().waitFor()
  }],
  win: [WON, async (page) => {
    await analysis(page)
    await page.getByRole('button', { name: 'Analyse this position' }).click()
    await page.getByRole('button', { name: 'Show the win' }).click()
    await page.locator('[data-defend]').first().waitFor()
  }],
  share: [WON, (page) => page.getByRole('tab', { name: 'Share & export' }).click()],
  games: [WON, (page) => page.getByRole('button', { name: 'My games' }).click()],
  settings: [WON, (page) => page.getByRole('button', { name: 'Settings' }).click()],
  help: [WON, (page) => page.getByRole('button', { name: 'Help' }).click()],
  learn: ['learn', (page) => page.getByRole('heading', { name: 'Learn' }).waitFor()],
  rules: ['learn/renju', (page) => page.getByRole('heading', { name: /Renju/ }).waitFor()],
  tutorial: ['learn/tutorial', (page) => page.getByText('Step 1 of 8').waitFor()],
  puzzles: [WON, (page) => page.getByRole('button', { name: 'Puzzles' }).click()],
  puzzle: ['puzzles/connect4-007', async (page) => {
    await page.getByRole('button', { name: 'Hint' }).click()
    await page.locator('[data-look-here]').first().waitFor()
  }],
  editor: [WON, async (page) => {
    await page.evaluate(() => { window.location.hash = 'editor' })
    await page.getByRole('heading', { name: 'Set up a position' }).waitFor()
  }],
  arena: [WON, async (page) => {
    await page.evaluate(() => { window.location.hash = 'arena' })
    await page.getByRole('heading', { name: 'Arena' }).waitFor()
  }],
}

it('takes a picture of every view', async () => {
  mkdirSync(folder, { recursive: true })
  const program = await Program.start()
  execFileSync(binary, ['match', 'random', 'windows', '--game', 'tictactoe', '-n', '4', '--quiet', '--db', join(program.data, 'results.sqlite')], { stdio: 'ignore' })
  const browser = await launch()
  for (const [screen, options] of Object.entries(SCREENS)) {
    for (const [view, [link, prepare]] of Object.entries(VIEWS)) {
      const { page } = await openPage(browser, `${program.url}${link && `#${link}`}`, { reducedMotion: 'reduce', ...options })
      await prepare(page)
      await page.evaluate(() => window.scrollTo(0, 0))
      await page.screenshot({ path: join(folder, `${view}-${screen}.png`) })
      await page.context().close()
    }
  }
  await browser.close()
  await program.stop()
}, 1_800_000)
