/** My games: who played, who won, how it looks, in which order; and a deleted game comes back. */

import { expect, it } from 'vitest'
import { clickCell, newGame, openPage, waitStones } from './harness.ts'
import { browser, program } from './stage.ts'

it('stored games say who won, have a picture, can be sorted, and come back after Delete', async () => {
  const { page, errors } = await openPage(browser, program.url)
  await newGame(page, 'Tic-tac-toe')
  for (const [at, cell] of [0, 3, 1, 4, 2].entries()) {
    await clickCell(page, cell)
    await waitStones(page, at + 1)
  }
  await newGame(page, 'Connect Four', { white: 'agent random' })
  await clickCell(page, 38)
  await waitStones(page, 2)
  await newGame(page, 'Gomoku')
  await clickCell(page, 112)
  await waitStones(page, 1)
  await page.getByRole('button', { name: 'My games' }).click()
  const dialog = page.locator('dialog[open]')
  const row = (name: string) => dialog.locator('li', { hasText: name })
  await row('Tic-tac-toe').filter({ hasText: 'Black won · 5 stones' }).waitFor()
  await row('Connect Four').filter({ hasText: 'Unfinished' }).waitFor()
  expect(await row('Tic-tac-toe').locator('svg circle').count()).toBe(5)
  const names = () => dialog.locator('li strong').allTextContents()
  expect((await names())[0]).toBe('Gomoku')
  await dialog.getByLabel('Sort by').selectOption('longest')
  expect((await names())[0]).toBe('Tic-tac-toe')
  await row('Tic-tac-toe').getByRole('button', { name: 'Delete' }).click()
  await row('Tic-tac-toe').waitFor({ state: 'detached' })
  await dialog.getByRole('status').filter({ hasText: 'Game deleted.' }).getByRole('button', { name: 'Undo' }).click()
  await row('Tic-tac-toe').getByRole('button', { name: 'Open' }).click()
  await waitStones(page, 5)
  await page.locator('.headline', { hasText: 'Black wins with three in a row' }).waitFor()
  expect(errors).toEqual([])
})
