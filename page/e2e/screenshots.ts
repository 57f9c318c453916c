/** `npm run screenshots`: the pictures of README and docs, made anew. */

import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { it } from 'vitest'
import { binary, launch, openPage, Program } from './harness.ts'

const folder = fileURLToPath(new URL('../../docs/img/page/', import.meta.url))
const DESKTOP = { width: 1280, height: 820 }
const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 1.5,
}

/** The middle of a Connect6 game between two levels of Sextant. */
const CONNECT6 = 'connect6/j10.j9.i10.k8.k9.i11.k7.n11.n8.i8.i9.i7.i13.g6.h7.f5.l11.j8.h10'
/** The same before it is decided. */
const UNDECIDED = 'connect6/j10.j9.i10.k8.k9.i11.k7'
const CONNECT4 = 'connect4/d1.d2.d3.d4.d5.b1.b2.c1.c2.f1'

it('takes the pictures', async () => {
  mkdirSync(folder, { recursive: true })
  const program = await Program.start()
  const browser = await launch()
  const shoot = async (
    name: string,
    link: string,
    options: BrowserContextOptions,
    prepare: (page: Page) => Promise<void> = async () => undefined,
  ) => {
    const { page } = await openPage(browser, `${program.url}${link && `#${link}`}`, { viewport: DESKTOP, reducedMotion: 'reduce', ...options })
    await prepare(page)
    await page.screenshot({ path: join(folder, `${name}.png`) })
    await page.context().close()
  }
  const analysis = async (page: Page) => {
    await page.getByRole('tab', { name: 'Analysis' }).click()
  }
  const evaluate = async (page: Page) => {
    await analysis(page)
    await page.getByRole('button', { name: 'Analyse this position' }).click()
    await page.getByLabel('Network’s choice').check()
    await page.locator('[data-policy]').first().waitFor()
    // Long enough that what the lines say stays so, or proved.
    await page.locator('[data-part=search]', { hasText: /\d [kM] positions|proved/ }).waitFor()
    await page.evaluate(() => window.scrollTo(0, 0))
  }
  const review = async (page: Page) => {
    await analysis(page)
    await page.getByRole('button', { name: 'Review game' }).click()
    await page.locator('[data-part=review] ol li').first().waitFor()
    await page.locator('[data-part=review] ol li button').first().click()
    await page.evaluate(() => window.scrollTo(0, 0))
  }

  await shoot('new-game', '', { colorScheme: 'light' }, (page) => page.locator('dialog[open] .primary:enabled').waitFor())
  await shoot('analysis-light', UNDECIDED, { colorScheme: 'light', viewport: { width: 1280, height: 1120 } }, evaluate)
  await shoot('review-light', CONNECT6, { colorScheme: 'light', viewport: { width: 1280, height: 1120 } }, review)
  await shoot('connect4-dark', CONNECT4, { colorScheme: 'dark' }, async (page) => {
    await analysis(page)
    await page.getByLabel('Exact column scores').check()
    await page.waitForFunction(() => document.querySelector('.scores .best')
      && ![...document.querySelectorAll('.scores text')].some((text) => text.textContent === '…'), undefined, { timeout: 60_000 })
  })
  await shoot('phone-light', CONNECT6, { ...PHONE, colorScheme: 'light' })
  await shoot('phone-dark', CONNECT6, { ...PHONE, colorScheme: 'dark' }, analysis)
  await shoot('custom-game-dark', '9x7,k=4,p=3,q=1/e4.d4.d5.f3.e5.c4.g4', { colorScheme: 'dark' })

  const collinear = (...words: string[]) =>
    execFileSync(binary, [...words, '--quiet', '--db', join(program.data, 'results.sqlite')], { stdio: 'ignore' })
  collinear('tournament', 'random', 'karplus:plies=1', 'karplus:plies=2', 'karplus:plies=3', '--game', 'connect4', '-n', '20')
  collinear('experiment', 'run', 'first-move-random', '--games', '100')
  const arena = async (page: Page) => {
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Arena' }).click()
  }
  await shoot('arena-light', '', { colorScheme: 'light', viewport: { width: 1280, height: 1000 } }, async (page) => {
    await arena(page)
    await page.getByRole('link', { name: 'tournament' }).click()
    await page.getByRole('heading', { name: 'Standings' }).waitFor()
  })
  await shoot('report-dark', '', { colorScheme: 'dark' }, async (page) => {
    await arena(page)
    await page.getByRole('button', { name: 'What is the first move worth' }).click()
    await page.waitForFunction(() => document.querySelector<HTMLImageElement>('figure img')?.naturalWidth)
  })
  await shoot('puzzle-light', '', { colorScheme: 'light' }, async (page) => {
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Puzzles' }).click()
    await page.locator('main section a').first().click()
    await page.getByRole('heading', { name: /wins in/ }).waitFor()
  })
  await browser.close()
  await program.stop()
})
