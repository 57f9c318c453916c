/** The explorer of openings: stepped through by mouse, keys and list; names; the network's view; from a game and into one. */

import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { faults } from './axe.ts'
import { clickCell, newGame, openPage, waitStones } from './harness.ts'
import { browser, program } from './stage.ts'

/** Where the pages are photographed, if somebody wants to look at them. */
const pictures = process.env.PICTURES

async function open(page: Page, address: string) {
  await page.keyboard.press('Escape')
  await page.evaluate((address) => { window.location.hash = address }, address)
  await page.getByRole('heading', { name: 'Openings', exact: true }).waitFor()
}
const stones = (page: Page, count: number) =>
  page.waitForFunction((count) => document.querySelectorAll('[data-stone]').length === count, count)
async function click(page: Page, cell: number) {
  const box = (await page.locator(`#opening-cell-${cell}`).boundingBox())!
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
}
const hash = (page: Page) => new URL(page.url()).hash

it('the openings of Renju have their names, whichever way they are turned', async () => {
  const { page, errors } = await openPage(browser, program.url)
  await open(page, 'openings/renju')
  await page.getByText('208 games', { exact: true }).waitFor()
  await page.getByText('Games that reached this position: 208').waitFor()
  // The middle, White straight below it, Black beside White: Kagetsu upside down.
  await click(page, 7 * 15 + 7)
  await click(page, 6 * 15 + 7)
  await click(page, 6 * 15 + 6)
  await page.locator('[data-part=name]').getByText('Kagetsu 花月 (D4)').waitFor()
  await stones(page, 3)
  expect(hash(page)).toBe('#openings/renju/h8.h7.g7')
  await page.getByText('Games that reached this position: 8').waitFor()
  expect(await page.locator('tbody tr').count()).toBeGreaterThan(0)
  // Back by the arrow, on by the other one, to the start and to another opening by its name.
  await page.keyboard.press('ArrowLeft')
  await stones(page, 2)
  await page.locator('tbody').getByText('Kagetsu').waitFor()
  await page.keyboard.press('ArrowRight')
  await stones(page, 3)
  expect(hash(page)).toBe('#openings/renju/h8.h7.g7')
  await page.keyboard.press('Home')
  await stones(page, 0)
  await page.getByRole('button', { name: 'I7 Hogetsu' }).click()
  await page.locator('[data-part=name]').getByText('Hogetsu 浦月 (I7)').waitFor()
  // Its address opens it again.
  await page.reload()
  await page.locator('[data-part=name]').getByText('Hogetsu').waitFor()
  // A cell that is taken changes nothing.
  await click(page, 7 * 15 + 7)
  await stones(page, 3)
  expect(errors).toEqual([])
})

it('turns of two stones, the network and the list', async () => {
  const { page, errors } = await openPage(browser, program.url)
  await open(page, 'openings/connect6/j10')
  await page.locator('[data-part=policy]').getByText('The network would place').waitFor()
  expect(await page.locator('[data-policy]').count()).toBe(10)
  expect(await page.locator('[data-part=liked]').first().textContent()).toMatch(/^\d+\.\d \+ \d+\.\d$/)
  const first = page.locator('tbody button').first()
  const turn = (await first.textContent())!.trim().split(/\s+/).slice(1, 3)
  // By its stones, one after the other.
  await first.focus()
  expect(await page.locator('.ghost').count()).toBe(2)
  await page.keyboard.press('Enter')
  await stones(page, 3)
  expect(hash(page)).toBe(`#openings/connect6/j10.${turn.join('.')}`)
  await page.getByRole('button', { name: 'Back one turn' }).click()
  await stones(page, 1)
  // Half a turn by keys: from the middle to the right.
  await page.getByRole('grid').focus()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.getByText('Stone 2 of 2').waitFor()
  expect(hash(page)).toBe('#openings/connect6/j10.j11')
  await page.getByRole('button', { name: 'To the start' }).click()
  await stones(page, 0)
  expect(errors).toEqual([])
})

it('from a game to its opening and on to a game', async () => {
  const { page, errors } = await openPage(browser, program.url)
  await newGame(page, 'Gomoku')
  for (const [at, cell] of [7 * 15 + 7, 8 * 15 + 8, 6 * 15 + 8].entries()) {
    await clickCell(page, cell)
    await waitStones(page, at + 1)
  }
  await page.getByRole('tab', { name: 'Analysis' }).click()
  await page.getByRole('button', { name: 'Openings' }).click()
  await page.locator('[data-part=name]').getByText('Hogetsu').waitFor()
  await page.locator('[data-part=policy]').waitFor()
  await page.locator('tbody button').first().click()
  await stones(page, 4)
  await page.getByRole('button', { name: 'Play from here' }).click()
  await waitStones(page, 4)
  expect(hash(page)).toMatch(/^#gomoku\/h8\.i9\.i7\.\w+$/)
  expect(errors).toEqual([])
})

it('one’s own games are a source, too', async () => {
  const { page, errors } = await openPage(browser, program.url)
  await open(page, 'openings/connect4')
  await page.getByLabel('Games of').selectOption('own')
  await page.getByText('No finished games of your own yet.').waitFor()
  // Red wins in the middle column.
  await page.getByRole('button', { name: 'Board', exact: true }).click()
  await newGame(page, 'Connect Four')
  for (const [at, column] of [3, 0, 3, 0, 3, 0, 3].entries()) {
    await clickCell(page, 5 * 7 + column)
    await waitStones(page, at + 1)
  }
  await page.getByText(/Red wins/).first().waitFor()
  await open(page, 'openings/connect4')
  await page.getByLabel('Games of').selectOption('own')
  await page.getByText('Games that reached this position: 1').waitFor()
  await page.getByRole('img', { name: 'Red 100 %, drawn 0 %, Yellow 0 %' }).first().waitFor()
  await page.getByRole('button', { name: 'd1' }).click()
  await stones(page, 1)
  expect(errors).toEqual([])
})

it('without barriers on a desk and on a phone, and every game has its list', async () => {
  for (const [name, options] of [
    ['desk', { viewport: { width: 1280, height: 860 }, reducedMotion: 'reduce' }],
    ['phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: 'dark', reducedMotion: 'reduce' }],
  ] as const) {
    const { page, errors } = await openPage(browser, program.url, options)
    for (const [game, link] of [['connect4', '/d1.d2'], ['gomoku', '/h8'], ['renju', ''], ['renju', '/h8.h9.i9'], ['connect6', '/j10']] as const) {
      await open(page, `openings/${game}${link}`)
      await page.locator('tbody tr').first().waitFor()
      await page.getByText(/^[1-9]\d+ games$/).waitFor()
      if (game === 'connect6' || game === 'gomoku') await page.locator('[data-part=policy]').waitFor()
      expect(await faults(page), `${name} ${game}`).toEqual([])
      const wide = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(wide, `${name} ${game} scrolls sideways`).toBeLessThanOrEqual(options.viewport.width)
      if (pictures) await page.screenshot({ path: `${pictures}/openings-${game}${link ? '' : '-start'}-${name}.png`, fullPage: name === 'phone' })
    }
    expect(errors).toEqual([])
  }
})

it('a list that cannot be had is said, and asked for again', async () => {
  const { page, errors } = await openPage(browser, program.url)
  let broken = true
  await page.route('**/openings/renju.txt', (route) => (broken ? route.fulfill({ status: 404 }) : route.fallback()))
  await open(page, 'openings/renju')
  await page.getByRole('alert').filter({ hasText: 'could not be loaded' }).waitFor()
  broken = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.locator('tbody tr').first().waitFor()
  // A position that is none leaves a word and the way back.
  await page.evaluate(() => { window.location.hash = 'openings/renju/h8.h8' })
  await page.getByText(/occupied|taken/).first().waitFor()
  expect(hash(page)).toBe('#openings/renju')
  expect(errors.filter((error) => !error.includes('404'))).toEqual([])
})
