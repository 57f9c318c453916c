/** Ideas explained: every idea answers, its steps can be gone through, and its address opens it again. */

import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { faults } from './axe.ts'
import { openPage } from './harness.ts'
import { browser, program } from './stage.ts'

/** Where the pages are photographed, if somebody wants to look at them. */
const pictures = process.env.PICTURES

async function open(page: Page, address: string) {
  await page.keyboard.press('Escape')
  await page.evaluate((address) => { window.location.hash = address }, address)
  await page.getByRole('heading', { name: 'Ideas explained' }).waitFor()
}

it('the window slides over a line and counts as the document does', async () => {
  const { page, errors } = await openPage(browser, program.url)
  await open(page, 'explain/windows')
  await page.getByText('2 threats on the whole line.').waitFor()
  await page.getByText('4 stones: threat number 1.').waitFor()
  const forward = page.getByRole('button', { name: 'Next window' })
  await forward.click()
  await page.getByText('4 stones, but a tile is marked').waitFor()
  await page.keyboard.press('ArrowRight')
  await page.getByText('4 stones: threat number 2.').waitFor()
  expect(await forward.isDisabled()).toBe(true)
  expect(await page.locator('.tile.marked, .tile.new').count()).toBe(2)
  // Every empty tile is marked instead.
  await page.getByLabel('Mark every empty tile').check()
  await page.getByRole('button', { name: 'Explain', exact: true }).click()
  await page.waitForFunction(() => document.querySelectorAll('.tile.new').length === 2)
  for (let step = 0; step < 2; step++) await forward.click()
  expect(await page.locator('.tile.marked, .tile.new').count()).toBe(4)
  // A line of one's own; its address opens it again.
  await page.getByLabel(/^Line/).fill('XX.XX.X.')
  await page.getByRole('button', { name: 'Explain', exact: true }).click()
  await page.getByText(/^\d threats? on the whole line/).waitFor()
  expect(new URL(page.url()).hash).toBe('#explain/windows/XX.XX.X.')
  await page.getByLabel(/^Line/).fill('XX?')
  await page.getByRole('button', { name: 'Explain', exact: true }).click()
  await page.getByRole('alert').filter({ hasText: 'neither X, O nor .' }).waitFor()
  expect(errors).toEqual([])
})

it('every idea has its steps, without barriers, on a desk and on a phone', async () => {
  for (const [name, options] of [
    ['desk', { viewport: { width: 1280, height: 860 }, reducedMotion: 'reduce' }],
    ['phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: 'dark', reducedMotion: 'reduce' }],
  ] as const) {
    const { page, errors } = await openPage(browser, program.url, options)
    for (const [idea, says] of [
      ['windows', '2 threats on the whole line.'],
      ['threats', 'silenced'],
      ['promotions', 'live three: one stone makes a live threat'],
      ['minimax', 'left out'],
      ['steps', 'Step 1 of 6: Minimax'],
      ['proof', 'Black wins in 3 turns'],
    ] as const) {
      await open(page, `explain/${idea}`)
      await page.getByRole('tab', { selected: true }).waitFor()
      await page.locator('main').getByText(says).first().waitFor()
      expect(await faults(page), `${name} ${idea}`).toEqual([])
      const wide = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(wide, `${name} ${idea} scrolls sideways`).toBeLessThanOrEqual(options.viewport.width)
      if (pictures) await page.screenshot({ path: `${pictures}/explain-${idea}-${name}.png`, fullPage: true })
    }
    expect(errors).toEqual([])
  }
})

it('a program is built up step by step', async () => {
  const { page, errors } = await openPage(browser, program.url)
  await open(page, 'explain/steps')
  await page.getByText('Step 1 of 6: Minimax').waitFor()
  const over = async () => (await page.locator('figure .over').allTextContents()).join(' ')
  // Whoever does not stop the three in column d has lost on the second ply.
  expect(await over()).toBe('−M/2 −M/2 −M/2 0 −M/2 −M/2 −M/2')
  expect(await page.locator('figure .over.best').textContent()).toBe('0')
  const plays = page.locator('.plays')
  const looked = async () => Number(/(\d+) moves looked at/.exec((await plays.textContent())!)![1])
  const minimax = await looked()
  const forward = page.getByRole('button', { name: 'Next step' })
  const picture = async (step: number) => {
    if (pictures) await page.screenshot({ path: `${pictures}/explain-step-${step}.png`, fullPage: true })
  }
  await picture(1)
  await forward.click()
  await page.getByText('Step 2 of 6: Alpha-beta').waitFor()
  expect(await plays.textContent()).toContain('Plays d4, value 0')
  expect(await looked()).toBeLessThan(minimax)
  await page.getByText(`${minimax - (await looked())} moves fewer`).waitFor()
  await picture(2)
  await page.keyboard.press('ArrowRight')
  await page.getByText('Step 3 of 6: Iterative deepening').waitFor()
  expect(await page.locator('main tbody tr').count()).toBe(4)
  await picture(3)
  await page.keyboard.press('ArrowRight')
  await page.getByText('Step 4 of 6: Chains').waitFor()
  // The first chain is lit, another one on demand.
  const lit = await page.locator('figure .lit').count()
  expect(lit).toBeGreaterThanOrEqual(4)
  await page.locator('main li button').last().click()
  expect(await page.locator('main li button[aria-pressed=true]').count()).toBe(1)
  await picture(4)
  await page.getByRole('button', { name: 'Next step' }).click()
  await page.getByText('M/2 = 1,073,741,823').waitFor()
  await page.getByText('a1 loses on ply 2').waitFor()
  await picture(5)
  await forward.click()
  await page.getByText('Without f: it is empty, and so is what is beside it (e, g).').waitFor()
  expect((await over()).replaceAll(/[^·]/g, '')).toHaveLength(3)
  expect(await forward.isDisabled()).toBe(true)
  await picture(6)
  // The figure of the document; too far ahead is refused.
  await page.getByRole('button', { name: '7×3' }).click()
  await page.getByText('Step 1 of 6').waitFor()
  for (let step = 1; step < 4; step++) await forward.click()
  await page.getByText('9 − 0 = 9 for').waitFor()
  await page.getByRole('button', { name: 'Connect Four', exact: true }).click()
  await page.getByLabel('Moves ahead').fill('8')
  await page.getByRole('button', { name: 'Explain', exact: true }).click()
  await page.getByRole('alert').filter({ hasText: 'fewer plies' }).waitFor()
  expect(errors).toEqual([])
})

it('a tree shows the best move, and the examples change it', async () => {
  const { page, errors } = await openPage(browser, program.url)
  await open(page, 'explain/minimax/tictactoe/b2.a1')
  await page.getByText('Black to move').waitFor()
  expect(await page.getByLabel('Game', { exact: true }).inputValue()).toBe('tictactoe')
  expect(await page.locator('.node.best').count()).toBeGreaterThan(0)
  await page.getByRole('tab', { name: 'Proof by threats' }).click()
  await page.getByText('Black wins in 3 turns').waitFor()
  await page.getByRole('button', { name: 'Connect6', exact: true }).click()
  await page.getByText(/wins in \d turns/).waitFor()
  await page.getByText('no turn stops all threats').first().waitFor()
  await page.goBack()
  await page.getByText('Black to move').waitFor()
  expect(errors).toEqual([])
})

it('the way to it leads over the puzzles and over the keys', async () => {
  const { page, errors } = await openPage(browser, program.url)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Puzzles' }).click()
  await page.getByRole('link', { name: 'Ideas explained, step by step' }).click()
  await page.getByRole('heading', { name: 'Ideas explained' }).waitFor()
  await page.getByRole('button', { name: 'Board', exact: true }).click()
  await page.keyboard.press('?')
  await page.getByRole('button', { name: 'Ideas explained, step by step' }).click()
  await page.getByRole('heading', { name: 'Ideas explained' }).waitFor()
  expect(errors).toEqual([])
})
