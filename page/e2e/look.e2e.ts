/** Looking at games: threats and shapes, variations with comments, any screen, less motion. */

import { expect, it } from 'vitest'
import { choose, clickCell, newGame, openPage, site, waitExactly, waitStones } from './harness.ts'
import { browser, program } from './stage.ts'

/** Black has four in a row with room on both sides: a turn of two stones stops it, one does not. */
const LIVE_FOUR = '#connect6/h10.a1.a2.i10.j10.b1.b3.k10.s19'

it('threats are counted exactly, their defences marked, and lines have types', async () => {
  const { page, errors } = await openPage(browser, program.url + LIVE_FOUR)
  await page.getByRole('tab', { name: 'Analysis' }).click()
  await page.getByLabel('Threats', { exact: true }).check()
  await page.locator('[data-part=threats]', { hasText: 'Black has a threat. It takes two stones to stop it' }).waitFor()
  await page.locator('[data-part=threats]', { hasText: 'White has no threats' }).waitFor()
  const marked = await page.locator('[data-defence]').evaluateAll((marks) => marks.map((mark) => Number((mark as SVGElement).dataset.defence)))
  // A defence lies on the row, beside the four.
  expect(marked.length).toBeGreaterThanOrEqual(2)
  expect(marked.every((cell) => Math.floor(cell / 19) === 9)).toBe(true)
  expect(await page.locator('.threat.black').count()).toBeGreaterThan(0)
  await page.getByLabel('Explain lines at the cursor').check()
  const cell = (await page.locator('#cell-180').boundingBox())!
  await page.mouse.move(cell.x + cell.width / 2, cell.y + cell.height / 2)
  await page.locator('[data-part=shapes] li', { hasText: 'Black L4' }).waitFor()
  expect(await page.locator('.shape.black').count()).toBeGreaterThan(0)
  expect(errors).toEqual([])
})

it('where the network would play is shaded, beside its chance and the search’s, in games that have a network', async () => {
  const { page, errors } = await openPage(browser, program.url + LIVE_FOUR)
  await page.getByRole('tab', { name: 'Analysis' }).click()
  await page.getByLabel('Network’s choice').check()
  const told = page.locator('[data-part=policy]')
  await told.filter({ hasText: /the next stone on [a-s]\d+ \(\d+ %\)/ }).waitFor()
  const shades = await page.locator('[data-policy]').evaluateAll((cells) =>
    cells.map((cell) => [Number((cell as SVGElement).dataset.policy), Number(cell.getAttribute('fill-opacity'))] as const))
  // The likeliest cell comes first and is the darkest; it lies on the row of the four stones.
  expect(shades.length).toBeGreaterThan(1)
  expect(Math.floor(shades[0]![0] / 19)).toBe(9)
  expect(shades.map(([, shade]) => shade)).toEqual(shades.map(([, shade]) => shade).toSorted((a, b) => b - a))
  await told.filter({ hasText: /analyse the position to compare/ }).waitFor()
  await page.getByRole('button', { name: 'Analyse this position' }).click()
  await told.filter({ hasText: /\d+ %, the search \d+ %\./ }).waitFor()
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  // It belongs to the position: another one has other shades, and none when it is switched off.
  await page.keyboard.press('[')
  await page.waitForFunction((first) => {
    const cells = document.querySelectorAll<SVGElement>('[data-policy]')
    return cells.length > 0 && [...cells].map((cell) => `${cell.dataset.policy} ${cell.getAttribute('fill-opacity')}`).join() !== first
  }, shades.map((shade) => shade.join(' ')).join())
  await page.getByLabel('Network’s choice').uncheck()
  expect(await page.locator('[data-policy]').count()).toBe(0)
  const other = await openPage(browser, `${program.url}#connect4/d1.d2`)
  await other.page.getByRole('tab', { name: 'Analysis' }).click()
  await other.page.getByLabel('Threats', { exact: true }).waitFor()
  expect(await other.page.getByLabel('Network’s choice').count()).toBe(0)
  expect([...errors, ...other.errors]).toEqual([])
})

it('a variation gets a comment, becomes the main line, and goes', async () => {
  const { page, errors } = await openPage(browser, `${program.url}#gomoku/h8.i9.h9`)
  await waitStones(page, 3)
  await page.keyboard.press('[')
  await page.keyboard.press('[')
  await waitExactly(page, 1)
  await clickCell(page, 97)
  await page.locator('.variation', { hasText: 'h7' }).waitFor()
  await page.getByLabel('Comment on this move').fill('a < b & c')
  await page.getByRole('button', { name: 'Make this the main line' }).click()
  await page.locator('.comment', { hasText: 'a < b & c' }).waitFor()
  await page.locator('.variation', { hasText: 'i9' }).waitFor()
  expect(await page.locator('.variation', { hasText: 'h7' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Delete this move and what follows' }).click()
  await page.waitForFunction(() => !document.querySelector('.variation'))
  await waitExactly(page, 1)
  await page.keyboard.press('}')
  await waitExactly(page, 3)
  expect(errors).toEqual([])
})

it('fits every screen', async () => {
  const { page, errors } = await openPage(browser, program.url + LIVE_FOUR)
  const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)
  for (const width of [320, 390, 768, 1024, 1920]) {
    await page.setViewportSize({ width, height: 800 })
    for (const tab of ['Moves', 'Analysis', 'Share & export']) {
      await page.getByRole('tab', { name: tab }).click()
      expect(await fits(), `${tab} at ${width}`).toBe(true)
    }
    await page.getByRole('button', { name: 'New game' }).click()
    await page.locator('dialog[open]').waitFor()
    expect(await fits(), `dialog at ${width}`).toBe(true)
    await page.keyboard.press('Escape')
    const part = site ? 'Puzzles' : 'Arena'
    await page.getByRole('button', { name: part }).click()
    await page.getByRole('heading', { name: part }).waitFor()
    expect(await fits(), `${part} at ${width}`).toBe(true)
    await page.getByRole('button', { name: 'Board', exact: true }).click()
  }
  expect(errors).toEqual([])
})

it('the end of a game, and forms with long names, keep within their frames', async () => {
  const { page, errors } = await openPage(browser, `${program.url}#gomoku/h8.a1.i8.a2.j8.a3.k8.a4.l8`)
  await page.getByRole('button', { name: 'What went wrong?' }).waitFor()
  /** Buttons and fields that reach beyond what holds them. */
  const outside = (frame: string) => page.locator(frame).evaluateAll((frames) => frames.flatMap((frame) => {
    const { left, right } = frame.getBoundingClientRect()
    return [...frame.querySelectorAll('button, select')]
      .filter((part) => part.getBoundingClientRect().left < left - 1 || part.getBoundingClientRect().right > right + 1)
      .map((part) => part.textContent!.trim().slice(0, 30))
  }))
  for (const width of [320, 390, 900, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    expect(await outside('.side .card'), `panel at ${width}`).toEqual([])
    await page.getByRole('button', { name: 'New game' }).click()
    await page.locator('dialog[open]').getByRole('radio', { name: 'Connect6' }).click()
    await choose(page, 'White', 'level sextant:level=6')
    expect(await outside('dialog[open] .seat'), `seats at ${width}`).toEqual([])
    await page.keyboard.press('Escape')
  }
  expect(errors).toEqual([])
})

it('nothing moves where less motion is asked for, and white stones carry a mark', async () => {
  const { page, errors } = await openPage(browser, program.url, { reducedMotion: 'reduce' })
  await newGame(page, 'Connect Four')
  for (const cell of [38, 38]) {
    await clickCell(page, cell)
    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0)
  }
  await waitStones(page, 2)
  expect(await page.locator('.stone.black .mark').count()).toBe(0)
  expect(await page.locator('.stone.white[data-cell] .mark').count()).toBe(1)
  expect(errors).toEqual([])
})
