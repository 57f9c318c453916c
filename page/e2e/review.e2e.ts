/** A reviewed game: better turns at mistakes, the same marks every time, and deleted moves that come back. */

import { expect, it } from 'vitest'
import { clickCell, newGame, openPage, waitExactly, waitStones } from './harness.ts'
import { browser, program } from './stage.ts'

/** Black answers three in a column with a disc elsewhere: White wins at once. */
const BLUNDER = '#connect4/d1.c1.d2.c2.g1.c3.g2'

it('a review names the mistake, the better turn and the accuracy of both sides, the same every time', async () => {
  const { page, errors } = await openPage(browser, program.url + BLUNDER)
  await waitStones(page, 7)
  await page.getByRole('tab', { name: 'Analysis' }).click()
  const review = async () => {
    await page.getByRole('button', { name: 'Review game' }).click()
    await page.locator('[data-part=review] ol li').first().waitFor()
    return (await page.locator('[data-part=review]').textContent())!
  }
  const first = await review()
  expect(first).toMatch(/Red \d+ % accurate/)
  const blunder = page.locator('[data-part=review] li', { hasText: 'g2' })
  expect(await blunder.locator('b').textContent()).toBe('??')
  // The better turn can be played: it becomes a variation.
  await blunder.getByRole('button', { name: /^Better: c4/ }).click()
  await waitExactly(page, 7)
  await page.getByRole('tab', { name: 'Moves' }).click()
  await page.locator('.variation .move', { hasText: 'c4' }).waitFor()
  await page.getByRole('tab', { name: 'Analysis' }).click()
  expect(errors).toEqual([])
  const other = await openPage(browser, program.url + BLUNDER)
  await waitStones(other.page, 7)
  await other.page.getByRole('tab', { name: 'Analysis' }).click()
  await other.page.getByRole('button', { name: 'Review game' }).click()
  await other.page.locator('[data-part=review] ol li').first().waitFor()
  expect(await other.page.locator('[data-part=review]').textContent()).toBe(first)
})

it('undo keeps what it takes back for redo, and deleted moves come back', async () => {
  const { page, errors } = await openPage(browser, program.url)
  await newGame(page, 'Gomoku')
  for (const [at, cell] of [112, 113, 97, 98].entries()) {
    await clickCell(page, cell)
    await waitStones(page, at + 1)
  }
  for (const stones of [3, 2]) {
    await page.keyboard.press('u')
    await waitExactly(page, stones)
  }
  await page.keyboard.press('r')
  await waitExactly(page, 3)
  await page.keyboard.press('r')
  await waitExactly(page, 4)
  await page.getByRole('button', { name: 'Previous turn' }).click()
  await waitExactly(page, 3)
  await page.getByRole('button', { name: 'Delete this move and what follows' }).click()
  await waitExactly(page, 2)
  await page.getByRole('status').filter({ hasText: 'Moves deleted.' }).getByRole('button', { name: 'Undo' }).click()
  await page.waitForFunction(() => document.querySelectorAll('.table .move').length === 4)
  expect(errors).toEqual([])
})

it('the end of a game asks what went wrong', async () => {
  const { page, errors } = await openPage(browser, program.url + BLUNDER + '.c4')
  await page.locator('.headline', { hasText: 'Yellow wins with four in a row' }).waitFor()
  await page.getByRole('button', { name: 'What went wrong?' }).click()
  await page.locator('[data-part=review] ol li', { hasText: 'g2' }).waitFor()
  expect(errors).toEqual([])
})
