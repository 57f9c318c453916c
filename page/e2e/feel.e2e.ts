/** How it feels: colours, sounds, nothing that jumps, keys in tabs and cards, an app to install. */

import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { clickCell, newGame, openPage, waitExactly, waitStones } from './harness.ts'
import { browser, program } from './stage.ts'

it('Connect Four is played in red and yellow, and themes change the board', async () => {
  const { page, errors } = await openPage(browser, program.url)
  await newGame(page, 'Connect Four')
  await page.locator('.headline', { hasText: 'Red to move' }).waitFor()
  await clickCell(page, 38)
  await page.locator('.headline', { hasText: 'Yellow to move' }).waitFor()
  await clickCell(page, 38)
  await waitStones(page, 2)
  const colours = () => page.evaluate(() => ['.ink-mid', '.ivory-mid', '.wood-high']
    .map((part) => getComputedStyle(document.querySelector(`svg[role=grid] ${part}`)!).stopColor))
  const [red, yellow, rack] = await colours()
  const parts = (colour: string) => colour.match(/\d+/g)!.map(Number) as [number, number, number]
  expect(parts(red!)[0]).toBeGreaterThan(2 * parts(red!)[1])
  expect(parts(yellow!)[1]).toBeGreaterThan(2 * parts(yellow!)[2])
  expect(parts(rack!)[2]).toBeGreaterThan(parts(rack!)[0])
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByLabel('Board and stones').selectOption('contrast')
  await page.waitForFunction(() => document.documentElement.dataset.board === 'contrast')
  expect(parts((await colours())[2]!)).toEqual([255, 255, 255])
  await page.getByLabel('Board and stones').selectOption('wood')
  expect(errors).toEqual([])
})

it('sounds are made by code, and only when they are wanted', async () => {
  const count = (page: Page) => page.evaluate(() => (window as unknown as { sounds: number }).sounds)
  const { page, errors } = await openPage(browser, program.url, {}, (page) => page.addInitScript(() => {
    const listening = window as unknown as { sounds: number }
    listening.sounds = 0
    const start = AudioScheduledSourceNode.prototype.start
    AudioScheduledSourceNode.prototype.start = function (...when) {
      listening.sounds += 1
      return start.apply(this, when)
    }
    const startBuffer = AudioBufferSourceNode.prototype.start
    AudioBufferSourceNode.prototype.start = function (...when) {
      listening.sounds += 1
      return startBuffer.apply(this, when)
    }
  }))
  await newGame(page, 'Tic-tac-toe')
  await clickCell(page, 0)
  await waitStones(page, 1)
  expect(await count(page)).toBe(0)
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByLabel('Sounds').check()
  await page.keyboard.press('Escape')
  await clickCell(page, 4)
  await waitStones(page, 2)
  expect(await count(page)).toBe(1)
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByLabel('Sounds').uncheck()
  await page.keyboard.press('Escape')
  expect(errors).toEqual([])
})

it('the panel does not jump while a game is played', async () => {
  const { page, errors } = await openPage(browser, program.url)
  await newGame(page, 'Connect6')
  const panel = async () => (await page.locator('[role=tablist]').boundingBox())!.y
  const before = await panel()
  for (const [at, cell] of [180, 200, 201, 160, 100].entries()) {
    await clickCell(page, cell)
    await waitStones(page, at + 1)
    expect(await panel()).toBe(before)
  }
  await page.getByRole('button', { name: 'Undo' }).click()
  await waitExactly(page, 3)
  await page.keyboard.press('[')
  await waitExactly(page, 1)
  expect(await panel()).toBe(before)
  expect(errors).toEqual([])
})

it('the chosen level is taken over from game to game', async () => {
  const { page } = await openPage(browser, program.url)
  await newGame(page, 'Connect6', { white: 'level sextant:level=6' })
  await page.locator('.players', { hasText: 'Level 6' }).waitFor()
  await page.keyboard.press('n')
  const dialog = page.locator('dialog[open]')
  await dialog.getByRole('radio', { name: 'Connect Four' }).click()
  const seat = dialog.getByLabel('Yellow', { exact: true })
  await page.waitForFunction((select) => (select as HTMLSelectElement).selectedOptions[0]?.textContent?.startsWith('Level 6'), await seat.elementHandle())
})

it('tabs and cards are chosen by arrow keys, and the focus returns after Escape', async () => {
  const { page, errors } = await openPage(browser, program.url)
  await newGame(page, 'Gomoku')
  await page.getByRole('tab', { name: 'Moves' }).focus()
  await page.keyboard.press('ArrowRight')
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('tab-analysis')
  expect(await page.locator('#tab-analysis').getAttribute('aria-selected')).toBe('true')
  await page.keyboard.press('End')
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('tab-record')
  await page.getByRole('button', { name: 'New game' }).focus()
  await page.keyboard.press('Enter')
  await page.locator('dialog[open]').waitFor()
  const chosen = page.locator('dialog[open] [role=radio][aria-checked=true]')
  await chosen.focus()
  const name = await chosen.textContent()
  await page.keyboard.press('ArrowRight')
  expect(await chosen.textContent()).not.toBe(name)
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-checked'))).toBe('true')
  await page.keyboard.press('Escape')
  await page.waitForFunction(() => document.activeElement?.textContent === 'New game')
  expect(errors).toEqual([])
})

it('a hint and an imported game are announced, and the title says whose turn it is', async () => {
  const { page, errors } = await openPage(browser, program.url)
  await newGame(page, 'Tic-tac-toe', { white: 'agent random' })
  await page.waitForFunction(() => document.title === 'Your turn · Tic-tac-toe · Collinear')
  await page.keyboard.press('h')
  await page.locator('[role=log]', { hasText: /Hint: [abc][123]/ }).waitFor({ state: 'attached' })
  await page.getByRole('tab', { name: 'Share & export' }).click()
  await page.getByLabel('Paste a game').fill('(;FF[4]GM[511]PB[Ada]PW[Bob];B[JJ];W[KI];W[LJ])')
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await page.locator('[role=log]', { hasText: /^Opened a game of Connect6.*3 stones\.$/ }).waitFor({ state: 'attached' })
  expect(errors).toEqual([])
})

it('on phones the board stays above what is read', async () => {
  const { page } = await openPage(browser, `${program.url}#gomoku/h8.i9.h9.h10.g8`, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  await waitStones(page, 5)
  await page.getByRole('tab', { name: 'Share & export' }).click()
  await page.evaluate(() => window.scrollTo(0, 400))
  const box = (await page.locator('svg[role=grid]').boundingBox())!
  expect(box.y).toBeGreaterThanOrEqual(-1)
})

it('can be installed: manifest and icons come from the program', async () => {
  const { page } = await openPage(browser, program.url)
  const found = await page.evaluate(async () => {
    const link = document.querySelector<HTMLLinkElement>('link[rel=manifest]')!
    const answer = await fetch(link.href)
    const manifest = await answer.json() as { name: string; icons: { src: string; type: string }[] }
    const icons = await Promise.all(manifest.icons.map(async ({ src, type }) => {
      const icon = await fetch(src)
      return icon.ok && icon.headers.get('content-type')!.startsWith(type)
    }))
    return { kind: answer.headers.get('content-type'), name: manifest.name, icons }
  })
  expect(found).toEqual({ kind: 'application/manifest+json', name: 'Collinear', icons: [true, true, true, true] })
})
