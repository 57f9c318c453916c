/** Training: rated puzzles, the puzzle of the day, storm, sets for a class, puzzles from one's own games. */

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { gameOfDay, GAMES } from '../src/lib/puzzle-set.ts'
import { faults } from './axe.ts'
import { clickCell, openPage, waitExactly, waitStones } from './harness.ts'
import { browser, program } from './stage.ts'

/** Four in a row with both ends free, in another row each time: a turn at either end wins. */
const ROWS = [5, 6, 7, 8, 9, 10, 11, 12]
const SET = ['# game connect6', ...ROWS.map((row, at) => `aaaaa${'abcdefgh'[at]} w1 2 ${1300 + 50 * at} x h${row}a1c1i${row}j${row}e1g1k${row}s19s1q1`)].join('\n')
const STONES = 11

/** Has the page load this set instead of the shipped ones. */
const small = (page: Page) => page.route('**/puzzles/*.txt', (route) => route.fulfill({ contentType: 'text/plain', body: SET }))

/** A page that shows the puzzles. */
async function open(prepare: (page: Page) => Promise<unknown>, options: BrowserContextOptions = {}): Promise<{ page: Page; errors: string[] }> {
  const opened = await openPage(browser, program.url, options, prepare)
  await opened.page.keyboard.press('Escape')
  await opened.page.evaluate(() => { window.location.hash = 'puzzles' })
  await opened.page.locator('.training').waitFor()
  return opened
}

/** The row of the three on the board. */
const row = async (page: Page): Promise<number> => {
  // Not the board of the puzzle before, which has the answer on it.
  await waitExactly(page, STONES)
  const link = decodeURIComponent(new URL(page.url()).hash)
  return Number(/\.j(\d+)/.exec(link)![1]) - 1
}
async function right(page: Page): Promise<void> {
  const at = await row(page)
  for (const column of [11, 12]) await clickCell(page, at * 19 + column)
}
async function wrong(page: Page): Promise<void> {
  await row(page)
  for (const column of [1, 2]) await clickCell(page, 17 * 19 + column)
}
const choose = (page: Page) => page.locator('.training').getByLabel('Game').selectOption('connect6')
const solved = (page: Page) => page.locator('.state.solved').waitFor()

async function look(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}

it('a rating follows what is solved and what is not, and is kept', async () => {
  const { page, errors } = await open(small)
  await choose(page)
  await page.getByText('Your rating: 1500 ± 350').waitFor()
  await page.getByRole('button', { name: 'Solve puzzles near my rating' }).click()
  await page.getByRole('heading', { name: 'Black wins in 1' }).waitFor()
  const before = await row(page)
  await right(page)
  await solved(page)
  const risen = page.getByText(/^Rating \+\d+$/)
  await risen.waitFor()
  expect(Number((await risen.textContent())!.replace(/\D/g, ''))).toBeGreaterThan(50)
  await page.getByText('Double threats').waitFor()
  await look(page, 'training-solved')
  await page.getByRole('button', { name: 'Next puzzle' }).click()
  await page.waitForFunction((row) => !window.location.hash.includes(`.j${row}.`), before + 1)
  await wrong(page)
  await page.locator('.state.wrong').waitFor()
  await page.getByText(/^Rating −\d+$/).waitFor()
  const shown = (await page.getByText(/^Your rating: /).textContent())!
  // Solved at the second try: it does not count again.
  await right(page)
  await solved(page)
  expect(await page.getByText(/^Your rating: /).textContent()).toBe(shown)
  await page.getByRole('button', { name: 'All puzzles' }).click()
  await page.reload()
  await choose(page)
  await page.getByText(shown).waitFor()
  expect(errors).toEqual([])
})

it('the puzzle of the day is the same for everybody, and days in a row are counted', async () => {
  const at = (day: number) => new Date(2026, 10, day, 12)
  const days = [19, 20, 21, 22].filter((day) => gameOfDay(Math.floor(Date.UTC(2026, 10, day) / 86_400_000)) === 'connect6')
  const links: string[] = []
  for (let person = 0; person < 2; person++) {
    const { page, errors } = await open(async (page) => {
      await small(page)
      await page.clock.setFixedTime(at(days[0]!))
    })
    await page.getByRole('button', { name: 'Puzzle of the day' }).click()
    await right(page)
    await solved(page)
    await page.getByText('Days in a row: 1').waitFor()
    links.push(new URL(page.url()).hash)
    await page.clock.setFixedTime(at(days[0]! + 4))
    await page.evaluate(() => { window.location.hash = 'puzzles' })
    await page.getByRole('button', { name: 'Puzzle of the day' }).click()
    await right(page)
    await solved(page)
    // Four days later the row begins anew.
    await page.getByText('Days in a row: 1').waitFor()
    expect(errors).toEqual([])
  }
  expect(links[0]).toBe(links[1])
})

it('in a storm puzzle follows puzzle until the clock is down', async () => {
  const { page, errors } = await open(async (page) => {
    await small(page)
    await page.clock.install()
  })
  await choose(page)
  await page.getByRole('button', { name: 'Storm: three minutes' }).click()
  for (let score = 1; score <= 2; score++) {
    const before = await row(page)
    await right(page)
    await page.getByText(`Solved: ${score}`).waitFor()
    await page.waitForFunction((row) => !window.location.hash.includes(`.j${row}.`), before + 1)
  }
  const before = await row(page)
  await wrong(page)
  await page.waitForFunction((row) => !window.location.hash.includes(`.j${row}.`), before + 1)
  await page.getByRole('timer').waitFor()
  await look(page, 'training-storm')
  await page.clock.fastForward(200_000)
  await page.getByText('The run is over.').waitFor()
  await page.getByText('Solved: 2').waitFor()
  await page.getByRole('button', { name: 'Once more' }).waitFor()
  await page.getByRole('button', { name: 'All puzzles' }).click()
  await page.getByText('Best: 2').waitFor()
  expect(errors).toEqual([])
})

it('a set for a class is one link, which opens the same puzzles elsewhere', async () => {
  const { page, errors } = await open(small)
  await choose(page)
  await page.getByText('A set for a class').click()
  await page.getByRole('button', { name: 'Copy a link to 20 puzzles' }).click()
  const link = await page.getByRole('textbox', { name: 'A set for a class' }).inputValue()
  expect(link).toMatch(/#puzzles\/set\/connect6\/aaaaa/)
  const address = new URL(program.url)
  address.hash = new URL(link).hash
  const other = await openPage(browser, address.href, {}, small)
  await other.page.getByText(`${ROWS.length - 1} more in this set`).waitFor()
  await right(other.page)
  await other.page.getByText('Solved: 1').waitFor()
  expect([...errors, ...other.errors]).toEqual([])
})

it('puzzles are found in one’s own games', async () => {
  // Black has a three with both ends free after the eighth stone, and plays elsewhere.
  const { page, errors } = await openPage(browser, `${program.url}#gomoku/h8.a1.i8.c1.j8.e3.a15.g1.o1`)
  await waitStones(page, 9)
  await clickCell(page, 7 * 15 + 6)
  await waitStones(page, 10)
  await page.getByRole('button', { name: 'Puzzles' }).click()
  await page.getByText('From your own games').click()
  await page.getByRole('button', { name: 'Look for puzzles in my games' }).click()
  await page.getByText(/^[1-9]\d* found$/).waitFor()
  await page.getByRole('button', { name: 'Solve them' }).click()
  // White's defence against the three may come first.
  await page.getByRole('heading', { name: /^(Black wins in 2|White holds)$/ }).waitFor()
  expect(errors).toEqual([])
})

it.each(GAMES)('the shipped set of %s opens puzzles that the solver knows', async (game) => {
  const { page, errors } = await open(async () => undefined)
  await page.locator('.training').getByLabel('Game').selectOption(game)
  const count = page.locator('.training').getByText(/^\d+ puzzles$/)
  await count.waitFor()
  expect(Number.parseInt((await count.textContent())!)).toBeGreaterThan(1)
  await page.getByRole('button', { name: 'Solve puzzles near my rating' }).click()
  await page.getByRole('heading', { name: /(wins in \d+|holds)$/ }).waitFor()
  expect(errors).toEqual([])
})

it.each([{ width: 390, height: 780 }, { width: 1280, height: 860 }])('training passes axe and fits at %j, dark and light', async (viewport) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page, errors } = await open(small, { viewport, colorScheme })
    await choose(page)
    await page.getByText('A set for a class').click()
    await page.getByText('From your own games').click()
    expect(await faults(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
    await look(page, `training-${viewport.width}-${colorScheme}`)
    // By keys alone.
    await page.getByRole('button', { name: 'Solve puzzles near my rating' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Black wins in 1' }).waitFor()
    await waitStones(page, STONES)
    expect(await faults(page)).toEqual([])
    await look(page, `training-board-${viewport.width}-${colorScheme}`)
    expect(errors).toEqual([])
  }
})
