/** What once went wrong on the page, each in the words of whoever met it. */

import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { choose, clickCell, FIRST, newGame, openPage, pressPlay, waitExactly, waitStones } from './harness.ts'
import { browser, program } from './stage.ts'

const analysis = (page: Page) => page.getByRole('tab', { name: 'Analysis' }).click()
/** The cell of `h8` on a board of so many columns. */
const cell = (name: string, width: number): number => (Number(name.slice(1)) - 1) * width + name.charCodeAt(0) - 97

it('a review of Connect Four does not contradict itself', async () => {
  const { page, errors } = await openPage(browser, `${program.url}#connect4/d1.d2.c1.c2.e1.d3.b1`)
  await waitStones(page, 7)
  await analysis(page)
  await page.getByRole('button', { name: 'Review game' }).click()
  const review = page.locator('[data-part=review]')
  await review.waitFor()
  // The third stone threw the win away, the fourth gave it back.
  for (const [turn, played] of [[3, 'c1'], [4, 'c2']]) {
    await review.locator('li', { hasText: `${turn}. ${played}` }).filter({ hasText: 'misses a win' }).waitFor()
  }
  const told = (await review.textContent())!
  expect(told).toContain('1 missed win')
  expect(told).not.toMatch(/From turn 1 /)
  expect(errors).toEqual([])
})

it('an analysis does not go on into a new game, and is switched off from any tab', async () => {
  const { page, errors } = await openPage(browser, `${program.url}#gomoku/h8.i9.h9.h10`)
  await waitStones(page, 4)
  await page.keyboard.press('a')
  await page.locator('[data-leading]').first().waitFor()
  await page.getByRole('tab', { name: 'Moves' }).click()
  await page.getByRole('button', { name: 'Analysing… Stop' }).click()
  await page.waitForFunction(() => !document.querySelector('[data-leading]'))
  await page.keyboard.press('a')
  await page.locator('[data-leading]').first().waitFor()
  await newGame(page, 'Gomoku', { white: 'agent random' })
  expect(await page.locator('[data-leading]').count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Analysing… Stop' }).count()).toBe(0)
  await clickCell(page, 112)
  await waitStones(page, 2)
  expect(await page.locator('[data-leading]').count()).toBe(0)
  expect(errors).toEqual([])
})

it('nothing is analysed any more when the flag has fallen', async () => {
  const { page, errors } = await openPage(browser, program.url)
  await page.keyboard.press('n')
  const dialog = page.locator('dialog[open]')
  await dialog.getByRole('radio', { name: 'Gomoku' }).first().click()
  for (const seat of [FIRST, 'White']) await choose(page, seat, 'person')
  await dialog.getByRole('radio', { name: /Clocks/ }).check()
  await dialog.getByRole('spinbutton', { name: 'minutes each' }).fill('0.1')
  await dialog.getByRole('spinbutton', { name: 'seconds added per turn' }).fill('0')
  await pressPlay(page)
  await clickCell(page, 112)
  await waitStones(page, 1)
  await page.keyboard.press('a')
  await page.locator('[data-leading]').first().waitFor()
  await page.locator('.headline', { hasText: 'ran out of time' }).waitFor()
  expect(await page.locator('[data-leading]').count()).toBe(0)
  await page.getByText('The game is over here.').waitFor()
  expect(errors).toEqual([])
})

it('the graph draws nothing where nothing was evaluated', async () => {
  const { page, errors } = await openPage(browser, `${program.url}#gomoku/h8.i9.h9.h10.g8.i8`)
  await waitStones(page, 6)
  await page.keyboard.press('[')
  await waitExactly(page, 5)
  await page.keyboard.press('a')
  await page.locator('[data-leading]').first().waitFor()
  await page.keyboard.press('a')
  const graph = page.getByRole('img', { name: 'Evaluation graph' })
  await graph.waitFor()
  const width = (part: string) => graph.locator(part).evaluateAll((all) => all.map((one) => (one as SVGGraphicsElement).getBBox().width))
  const [whole] = await width('rect.unknown')
  const known = await width('rect.white')
  expect(known.length).toBe(1)
  expect(known[0]!).toBeLessThan(whole! / 4)
  expect(errors).toEqual([])
})

it('a proved win has a whole line, and the other lines stay; Lines counts in Connect Four, too', async () => {
  // Black has an open three and is to move.
  const { page, errors } = await openPage(browser, `${program.url}#gomoku/h8.a1.i8.a3.g8.c1`)
  await waitStones(page, 6)
  await page.keyboard.press('a')
  const first = page.locator('.line').first()
  await first.filter({ hasText: /Black wins in \d/ }).waitFor()
  expect(await first.locator('.turn').count()).toBeGreaterThanOrEqual(3)
  await page.locator('.line').nth(2).waitFor()
  await page.getByLabel('Lines', { exact: true }).fill('2')
  await page.getByLabel('Lines', { exact: true }).blur()
  await page.waitForFunction(() => document.querySelectorAll('.line').length === 2)
  await page.goto(`${program.url}#connect4/d1.d2.d3.d4.d5.d6.a1.a2.a3.b1.b2.c1`)
  await waitExactly(page, 12)
  await page.keyboard.press('a')
  await page.waitForFunction(() => document.querySelectorAll('.line').length === 2)
  expect(errors).toEqual([])
})

it('a sentence about an error goes away by itself', async () => {
  const { page } = await openPage(browser, `${program.url}#connect4/d2`)
  const notice = page.locator('.notice', { hasText: 'goes wrong at move 1' })
  await notice.waitFor()
  await notice.waitFor({ state: 'detached', timeout: 20_000 })
})

it('keys go on working after a click on a checkbox or a list', async () => {
  const { page, errors } = await openPage(browser, `${program.url}#gomoku/h8.i9.h9`)
  await waitStones(page, 3)
  await analysis(page)
  await page.getByLabel('Threats', { exact: true }).click()
  await page.keyboard.press('[')
  await waitExactly(page, 2)
  const depth = page.getByLabel('Depth')
  await depth.click()
  await page.keyboard.press('Escape')
  await depth.selectOption('Deep')
  await page.keyboard.press(']')
  await waitExactly(page, 3)
  expect(errors).toEqual([])
})

it('a variation that was taken back is not lost', async () => {
  const { page, errors } = await openPage(browser, `${program.url}#gomoku/h8.i9.h9.h10`)
  await waitStones(page, 4)
  await page.getByRole('button', { name: 'To the start' }).click()
  await page.keyboard.press(']')
  await waitExactly(page, 1)
  await clickCell(page, cell('e5', 15))
  await page.locator('.variation .move', { hasText: 'e5' }).waitFor()
  await page.keyboard.press('u')
  await waitExactly(page, 1)
  await clickCell(page, cell('k11', 15))
  await page.locator('.variation .move', { hasText: 'k11' }).waitFor()
  expect(await page.locator('.variation .move', { hasText: 'e5' }).count()).toBe(1)
  expect(await page.locator('.table .move', { hasText: 'i9' }).count()).toBe(1)
  expect(errors).toEqual([])
})

it('the editor draws the board of the game, and has custom games', async () => {
  const { page, errors } = await openPage(browser, `${program.url}#gomoku/h8`)
  await page.evaluate(() => { window.location.hash = 'editor' })
  await page.getByLabel(/^Game\b/).selectOption('gomoku')
  // Lines through the middles of cells: a stone lies on a crossing.
  const [left, first] = await page.evaluate(() => [
    document.querySelector('.lines path')!.getBoundingClientRect().left,
    (() => { const box = document.querySelector('main [data-cell="0"]')!.getBoundingClientRect(); return box.left + box.width / 2 })(),
  ])
  expect(Math.abs(left! - first!)).toBeLessThan(3)
  await page.getByLabel(/^Game\b/).selectOption('own')
  for (const [name, value] of [['width', '9'], ['height', '7'], ['k', '4'], ['p', '1'], ['q', '1']] as const) await page.locator(`input[name=${name}]`).fill(value)
  await page.waitForFunction(() => document.querySelectorAll('main [data-cell]').length === 63)
  await page.locator('main [data-cell="31"]').click()
  await page.getByRole('radio', { name: 'White' }).nth(1).check()
  await page.getByRole('button', { name: 'Use this position' }).click()
  await page.locator('.game', { hasText: 'four in a row' }).waitFor()
  await waitStones(page, 1)
  expect(errors).toEqual([])
})

it('the last stone is marked when the game is over, in a colour that no threat has', async () => {
  const { page, errors } = await openPage(browser, `${program.url}#connect4/d1.c1.d2.c2.d3.c3.d4`)
  await page.locator('.winning').waitFor({ state: 'attached' })
  const last = page.locator('.stone[data-cell="24"] .last')
  await last.waitFor()
  const colours = await page.evaluate(() => {
    const fill = getComputedStyle(document.querySelector('.stone[data-cell="24"] .last')!).fill
    const board = getComputedStyle(document.querySelector('svg[role=grid]')!)
    return { fill, mark: board.getPropertyValue('--mark').trim(), hole: board.getPropertyValue('--wood-hole').trim() }
  })
  expect(colours.fill).toBe('rgb(255, 255, 255)')
  expect([colours.mark, colours.hole]).not.toContain('#fff')
  expect(errors).toEqual([])
})

it('nothing reaches beyond its frame, on any screen', async () => {
  const { page, errors } = await openPage(browser, program.url)
  /** What sticks out of the window to the right. */
  const outside = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  await newGame(page, 'Gomoku', { white: 'level sextant:level=1' })
  await clickCell(page, 112)
  await waitStones(page, 2)
  await page.keyboard.press('[')
  await page.getByRole('button', { name: 'Play on from here' }).waitFor()
  const SIZES = [[320, 640], [360, 740], [390, 844], [740, 360], [844, 390], [640, 430], [1440, 900]] as const
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height })
    expect(await outside(), `looking back at ${width}×${height}`).toBeLessThanOrEqual(0)
    const card = await page.locator('.side .card').first().evaluate((card) => card.scrollWidth - card.clientWidth)
    expect(card, `panel at ${width}×${height}`).toBeLessThanOrEqual(0)
  }
  for (const view of ['editor', 'learn', 'learn/gomoku', 'learn/tutorial', 'puzzles']) {
    await page.evaluate((view) => { window.location.hash = view }, view)
    await page.locator('main h2').first().waitFor()
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height })
      expect(await outside(), `${view} at ${width}×${height}`).toBeLessThanOrEqual(0)
    }
  }
  await page.evaluate(() => { window.location.hash = 'gomoku/h8' })
  await page.locator('svg[role=grid]').waitFor()
  await page.keyboard.press('n')
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height })
    expect(await outside(), `new game at ${width}×${height}`).toBeLessThanOrEqual(0)
    const dialog = await page.locator('dialog[open]').evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth)
    expect(dialog, `the form at ${width}×${height}`).toBeLessThanOrEqual(0)
  }
  expect(errors).toEqual([])
})

it('the way to every part fits on a phone, in every language', async () => {
  for (const locale of ['en', 'de', 'es', 'zh-CN', 'ja']) {
    const { page, errors } = await openPage(browser, `${program.url}#gomoku/h8`, {
      locale, viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true,
    })
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 844 })
      const right = await page.locator('header button').evaluateAll((buttons) =>
        Math.max(...buttons.map((button) => button.getBoundingClientRect().right)))
      expect(right, `${locale} at ${width}`).toBeLessThanOrEqual(width)
    }
    expect(errors).toEqual([])
    await page.context().close()
  }
})

it('a rematch changes sides, and the time of the last game is not taken over in silence', async () => {
  const { page, errors } = await openPage(browser, program.url)
  await page.keyboard.press('n')
  const dialog = page.locator('dialog[open]')
  await dialog.getByRole('radio', { name: 'Tic-tac-toe' }).click()
  await choose(page, FIRST, 'person')
  await choose(page, 'White', 'agent random')
  await dialog.getByRole('radio', { name: /^Untimed/ }).check()
  await dialog.getByLabel('seconds', { exact: true }).fill('0.3')
  await pressPlay(page)
  await clickCell(page, 4)
  await waitStones(page, 2)
  await page.getByRole('button', { name: 'Resign' }).click()
  await page.getByRole('button', { name: 'Really resign?' }).click()
  await page.getByRole('button', { name: 'Rematch' }).click()
  // Now the computer begins.
  await waitStones(page, 1)
  expect(await page.locator('.players strong').allTextContents()).toEqual(['Random', 'You'])
  await page.keyboard.press('n')
  await page.locator('dialog[open]').getByText('as in your last game').waitFor()
  await page.getByRole('button', { name: 'Back to 1 s' }).click()
  expect(await page.locator('dialog[open]').getByLabel('seconds', { exact: true }).inputValue()).toBe('1')
  expect(errors).toEqual([])
})
