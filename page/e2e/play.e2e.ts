/** Games as people play them: against agents, with their own rules, by mouse, touch and keys. */

import { expect, it } from 'vitest'
import { choose, clickCell, FIRST, newGame, openPage, pressPlay, Program, SECOND, stones, waitExactly, waitStones } from './harness.ts'
import { browser, program } from './stage.ts'

const headline = '.headline'

it('a person wins a Connect6 game against an agent', async () => {
  const { page, errors } = await openPage(browser, program.url)
  await newGame(page, 'Connect6', { white: 'agent random' })
  await clickCell(page, 180)
  for (let turn = 1; turn < 30; turn++) {
    // The agent has answered, or there is nothing to answer.
    await page.waitForFunction((stones) => document.querySelector('.winning')
      || document.querySelectorAll('.stone[data-cell]:not(.waiting)').length === stones, 4 * turn - 1)
    if (await page.locator('.winning').count()) break
    // A row of six that White has not touched, fullest first: random stones hardly stop it.
    const plan = await page.evaluate(() => {
      const at = new Map([...document.querySelectorAll('.stone[data-cell]')]
        .map((stone) => [Number((stone as SVGElement).dataset.cell), stone.classList.contains('black')]))
      let best: number[] = []
      let most = -1
      for (let row = 0; row < 19; row++) for (let from = 0; from <= 13; from++) {
        const cells = Array.from({ length: 6 }, (_, i) => row * 19 + from + i)
        if (cells.some((cell) => at.get(cell) === false)) continue
        const own = cells.filter((cell) => at.get(cell)).length
        if (own > most) [most, best] = [own, cells.filter((cell) => !at.has(cell))]
      }
      return best
    })
    for (const cell of plan.slice(0, 2)) await clickCell(page, cell)
  }
  await page.locator(headline, { hasText: 'You win! Black wins with six in a row' }).waitFor()
  expect(await page.locator('.winning').count()).toBeGreaterThan(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.waitForFunction(() => !document.querySelector('.winning'))
  expect(errors).toEqual([])
})

it('a first visit needs nothing but Enter and a click', async () => {
  const fresh = await Program.start()
  const { page, errors } = await openPage(browser, fresh.url)
  await page.waitForFunction(() => document.activeElement?.textContent === 'Play')
  await page.keyboard.press('Enter')
  await page.locator(headline, { hasText: 'Your turn' }).waitFor()
  // The best-known game is chosen, and a computer answers.
  await page.locator('.game', { hasText: 'Connect Four' }).waitFor()
  await clickCell(page, 38)
  await waitStones(page, 2)
  expect(errors).toEqual([])
  await page.context().close()
  await fresh.stop()
})

it('Connect Four shows the exact score of every column and falls', async () => {
  const link = `${program.url}#connect4/d1.d2.d3.d4.d5.d6.a1.a2.a3.b1.b2.c1`
  const { page, errors } = await openPage(browser, link)
  expect(await stones(page)).toBe(12)
  await page.getByRole('tab', { name: 'Analysis' }).click()
  await page.getByLabel('Exact column scores').check()
  await page.waitForFunction(() => document.querySelectorAll('.scores text').length === 6
    && [...document.querySelectorAll('.scores text')].every((text) => /^[+−]?\d+$/.test(text.textContent!)))
  // Best play of both sides, read off the page, to the end of the game.
  for (let turn = 12; turn < 42; turn++) {
    if (await page.locator('.over').count()) break
    await page.waitForFunction(() => document.querySelector('.scores .best')
      && ![...document.querySelectorAll('.scores text')].some((text) => text.textContent === '…'))
    const column = Number(await page.locator('.scores .best').first().getAttribute('data-column'))
    await clickCell(page, 35 + column)
    await waitStones(page, turn + 1)
  }
  await page.locator(headline, { hasText: /wins with four in a row|Draw/ }).waitFor()
  expect(errors).toEqual([])
})

it('a custom game 9×7, k=4, p=3: wrong numbers are explained, turns have three stones', async () => {
  const { page, errors } = await openPage(browser, program.url)
  await page.keyboard.press('n')
  const dialog = page.locator('dialog[open]')
  await dialog.getByRole('radio', { name: 'Custom game' }).click()
  const set = (name: string, value: string) => dialog.locator(`input[name=${name}]`).fill(value)
  await set('width', '9')
  await set('height', '7')
  await set('k', '12')
  await dialog.getByRole('alert').filter({ hasText: 'k = 12 does not fit on a 9x7 board' }).waitFor()
  expect(await dialog.getByRole('button', { name: 'Play', exact: true }).isDisabled()).toBe(true)
  await set('width', '99')
  await dialog.getByRole('alert').filter({ hasText: '32×32' }).waitFor()
  await set('width', '9')
  await set('k', '4')
  await set('p', '3')
  // The form begins with the game before, on a first visit with Connect Four.
  await dialog.getByRole('checkbox', { name: 'Stones fall' }).uncheck()
  for (const side of [FIRST, SECOND]) await choose(page, side, 'person')
  await pressPlay(page)
  await clickCell(page, 31)
  await waitStones(page, 1)
  await page.locator('.detail', { hasText: 'Stone 1 of 3' }).waitFor()
  await clickCell(page, 0)
  await clickCell(page, 1)
  await page.locator('.detail', { hasText: 'Stone 3 of 3' }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.locator('.detail', { hasText: 'Stone 2 of 3' }).waitFor()
  await clickCell(page, 20)
  await clickCell(page, 40)
  await waitStones(page, 4)
  for (const cell of [30, 32, 33]) await clickCell(page, cell)
  await page.locator(headline, { hasText: 'Black wins with four in a row' }).waitFor()
  expect(errors).toEqual([])
})

it('a game by keys alone, with the list of keys and typed moves', async () => {
  const { page, errors } = await openPage(browser, program.url)
  await newGame(page, 'Tic-tac-toe')
  const key = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  await key('Enter')
  await waitStones(page, 1)
  await key('ArrowLeft', 'Enter')
  await waitStones(page, 2)
  await key('u')
  await waitExactly(page, 1)
  await key('ArrowUp', 'Enter')
  await waitStones(page, 2)
  await key('?')
  await page.locator('dialog[open]', { hasText: 'place a stone at the cursor' }).waitFor()
  await key('Escape')
  await page.waitForFunction(() => !document.querySelector('dialog[open]'))
  await key('/')
  await page.keyboard.type('a1')
  await key('Enter', 'Escape')
  await waitStones(page, 3)
  await key('ArrowRight', 'Enter')
  await waitStones(page, 4)
  await key('/')
  await page.keyboard.type('c1')
  await key('Enter', 'Escape')
  await waitStones(page, 5)
  await key('ArrowRight', 'Enter')
  await page.locator(headline, { hasText: 'White wins with three in a row' }).waitFor()
  await page.locator('[role=log]', { hasText: 'White c3. White wins' }).waitFor({ state: 'attached' })
  expect(errors).toEqual([])
})

it('a level answers, and a hint shows on the board', async () => {
  const { page, errors } = await openPage(browser, program.url)
  await newGame(page, 'Tic-tac-toe', { white: 'level sextant:level=1' })
  await clickCell(page, 0)
  await waitStones(page, 2)
  await page.getByRole('button', { name: 'Hint' }).click()
  await page.locator('.hint').waitFor({ timeout: 30_000 })
  await page.locator('.detail', { hasText: /Hint: [abc][123]/ }).waitFor()
  expect(errors).toEqual([])
})

it('watching two agents: pause, pace, and going on', async () => {
  const { page, errors } = await openPage(browser, program.url)
  await newGame(page, 'Gomoku', { black: 'agent random', white: 'agent random' })
  await waitStones(page, 2)
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await page.locator(headline, { hasText: 'Paused' }).waitFor()
  const held = await stones(page)
  // Without a pause between turns agents that were not held would play on at once.
  await page.locator('.speed input').fill('0')
  await page.locator('.speed output', { hasText: '0.0 s' }).waitFor()
  await page.getByRole('tab', { name: 'Analysis' }).click()
  for (const wanted of [true, false, true]) {
    await page.getByLabel('Threats', { exact: true }).setChecked(wanted)
    await page.locator('[data-part=threats]').first().waitFor({ state: wanted ? 'visible' : 'detached' })
  }
  expect(await stones(page)).toBe(held)
  await page.getByRole('button', { name: 'Resume' }).click()
  await waitStones(page, held + 4)
  expect(errors).toEqual([])
})

it('a tap on a phone is confirmed where cells are small', async () => {
  const { page, errors } = await openPage(browser, program.url, {
    viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true,
  })
  await newGame(page, 'Connect6')
  const box = (await page.locator('#cell-180').boundingBox())!
  await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2)
  await page.getByRole('button', { name: 'Place at j10' }).waitFor()
  expect(await stones(page)).toBe(0)
  await page.getByRole('button', { name: 'Place at j10' }).tap()
  await waitStones(page, 1)
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
  expect(errors).toEqual([])
})
