/** The first visit: games by picture, rules in pictures that are played, the tutorial, help, on phones and by keys. */

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { openPage, Program } from './harness.ts'
import { PICTURES, cellOf, cellsOf, type Picture } from '../src/lib/lessons.ts'
import { browser, program } from './stage.ts'

async function clickPicture(page: Page, name: string, cell: number): Promise<void> {
  const box = (await page.locator(`#${name}-${cell}`).boundingBox())!
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
}

/** Plays a picture rightly; cells that may lie anywhere are the first free ones. */
async function solve(page: Page, name: string, picture: Picture): Promise<void> {
  const taken = new Set([...cellsOf(picture, picture.black), ...cellsOf(picture, picture.white)])
  for (const step of picture.steps) {
    for (const cell of step.right[0]!.split(' ')) {
      const at = cell === '*' ? Array.from({ length: picture.width }, (_, at) => at).find((at) => !taken.has(at))! : cellOf(picture, cell)
      taken.add(at)
      await page.locator(`[data-picture=${name}]`).scrollIntoViewIfNeeded()
      await clickPicture(page, name, at)
    }
  }
}

async function look(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`) })
}

it('a first visit leads to the rules and the tutorial, and back to the game', async () => {
  const fresh = await Program.start()
  const { page, errors } = await openPage(browser, fresh.url)
  await page.getByRole('button', { name: 'Connect Four: the rules in six pictures' }).click()
  await page.getByRole('heading', { name: 'The rules of Connect Four in six pictures' }).waitFor()
  await look(page, 'rules-connect4')
  await page.getByRole('button', { name: 'Play Connect Four' }).click()
  await page.locator('dialog[open]').getByRole('radio', { name: 'Connect Four', checked: true }).waitFor()
  expect(errors).toEqual([])
  await page.context().close()
  await fresh.stop()
})

it('every picture is played, and a wrong cell is refused', async () => {
  const { page, errors } = await openPage(browser, program.url)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Learn' }).click()
  await page.getByRole('heading', { name: 'Learn' }).waitFor()
  await look(page, 'learn')
  for (const [topic, game] of [['connect4', 'Connect Four'], ['gomoku', 'Gomoku'], ['renju', 'Renju'], ['connect6', 'Connect6']] as const) {
    await page.getByRole('button', { name: `The rules of ${game} in six pictures` }).click()
    const pictures = PICTURES[topic]
    // The second picture asks for a row: a corner is not it.
    if (topic === 'gomoku') {
      await clickPicture(page, `${topic}1`, 0)
      await page.locator('.said.wrong').waitFor()
    }
    for (const [at, picture] of pictures.entries()) await solve(page, `${topic}${at}`, picture)
    expect(await page.locator('.said.right').count(), topic).toBe(6)
    await page.getByRole('button', { name: 'Learn' }).first().click()
  }
  expect(errors).toEqual([])
})

it('the tutorial is gone through on a phone', async () => {
  const { page, errors } = await openPage(browser, program.url, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Help' }).tap()
  await look(page, 'help-phone')
  await page.locator('dialog[open]').getByRole('button', { name: 'Tutorial' }).tap()
  for (const [at, picture] of PICTURES.tutorial.entries()) {
    await page.getByText(`Step ${at + 1} of 8`).waitFor()
    await solve(page, `tutorial${at}`, picture)
    await page.locator('.said.right').waitFor()
    if (at === 5) await look(page, 'tutorial-phone')
    if (at < 7) await page.getByRole('button', { name: 'Next' }).tap()
  }
  await page.getByRole('button', { name: 'Play Gomoku' }).waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
  expect(errors).toEqual([])
})

it('help says what can be done on the screen that is shown', async () => {
  const { page } = await openPage(browser, `${program.url}#renju/h8`)
  await page.keyboard.press('?')
  const dialog = page.locator('dialog[open]')
  await dialog.getByText('Click a crossing').waitFor()
  await dialog.getByRole('button', { name: 'Renju: the rules in six pictures' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Puzzles' }).click()
  await page.getByRole('button', { name: 'Help' }).click()
  await dialog.getByText('Choose any puzzle').waitFor()
})
