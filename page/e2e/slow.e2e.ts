/** A server that answers late: stones clicked meanwhile are neither lost nor put elsewhere. */

import type { Page, WebSocketRoute } from 'playwright-core'
import { expect } from 'vitest'
import { choose, clickCell, itOnServer, newGame, openPage, pressPlay, stones, waitExactly, waitStones } from './harness.ts'
import { browser, program } from './stage.ts'

/** A page whose server can be held: what it says then arrives later, all of it and in order. */
async function openHeld(hash = ''): Promise<{ page: Page; errors: string[]; hold: () => void; release: () => void }> {
  const kept: (string | Buffer)[] = []
  let isHeld = false
  let socket: WebSocketRoute | undefined
  const opened = await openPage(browser, program.url + hash, {}, (page) =>
    page.routeWebSocket(/socket$/, (route) => {
      socket = route
      route.connectToServer().onMessage((message) => {
        if (isHeld) kept.push(message)
        else route.send(message)
      })
    }))
  return {
    ...opened,
    hold: () => { isHeld = true },
    release: () => {
      isHeld = false
      for (const message of kept.splice(0)) socket!.send(message)
    },
  }
}

const link = (page: Page, hash: string) =>
  page.waitForFunction((hash) => decodeURIComponent(window.location.hash) === hash, hash)

itOnServer('stones clicked before the first board of a game has arrived are placed on it', async () => {
  const { page, errors, hold, release } = await openHeld()
  await newGame(page, 'Gomoku')
  for (const cell of [0, 1, 2]) await clickCell(page, cell)
  await waitStones(page, 3)
  await page.keyboard.press('n')
  await page.locator('dialog[open]').getByRole('radio', { name: 'Connect6' }).click()
  // Levels are offered once the server has looked at the rules.
  await choose(page, 'White', 'level sextant:level=1')
  await choose(page, 'White', 'person')
  hold()
  await pressPlay(page)
  await waitExactly(page, 0)
  for (const cell of [180, 200, 201]) await clickCell(page, cell)
  release()
  await waitStones(page, 3)
  await link(page, '#connect6/j10.k11.l11')
  expect(errors).toEqual([])
})

itOnServer('a game is begun even when Play is pressed before the server has looked at its rules', async () => {
  const { page, errors, hold, release } = await openHeld('#gomoku/h8')
  await waitStones(page, 1)
  hold()
  await page.keyboard.press('n')
  const dialog = page.locator('dialog[open]')
  await dialog.getByRole('radio', { name: 'Tic-tac-toe' }).click()
  await dialog.getByRole('button', { name: 'Play', exact: true }).click()
  expect(await dialog.count()).toBe(1)
  release()
  await page.waitForFunction(() => !document.querySelector('dialog[open]'))
  await page.locator('.game', { hasText: 'Tic-tac-toe' }).waitFor()
  await waitExactly(page, 0)
  expect(errors).toEqual([])
})

itOnServer('stones are drawn at once and sent in order while none is confirmed', async () => {
  const { page, errors, hold, release } = await openHeld()
  await newGame(page, 'Gomoku')
  await clickCell(page, 112)
  await waitStones(page, 1)
  hold()
  for (const cell of [113, 97, 98]) await clickCell(page, cell)
  await waitExactly(page, 4)
  expect(await page.locator('.stone.waiting').count()).toBe(3)
  // Typed while they wait, and a stone after that.
  await page.keyboard.press('/')
  await page.keyboard.type('a1')
  await page.keyboard.press('Enter')
  await clickCell(page, 16)
  release()
  await waitStones(page, 6)
  await link(page, '#gomoku/h8.i8.h7.i7.a1.b2')
  expect(errors).toEqual([])
})

itOnServer('a stone clicked after an undo goes to the position after it; one without room is refused in words', async () => {
  const { page, errors, hold, release } = await openHeld()
  await newGame(page, 'Tic-tac-toe')
  for (const cell of [4, 0]) await clickCell(page, cell)
  await waitStones(page, 2)
  hold()
  await page.keyboard.press('u')
  // Where the stone that goes still lies, then where one lies that stays.
  await clickCell(page, 0)
  await clickCell(page, 4)
  await clickCell(page, 8)
  release()
  await page.locator('.notice', { hasText: 'No stone could be placed at b2' }).waitFor()
  await waitStones(page, 2)
  await link(page, '#tictactoe/b2.a1')
  expect(await stones(page)).toBe(2)
  expect(errors).toEqual([])
})

itOnServer('two steps back go two stones back', async () => {
  const { page, errors, hold, release } = await openHeld()
  await newGame(page, 'Tic-tac-toe')
  for (const cell of [4, 0, 8]) await clickCell(page, cell)
  await waitStones(page, 3)
  hold()
  await page.keyboard.press('[')
  await page.keyboard.press('[')
  release()
  await waitExactly(page, 1)
  expect(errors).toEqual([])
})

itOnServer('scores of columns vanish with the stone that makes them old', async () => {
  const { page, errors, hold, release } = await openHeld('#connect4/d1.d2.d3.d4.d5.d6.a1.a2.a3.b1.b2.c1')
  await waitStones(page, 12)
  await page.getByRole('tab', { name: 'Analysis' }).click()
  await page.getByLabel('Exact column scores').check()
  await page.locator('.scores .best').first().waitFor()
  hold()
  await clickCell(page, 35)
  await waitExactly(page, 13)
  expect(await page.locator('.scores text').count()).toBe(0)
  release()
  await page.locator('.scores text').first().waitFor()
  expect(errors).toEqual([])
})
