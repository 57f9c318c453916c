/** The coach: a warning before a turn is final, what is threatened, mistakes played once more, progress over time. */

import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { faults } from './axe.ts'
import { clickCell, FIRST, choose, openForm, openPage, pressPlay, SECOND, stones, waitExactly, waitStones } from './harness.ts'
import { browser, program } from './stage.ts'

/** A game that the person begins, against an engine, with the coach. */
async function begin(page: Page, game: string, engine: string): Promise<void> {
  const dialog = await openForm(page)
  await dialog.getByRole('radio', { name: game }).first().click()
  await choose(page, FIRST, 'person')
  await choose(page, SECOND, engine)
  await page.locator('dialog[open]').getByLabel('Coach warns of').selectOption('mistakes')
  await pressPlay(page)
}

const coach = (page: Page, text: string | RegExp) => page.locator('[data-part=coach]', { hasText: text }).waitFor()
/** The name of a cell of Connect Four, and the cell where a disc falls. */
const drop = (page: Page, column: number) => clickCell(page, 35 + column)

/** Plays Connect Four by hand for both sides, the computer held, then lets it play on. */
async function setUp(page: Page, columns: number[]): Promise<void> {
  await page.keyboard.press('p')
  for (const [at, column] of columns.entries()) {
    await drop(page, column)
    await waitStones(page, at + 1)
  }
  await page.keyboard.press('p')
}

it('a turn that loses waits for the person, is taken back with its reason, and another one passes', async () => {
  const { page, errors } = await openPage(browser, program.url)
  await begin(page, 'Connect Four', 'level karplus:plies=2,eval=fevalc')
  await setUp(page, [3, 2, 3, 2, 6, 2])
  await page.getByRole('button', { name: 'What does Yellow threaten?' }).click()
  await coach(page, 'Yellow threatens to complete a row at c4.')
  expect(await page.locator('[data-danger]').evaluateAll((marks) => marks.map((mark) => mark.getAttribute('data-danger')))).toEqual(['23'])
  expect(await page.locator('.threat.white').count()).toBeGreaterThan(0)
  await drop(page, 6)
  await coach(page, 'Wait: g2. It leaves Yellow a row to complete: look at c4.')
  // The computer waits.
  expect(await stones(page)).toBe(7)
  expect(await faults(page)).toEqual([])
  await page.getByRole('button', { name: 'Show a better turn' }).click()
  await coach(page, 'Better: c4')
  expect(await page.locator('[data-hint="23"]').count()).toBe(1)
  await page.getByRole('button', { name: 'Take it back' }).click()
  await waitExactly(page, 6)
  await coach(page, 'You took back g2. It leaves Yellow a row to complete')
  await drop(page, 2)
  await waitStones(page, 8)
  expect(errors).toEqual([])
})

it('a warning is kept by a key, and the lost game becomes practice and progress', async () => {
  const { page, errors } = await openPage(browser, program.url)
  await begin(page, 'Connect Four', 'level karplus:plies=2,eval=fevalc')
  await setUp(page, [3, 2, 3, 2, 6, 2])
  await drop(page, 6)
  await coach(page, 'Wait: g2.')
  await page.keyboard.press('k')
  await page.locator('.headline', { hasText: 'You lose' }).waitFor()
  // It is reviewed by itself.
  const replay = page.getByRole('button', { name: /^Replay your mistakes \(\d+\)/ }).first()
  const mistakes = Number(/\d+/.exec((await replay.textContent())!)![0])
  await replay.click()
  const practice = (text: string | RegExp) => page.locator('[data-part=practice]', { hasText: text }).waitFor()
  // To the last of them.
  for (let at = 1; at < mistakes; at++) await page.getByRole('button', { name: 'Next mistake' }).click()
  await page.getByText('You played g2.').waitFor()
  await waitExactly(page, 6)
  await drop(page, 0)
  await practice('Not a1: Yellow answers c4.')
  expect(await faults(page)).toEqual([])
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('button', { name: 'Hint' }).click()
  await page.locator('[data-look-here="23"]').waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Show the solution' }).click()
  await practice('The solution: c4.')
  await page.getByRole('button', { name: 'Try again' }).click()
  await drop(page, 2)
  await practice('Right: c4 is good.')
  await page.getByRole('button', { name: 'Back to the game' }).click()
  await waitExactly(page, 8)
  await page.getByRole('link', { name: 'Your progress' }).click()
  await page.getByRole('heading', { name: /^Accuracy: \d+ % on average, 1 game$/ }).waitFor()
  await page.getByText('row not stopped').waitFor()
  expect(await page.locator('main circle').count()).toBe(1)
  expect(await faults(page)).toEqual([])
  await page.setViewportSize({ width: 320, height: 700 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
  // It is kept.
  await page.reload()
  await page.getByRole('heading', { name: /^Accuracy: \d+ % on average, 1 game$/ }).waitFor()
  expect(errors).toEqual([])
})

it('two stones per turn are judged together, and the coach can be switched off', async () => {
  const { page, errors } = await openPage(browser, program.url)
  await begin(page, 'Connect6', 'agent random')
  await page.keyboard.press('p')
  // White has four of six in the first row.
  const played = [180, 1, 2, 20, 40, 4, 5]
  for (const [at, cell] of played.entries()) {
    await clickCell(page, cell)
    await waitStones(page, at + 1)
  }
  await page.keyboard.press('p')
  await page.getByRole('button', { name: 'What does White threaten?' }).waitFor()
  for (const cell of [300, 320]) await clickCell(page, cell)
  await coach(page, 'Wait: p16 q17. It leaves White a row to complete')
  await page.locator('section[aria-label=Coach]').getByLabel('Coach warns of').selectOption('off')
  await waitStones(page, 11)
  expect(await page.locator('[data-part=coach]').count()).toBe(0)
  expect(errors).toEqual([])
})
