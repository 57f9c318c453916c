/** Gomoku as its players play it: Renju's forbidden points, Swap2 from both sides, hints in their words, their files. */

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { clickCell, choose, openForm, openPage, pressPlay, waitExactly, waitStones } from './harness.ts'
import { browser, program } from './stage.ts'

/** The cell of `h8` on a board of so many columns. */
const cell = (name: string, width = 15): number => (Number(name.slice(1)) - 1) * width + name.charCodeAt(0) - 97

/** Pictures are kept where somebody wants to look at them. */
async function look(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`) })
}

/** Sets the form of a new game: a computer at one seat, an opening rule. */
async function begin(page: Page, game: string, rule: string, seats: { opens: string; chooses: string }): Promise<void> {
  if (!(await page.locator('dialog[open]').count())) await page.keyboard.press('n')
  const dialog = page.locator('dialog[open]')
  await dialog.getByRole('radio', { name: game }).first().click()
  await dialog.getByRole('combobox', { name: 'Opening', exact: true }).selectOption(rule)
  for (const [label, seat] of [['Puts the first stones', seats.opens], ['Chooses a colour', seats.chooses]] as const) {
    if (seat === 'person') await choose(page, label, 'person')
    else {
      const select = dialog.getByLabel(label, { exact: true })
      const option = select.locator('option', { hasText: seat })
      await option.waitFor({ state: 'attached' })
      await select.selectOption((await option.getAttribute('value'))!)
    }
  }
  await look(page, `new-${rule}-${seats.opens === 'person' ? 'person' : 'level'}`)
  await pressPlay(page)
}

it('draws what Renju forbids, refuses it, and White wins by it', async () => {
  const { page, errors } = await openPage(browser, `${program.url}#renju/f8.o15.g8.m15.h6.k15.h7.i15`)
  await page.locator('[data-forbidden]').first().waitFor()
  const forbidden = await page.locator('[data-forbidden]').evaluateAll((all) => all.map((one) => one.getAttribute('data-forbidden')))
  expect(forbidden).toEqual([String(cell('h8'))])
  await look(page, 'renju-forbidden')
  await clickCell(page, cell('h8'))
  await page.getByText(/double-three|double three|forbidden/i).first().waitFor()
  await waitExactly(page, 8)
  // Legal for Black, and then White's turn: nothing is forbidden to White.
  await clickCell(page, cell('a1'))
  await waitStones(page, 9)
  expect(await page.locator('[data-forbidden]').count()).toBe(0)
  await clickCell(page, cell('h8'))
  await waitStones(page, 10)
  expect(errors).toEqual(errors.filter((error) => error.includes('forbidden')))
})

it('opens by Swap2 against level 10 and answers its choice', async () => {
  const { page, errors } = await openPage(browser, program.url)
  await begin(page, 'Gomoku', 'swap2', { opens: 'person', chooses: 'Level 10' })
  for (const name of ['h1', 'i2', 'k1']) await clickCell(page, cell(name))
  const settling = page.locator('.settling')
  // The level takes a colour and says why, or puts two more stones.
  const choice = settling.locator('li', { hasText: 'Level 10 →' })
  await choice.first().waitFor()
  expect(await choice.first().textContent()).toMatch(/ \d+ %/)
  await look(page, 'swap2-answered')
  const asked = settling.getByRole('button', { name: 'Play White' })
  if (/two more/.test((await choice.first().textContent())!)) {
    await asked.waitFor()
    await waitExactly(page, 5)
    await asked.click()
    await settling.locator('li', { hasText: 'You → White' }).waitFor()
  }
  // The game goes on with whoever has White, who is to move.
  const before = await page.locator('.stone[data-cell]').count()
  if (await page.getByText('Your turn').count()) await clickCell(page, cell('a15'))
  await waitStones(page, before + 1)
  expect(errors).toEqual([])
})

it('answers the Swap2 opening of level 10 with two stones, and the level chooses', async () => {
  const { page, errors } = await openPage(browser, program.url)
  await begin(page, 'Gomoku', 'swap2', { opens: 'Level 10', chooses: 'person' })
  await waitExactly(page, 3)
  const settling = page.locator('.settling')
  await settling.locator('li', { hasText: 'Level 10: 3 stones on the board' }).waitFor()
  await look(page, 'swap2-asked')
  await settling.getByRole('button', { name: 'Put two more stones' }).click()
  await clickCell(page, cell('a15'))
  await clickCell(page, cell('o15'))
  await settling.locator('li', { hasText: /Level 10 → (Black|White): it gives/ }).waitFor()
  await look(page, 'swap2-settled')
  // A reload finds it as it was.
  await page.reload()
  await page.locator('.settling li', { hasText: /Level 10 → (Black|White)/ }).waitFor()
  expect(await page.locator('.players strong').allTextContents()).toContain('You')
  expect(errors).toEqual([])
})

it('plays on the boards of Gomoku', async () => {
  const { page, errors } = await openPage(browser, program.url)
  const dialog = await openForm(page)
  await dialog.getByRole('radio', { name: 'Gomoku' }).first().click()
  for (const size of ['17', '19', '20', '15']) {
    await dialog.getByRole('combobox', { name: 'Board', exact: true }).selectOption(size)
    await dialog.getByRole('radio', { name: 'Gomoku', checked: true }).first().waitFor()
  }
  await dialog.getByRole('combobox', { name: 'Board', exact: true }).selectOption('20')
  await dialog.getByRole('combobox', { name: 'Opening', exact: true }).selectOption('swap1')
  await pressPlay(page)
  expect(await page.locator('[role=gridcell]').count()).toBe(400)
  expect(errors).toEqual([])
})

it('speaks of open threes, straight fours and balanced moves', async () => {
  const { page, errors } = await openPage(browser, `${program.url}#gomoku/h8.a1.i8.a2.g8`)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Hint', exact: true }).click()
  await page.locator('.detail', { hasText: /open three g8–h8–i8/ }).waitFor()
  await look(page, 'hint-open-three')
  await page.getByRole('tab', { name: 'Analysis' }).click()
  await page.getByRole('button', { name: 'Two balanced moves' }).click()
  await page.locator('.detail', { hasText: /as even as possible/ }).waitFor()
  await look(page, 'balanced')
  expect(errors).toEqual([])
})

it('names the open three among the threats, and the review says what the better turn does', async () => {
  const { page, errors } = await openPage(browser, `${program.url}#gomoku/h8.i9.i8.h9.g8.b1.f8`)
  await page.keyboard.press('Escape')
  await waitStones(page, 7)
  // White looked away: the threats of the position before, then the review.
  await page.keyboard.press('[')
  await page.keyboard.press('[')
  await waitExactly(page, 5)
  await page.keyboard.press('t')
  await page.getByRole('tab', { name: 'Analysis' }).click()
  await page.locator('[data-part=threats]', { hasText: 'Black: open three g8–h8–i8.' }).waitFor()
  await page.locator('[data-part=threats]', { hasText: 'White has no threats.' }).waitFor()
  expect(await page.locator('[data-shape]').count()).toBe(1)
  await look(page, 'threats-open-three')
  await page.getByRole('button', { name: 'Review game' }).click()
  const mistake = page.locator('[data-part=review] li', { hasText: 'b1' })
  await mistake.getByText('Blocks the open three g8–h8–i8').waitFor()
  await look(page, 'review-open-three')
  expect(errors).toEqual([])
})

it('takes a forbidden stone and ends the game by it, where a new game says so', async () => {
  const { page, errors } = await openPage(browser, program.url)
  const dialog = await openForm(page)
  await dialog.getByRole('radio', { name: 'Renju' }).first().click()
  await dialog.getByRole('combobox', { name: 'Forbidden points', exact: true }).selectOption('lose')
  // It is Renju still, on each of its boards.
  await dialog.getByRole('radio', { name: 'Renju', checked: true }).first().waitFor()
  // The last game may have had an opening by rules, whose seats have other names.
  await dialog.getByRole('combobox', { name: 'Opening', exact: true }).selectOption('')
  await choose(page, 'Black, moves first', 'person')
  await choose(page, 'White', 'person')
  await look(page, 'new-renju')
  await pressPlay(page)
  const moves = ['f8', 'o15', 'g8', 'm15', 'h6', 'k15', 'h7', 'i15', 'h8']
  for (const [at, name] of moves.entries()) {
    await clickCell(page, cell(name))
    await waitStones(page, at + 1)
  }
  await page.getByText(/White wins/).first().waitFor()
  await look(page, 'renju-lost')
  expect(errors).toEqual([])
})

it('reads pasted moves in the game that is open, and links of its own', async () => {
  const { page, errors } = await openPage(browser, `${program.url}#renju/h8.i9`)
  await page.keyboard.press('Escape')
  const paste = async (text: string, stones: number) => {
    await page.getByRole('tab', { name: 'Share & export' }).click()
    await page.getByLabel('Paste a game').fill(text)
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await waitExactly(page, stones)
  }
  await paste('h8i7j9h9i8', 5)
  await page.waitForFunction(() => location.hash === '#renju/h8.i7.j9.h9.i8')
  const address = page.url().replace('renju', 'gomoku')
  await paste(`${address}.a1`, 6)
  await page.waitForFunction(() => location.hash.startsWith('#gomoku/'))
  // A RenLib file, written by the page and read again.
  await paste(address.replace('gomoku', 'renju'), 5)
  await page.getByLabel('Export', { exact: true }).selectOption('renlib')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save', exact: true }).click(),
  ])
  await page.locator('input[type=file]').setInputFiles((await download.path())!)
  await waitExactly(page, 5)
  expect(errors).toEqual([])
})
