/** A turn is one thing: in the move list, in stepping, in the analyst's lines; and undo loses nothing. */

import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { clickCell, openPage, waitExactly, waitStones } from './harness.ts'
import { browser, program } from './stage.ts'

/** Ten turns of Connect6, 19 stones. */
const GAME = '#connect6/j10.j9.i10.k8.k9.i11.k7.n11.n8.i8.i9.i7.i13.g6.h7.f5.l11.j8.h10'

const leftEdges = (page: Page, colour: string) =>
  page.locator(`.table .turn.${colour} .move`).evaluateAll((moves) => [...new Set(moves.map((move) => Math.round(move.getBoundingClientRect().left)))])

it('the move list holds turns in two aligned columns, and pairs never wrap', async () => {
  for (const width of [1280, 320]) {
    const { page, errors } = await openPage(browser, program.url + GAME, { viewport: { width, height: 900 } })
    await waitStones(page, 19)
    const moves = page.locator('.table .move')
    expect(await moves.count()).toBe(10)
    expect(await moves.nth(1).textContent()).toBe('j9 i10')
    expect((await leftEdges(page, 'black')).length).toBe(1)
    expect((await leftEdges(page, 'white')).length).toBe(1)
    const heights = await moves.evaluateAll((all) => all.map((move) => move.getBoundingClientRect().height))
    expect(Math.max(...heights)).toBe(Math.min(...heights))
    expect(errors).toEqual([])
    await page.context().close()
  }
})

it('steps go turn by turn: buttons, keys and the wheel, within a variation too', async () => {
  const { page, errors } = await openPage(browser, program.url + GAME)
  await waitStones(page, 19)
  await page.getByRole('button', { name: 'Previous turn' }).click()
  await waitExactly(page, 17)
  await page.keyboard.press('ArrowLeft')
  await waitExactly(page, 15)
  await page.keyboard.press('ArrowRight')
  await waitExactly(page, 17)
  await page.mouse.move(300, 400)
  for (const stones of [15, 13]) {
    await page.mouse.wheel(0, -100)
    await waitExactly(page, stones)
  }
  await page.mouse.wheel(0, 100)
  await waitExactly(page, 15)
  // A variation with the same first stone is written as a whole turn, and steps stay in it.
  await clickCell(page, 6 * 19 + 11)
  await clickCell(page, 0)
  await waitExactly(page, 17)
  await page.locator('.variation .move', { hasText: 'a1' }).waitFor()
  await page.keyboard.press('[')
  await waitExactly(page, 15)
  await page.keyboard.press(']')
  await waitExactly(page, 17)
  await page.locator('.variation .move[aria-current=true]').waitFor()
  expect(errors).toEqual([])
})

it('undo on an earlier move steps back and loses nothing; redo goes forward', async () => {
  const { page, errors } = await openPage(browser, program.url + GAME)
  await waitStones(page, 19)
  await page.keyboard.press('{')
  await waitExactly(page, 0)
  for (const stones of [1, 3, 5]) {
    await page.keyboard.press('r')
    await waitExactly(page, stones)
  }
  await page.keyboard.press('u')
  await waitExactly(page, 3)
  await page.getByRole('button', { name: 'Undo' }).click()
  await waitExactly(page, 1)
  await page.getByRole('button', { name: 'Redo' }).click()
  await waitExactly(page, 3)
  await page.keyboard.press('}')
  await waitExactly(page, 19)
  expect(await page.locator('.table .move').count()).toBe(10)
  await page.reload()
  await waitExactly(page, 19)
  expect(errors).toEqual([])
})

it('lines stand best first, are drawn on the board, and a click plays a whole turn', async () => {
  const { page, errors } = await openPage(browser, program.url + GAME)
  await waitStones(page, 19)
  await page.getByRole('tab', { name: 'Analysis' }).click()
  await page.getByRole('button', { name: 'Analyse this position' }).click()
  await page.locator('.line').nth(2).waitFor()
  // Black is to move: what is good for Black comes first.
  const worth = await page.locator('.line .worth').allTextContents()
  const merit = (text: string) => (text.startsWith('Black') ? 200 : text.startsWith('White') ? -1 : parseInt(text, 10))
  expect(worth.map(merit)).toEqual(worth.map(merit).toSorted((a, b) => b - a))
  expect(await page.locator('[data-leading]').count()).toBeGreaterThanOrEqual(2)
  const turn = (await page.locator('.line').first().locator('.turn').first().textContent())!.trim()
  expect(turn).toMatch(/^[a-s]\d+ [a-s]\d+$/)
  await page.locator('.line').first().click()
  await waitExactly(page, 21)
  await page.getByRole('tab', { name: 'Moves' }).click()
  expect((await page.locator('.move[aria-current=true]').textContent())!.split(' ').toSorted().join()).toMatch(/^[a-s]\d+,[a-s]\d+$/)
  expect(errors).toEqual([])
})
