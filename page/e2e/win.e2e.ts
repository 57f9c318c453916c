/** Wins that are played against: from the analyst's line, from a review, in Connect Four to the last disc. */

import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { clickCell, openPage, stones, waitStones } from './harness.ts'
import { browser, program } from './stage.ts'

const told = (page: Page, text: string | RegExp) => page.locator('[data-part=win]', { hasText: text }).waitFor()

/** Plays the best defence until the row is complete; how many defences there were. */
async function playOut(page: Page): Promise<number> {
  for (let defences = 0; ; defences++) {
    await page.waitForFunction(() => /wins\. Take back|try to stop it/.test(document.querySelector('[data-part=win]')?.textContent ?? ''))
    if (/wins\. Take back/.test((await page.locator('[data-part=win]').textContent())!)) return defences
    const before = await stones(page)
    await page.getByRole('button', { name: 'Best defence' }).click()
    await page.waitForFunction((before) => document.querySelectorAll('.stone[data-cell]').length > before + 1, before)
  }
}

it('a proved win in Gomoku is played out against the best defence and any other, and the game stays as it was', async () => {
  const { page, errors } = await openPage(browser, `${program.url}#gomoku/h8.a1.i8.a3.g8.c1`)
  await waitStones(page, 6)
  const link = new URL(page.url()).hash
  await page.keyboard.press('a')
  await page.locator('.line', { hasText: /Black wins in \d/ }).first().waitFor()
  await page.getByRole('button', { name: 'Show the win' }).click()
  await told(page, 'Play for White')
  await page.getByText('Every answer comes from a proof by threats').waitFor()
  expect(await stones(page)).toBe(7)
  // The short proof is drawn, and leads to its positions.
  expect(await page.locator('.tree li').count()).toBeGreaterThan(2)
  await playOut(page)
  expect(await page.locator('.winning').count()).toBeGreaterThan(0)
  await page.getByRole('button', { name: 'From the start' }).click()
  await told(page, 'Play for White')
  // Nonsense is answered, too: far away, and the row comes at once or a turn later.
  await clickCell(page, 14 * 15 + 14)
  await page.waitForFunction(() => document.querySelectorAll('.stone[data-cell]').length >= 9)
  await page.keyboard.press('u')
  await page.waitForFunction(() => document.querySelectorAll('.stone[data-cell]').length === 7)
  await page.getByRole('button', { name: 'Back to the game' }).click()
  await page.waitForFunction(() => document.querySelectorAll('.stone[data-cell]').length === 6)
  expect(new URL(page.url()).hash).toBe(link)
  expect(errors).toEqual([])
})

it('Connect Four is played out exactly, and a review shows why a turn loses', async () => {
  const { page, errors } = await openPage(browser, `${program.url}#connect4/d1.d2.c1.c2.e1.d3.b1`)
  await waitStones(page, 7)
  await page.getByRole('tab', { name: 'Analysis' }).click()
  await page.getByRole('button', { name: 'Review game' }).click()
  const third = page.locator('[data-part=review] li', { hasText: '3. c1' })
  await third.getByRole('button', { name: 'Why does this lose?' }).click()
  await told(page, 'Play for Red')
  await page.getByText('Every answer is exact').waitFor()
  // After three stones Yellow has answered with the fourth.
  expect(await stones(page)).toBe(4)
  await page.getByRole('button', { name: 'Back to the game' }).click()
  await third.getByRole('button', { name: 'Show the win' }).click()
  await told(page, 'Play for Yellow')
  await page.getByRole('button', { name: 'Back to the game' }).click()
  // Near the end: to the last disc.
  await page.locator('[data-part=review] li', { hasText: '4. c2' }).getByRole('button', { name: 'Why does this lose?' }).click()
  expect(await playOut(page)).toBe(1)
  expect(await page.locator('.winning').count()).toBe(1)
  expect(errors).toEqual([])
})
