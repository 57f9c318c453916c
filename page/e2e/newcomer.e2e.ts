/**
 * Somebody who has never been here, with a keyboard alone: a won game, its review, a solved puzzle, a shared link. Nothing is
 * done that the page does not offer at that moment.
 */

import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { openPage, Program, waitStones } from './harness.ts'
import { browser } from './stage.ts'

/** Goes on with Tab until something with this name has the focus, as whoever looks for it would. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let steps = 0; steps < 80; steps++) {
    const focused = await page.evaluate(() => {
      const element = document.activeElement as HTMLElement | null
      return (element?.getAttribute('aria-label') ?? element?.textContent ?? '').trim()
    })
    if (typeof name === 'string' ? focused === name : name.test(focused)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${name}`)
}

async function press(page: Page, name: string | RegExp): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.press('Enter')
}

/** The column of the cursor on the board. */
const column = (page: Page) => page.evaluate(() =>
  Number(document.querySelector('svg[role=grid]')!.getAttribute('aria-activedescendant')!.slice(5)) % 7)

/** Moves the cursor to a column of Connect Four and drops a disc. */
async function drop(page: Page, letter: string): Promise<void> {
  await tabTo(page, /^Board, /)
  const wanted = letter.charCodeAt(0) - 97
  for (let at = await column(page); at !== wanted; at = await column(page)) await page.keyboard.press(at < wanted ? 'ArrowRight' : 'ArrowLeft')
  await page.keyboard.press('Enter')
}

it('from the first page to a won game, its review, a solved puzzle and a shared link, by keys alone', async () => {
  const fresh = await Program.start()
  const { page, errors } = await openPage(browser, fresh.url)
  await page.waitForFunction(() => document.activeElement?.textContent === 'Play')
  // The weakest computer.
  await tabTo(page, 'Yellow')
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowDown')
  await press(page, 'Play')
  const board = page.locator('.headline')
  for (let turn = 0; turn < 21 && !(await page.locator('.over').count()); turn++) {
    await board.filter({ hasText: 'Your turn' }).waitFor()
    await press(page, 'Hint')
    const said = page.locator('.detail', { hasText: /Hint: [a-g][1-6]/ })
    await said.waitFor()
    await drop(page, /Hint: ([a-g])/.exec((await said.textContent())!)![1]!)
    await page.waitForFunction((before) => document.querySelector('.over')
      || document.querySelectorAll('.stone[data-cell]:not(.waiting)').length > before, 2 * turn + 1)
  }
  await board.filter({ hasText: 'You win! Red wins with four in a row' }).waitFor()

  await press(page, 'How was it won?')
  await page.locator('[data-part=review]', { hasText: /Red \d+ % accurate/ }).waitFor()

  await press(page, 'Puzzles')
  await page.getByRole('heading', { name: 'Puzzles' }).waitFor()
  // Of Connect Four, which was just learnt.
  await page.waitForFunction(() => [...document.querySelectorAll('h3')].some((title) => title.textContent?.includes('Connect Four')))
  await tabTo(page, /^\d+ ?Red wins in 4$/)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Red wins in 4' }).waitFor()
  for (let turn = 0; turn < 8 && !(await page.locator('.state.solved').count()); turn++) {
    const before = await page.locator('.stone[data-cell]').count()
    await press(page, /^(Hint|Show the stone)$/)
    await page.locator('.state', { hasText: /Look at|Try/ }).waitFor()
    if (!/Try/.test((await page.locator('.state').textContent())!)) await press(page, 'Show the stone')
    const said = page.locator('.state', { hasText: /Try [a-g]/ })
    await said.waitFor()
    await drop(page, /Try ([a-g])/.exec((await said.textContent())!)![1]!)
    await page.waitForFunction((before) => document.querySelector('.state.solved')
      || document.querySelectorAll('.stone[data-cell]:not(.waiting)').length >= before + 2, before)
  }
  await page.locator('.state.solved').waitFor()

  await press(page, 'Board')
  await page.waitForFunction(() => window.location.hash.startsWith('#connect4/') && document.querySelector('[role=tablist]'))
  await tabTo(page, /^(Moves|Analysis)$/)
  await page.keyboard.press('End')
  await press(page, 'Copy link')
  await page.locator('.notice').waitFor()
  // The address has the token of a browser that may enter; the friend opens the same place.
  const address = new URL(fresh.url)
  address.hash = new URL(page.url()).hash
  const friend = await openPage(browser, address.href)
  await waitStones(friend.page, await page.locator('.stone[data-cell]').count())
  await friend.page.locator('.headline', { hasText: 'Red wins with four in a row' }).waitFor()
  expect([...errors, ...friend.errors]).toEqual([])
  await page.context().close()
  await fresh.stop()
})
