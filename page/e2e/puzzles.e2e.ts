/** Puzzles and the position editor. */

import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { clickCell, openPage, site, waitStones } from './harness.ts'
import { browser, program } from './stage.ts'

/** Asks for both hints and reads the cell in the second. */
async function hint(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Hint' }).click()
  // First the part of the board, without the stone.
  await page.locator('.state', { hasText: 'Look at the part of the board that is shaded' }).waitFor()
  const look = await page.locator('[data-look-here]').evaluateAll((cells) => cells.map((cell) => cell.getAttribute('data-look-here')))
  expect(look.length).toBeGreaterThanOrEqual(12)
  await page.getByRole('button', { name: 'Show the stone' }).click()
  const said = page.locator('.state', { hasText: /Try [a-g][1-6]\./ })
  await said.waitFor()
  const cell = /Try ([a-g][1-6])/.exec((await said.textContent())!)![1]!
  expect(look).toContain(String((Number(cell[1]) - 1) * 7 + cell.charCodeAt(0) - 97))
  return cell
}

const drop = (page: Page, cell: string) => clickCell(page, 35 + cell.charCodeAt(0) - 97)

it('a position is set up by clicks and played on', async () => {
  const { page, errors } = await openPage(browser, program.url)
  await page.keyboard.press('Escape')
  await page.getByRole('tab', { name: 'Share & export' }).click()
  await page.getByRole('button', { name: 'Set up a position' }).click()
  await page.getByLabel(/^Game\b/).selectOption('tictactoe')
  for (const cell of [0, 1]) await page.locator(`main [data-cell="${cell}"]`).click()
  await page.getByRole('radio', { name: 'White' }).first().check()
  for (const cell of [3, 4]) await page.locator(`main [data-cell="${cell}"]`).click()
  await page.getByRole('button', { name: 'Use this position' }).click()
  await waitStones(page, 4)
  await page.locator('.headline', { hasText: 'Black to move' }).waitFor()
  await clickCell(page, 2)
  await page.locator('.headline', { hasText: 'Black wins with three in a row' }).waitFor()
  expect(errors).toEqual([])
})

it('a position of one’s own is solved as a puzzle, and its address opens it again', async () => {
  const { page, errors } = await openPage(browser, program.url)
  await page.keyboard.press('Escape')
  await page.evaluate(() => { window.location.hash = 'editor' })
  await page.getByLabel(/^Game\b/).selectOption('tictactoe')
  await page.getByRole('button', { name: 'Solve as a puzzle' }).click()
  await page.locator('.notice', { hasText: 'No forced win for Black found here' }).waitFor()
  for (const cell of [0, 1]) await page.locator(`main [data-cell="${cell}"]`).click()
  await page.getByRole('radio', { name: 'White' }).first().check()
  for (const cell of [3, 4]) await page.locator(`main [data-cell="${cell}"]`).click()
  await page.getByRole('button', { name: 'Solve as a puzzle' }).click()
  await page.getByRole('heading', { name: 'Black wins in 1' }).waitFor()
  // Another browser has no cookie yet: it enters by the address with the token.
  const address = new URL(program.url)
  address.hash = new URL(page.url()).hash
  const other = await openPage(browser, address.href)
  for (const shown of [page, other.page]) {
    await waitStones(shown, 4)
    await clickCell(shown, 8)
    await shown.locator('.state.wrong').waitFor()
    await shown.waitForFunction(() => document.querySelectorAll('.stone[data-cell]').length === 4)
    await clickCell(shown, 2)
    await shown.locator('.state.solved', { hasText: 'Solved!' }).waitFor()
    // It is not one of the set.
    await shown.getByText(/^0 of \d+ solved/).waitFor()
  }
  expect([...errors, ...other.errors]).toEqual([])
})

it('a puzzle is solved by another winning turn than the one of the hint, and counted', async () => {
  // Two columns win in this position, c and e: the solver knows both.
  const { page, errors } = await openPage(browser, `${program.url}#puzzles/connect4-007`)
  await page.getByRole('heading', { name: /^Red wins in \d+$/ }).waitFor()
  await waitStones(page, 14)
  const told = (await hint(page))[0]!
  expect(['c', 'e']).toContain(told)
  // A turn that gives the win away is taken back.
  await drop(page, 'a')
  await page.locator('.state.wrong').waitFor()
  await page.waitForFunction(() => document.querySelectorAll('.stone[data-cell]').length === 14)
  await drop(page, told === 'c' ? 'e' : 'c')
  await waitStones(page, 16)
  for (let turn = 0; turn < 6 && !(await page.locator('.state.solved').count()); turn++) {
    const stones = await page.locator('.stone[data-cell]').count()
    await drop(page, await hint(page))
    await page.waitForFunction((stones) => document.querySelector('.state.solved')
      || document.querySelectorAll('.stone[data-cell]:not(.waiting)').length >= stones + 2, stones)
  }
  await page.locator('.state.solved', { hasText: 'Solved!' }).waitFor()
  await page.getByRole('button', { name: 'All puzzles' }).click()
  await page.getByRole('heading', { name: 'Puzzles' }).waitFor()
  await page.getByText(/^1 of \d+ solved/).waitFor()
  expect(await page.locator('a.done').count()).toBe(1)
  // It is kept: another browser of the same person knows it too, where there is a server.
  expect(errors).toEqual([])
  if (site) return
  const other = await openPage(browser, program.url)
  await other.page.keyboard.press('Escape')
  await other.page.getByRole('button', { name: 'Puzzles' }).click()
  await other.page.locator('a.done').waitFor()
  expect(other.errors).toEqual([])
})

it('the list of puzzles leads to one and back to the game before', async () => {
  const { page, errors } = await openPage(browser, `${program.url}#gomoku/h8.i9`)
  await waitStones(page, 2)
  await page.getByRole('button', { name: 'Puzzles' }).click()
  await page.getByRole('heading', { name: 'Puzzles' }).waitFor()
  await page.locator('main section a').first().click()
  await page.getByRole('heading', { name: /wins in \d+/ }).waitFor()
  expect(new URL(page.url()).hash).toMatch(/^#puzzles\/./)
  await page.goBack()
  await page.getByRole('heading', { name: 'Puzzles' }).waitFor()
  await page.goBack()
  await page.waitForFunction(() => window.location.hash === '#gomoku/h8.i9' && document.querySelectorAll('.stone[data-cell]').length === 2)
  expect(errors).toEqual([])
})
