/** Studies: read, presented, guessed, written, drawn by mouse and keys, exported as one file that plays offline. */

import { readFileSync, rmSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { faults } from './axe.ts'
import { openPage } from './harness.ts'
import { browser, program } from './stage.ts'

/** Where the pages are photographed, if somebody wants to look at them. */
const pictures = process.env.PICTURES
const TITLE = 'Why two threats win'

async function open(page: Page, address: string) {
  await page.keyboard.press('Escape')
  await page.evaluate((address) => { window.location.hash = address }, address)
}
const example = async (page: Page) => {
  await open(page, 'studies/two-threats')
  await page.getByRole('heading', { name: TITLE }).waitFor()
}
/** The middle of a cell of a study's board; rows and columns count from 0 at the lower left. */
async function cell(page: Page, id: number) {
  const box = (await page.locator(`#study-cell-${id}`).boundingBox())!
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}
const marks = (page: Page, shape: string) => page.locator(`[data-mark=${shape}]`).count()

it('the example is found by Learn, read with the keys and presented', async () => {
  const { page, errors } = await openPage(browser, program.url)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Learn' }).click()
  await page.getByRole('button', { name: 'Studies' }).click()
  await page.getByRole('link', { name: TITLE }).click()
  await page.getByText('Which stone makes').waitFor()
  expect(await marks(page, 'circle')).toBe(3)
  await page.keyboard.press('ArrowRight')
  await page.locator('.text').getByText('straight four').waitFor()
  expect(await marks(page, 'cross')).toBe(2)
  await page.keyboard.press('Home')
  // The other continuations, by arrow keys and by name.
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await page.getByText('The same from the other side').waitFor()
  await page.keyboard.press('Home')
  await page.getByRole('button', { name: 'k8 (mistake)' }).click()
  await page.getByText('a four too, but with a hole').waitFor()
  // Presented: keys lead from chapter to chapter, and the answer waits.
  await page.keyboard.press('Home')
  await page.getByRole('button', { name: 'Present', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: TITLE })
  await dialog.waitFor()
  await page.keyboard.press('h')
  await page.keyboard.press('ArrowRight')
  await dialog.getByText('The answer is hidden.').waitFor()
  expect(await marks(page, 'cross')).toBe(0)
  await page.keyboard.press('h')
  await dialog.locator('.text').getByText('straight four').waitFor()
  for (const _ of [1, 2, 3]) await page.keyboard.press(' ')
  await dialog.getByRole('heading', { name: 'The four-three' }).waitFor()
  await page.keyboard.press('PageDown')
  await dialog.getByRole('heading', { name: 'The double four' }).waitFor()
  expect(await faults(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Present', exact: true }).waitFor()
  expect(errors).toEqual([])
})

it('moves are guessed with the mouse and with the keys', async () => {
  const { page, errors } = await openPage(browser, program.url)
  await example(page)
  await page.getByRole('button', { name: 'Guess the moves' }).click()
  await page.getByText('Black to move: what would you play?').waitFor()
  // k8 is shown as a mistake, a1 is nothing, j8 is right.
  for (const [id, says] of [[7 * 15 + 10, 'shows this as a mistake'], [0, 'Not what the author plays'], [7 * 15 + 9, 'Right!']] as const) {
    const { x, y } = await cell(page, id)
    await page.mouse.click(x, y)
    await page.getByText(says).first().waitFor()
  }
  // The reply is played; the winning stone by keys, from the middle of the board to f8.
  await page.locator('.board svg').focus()
  for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  await page.getByText('Done: 1 of 2 found at the first try.').waitFor()
  // Two stones of a turn, in the other order.
  await page.getByLabel('Chapters').selectOption('3')
  await page.getByRole('button', { name: 'Guess the moves' }).click()
  for (const [id, says] of [[9 * 19 + 10, '1 more of this turn'], [9 * 19 + 9, 'Right!']] as const) {
    const { x, y } = await cell(page, id)
    await page.mouse.click(x, y)
    await page.getByText(says).first().waitFor()
  }
  expect(await faults(page)).toEqual([])
  expect(errors).toEqual([])
})

it('one HTML file plays by itself, from the disk and offline', async () => {
  const { page, errors } = await openPage(browser, program.url)
  await example(page)
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save as one HTML file' }).click()])
  const folder = mkdtempSync(join(tmpdir(), 'collinear-study-'))
  const file = join(folder, 'study.html')
  await download.saveAs(file)
  const text = readFileSync(file, 'utf8')
  console.log(`the exported study: ${text.length} characters`)
  expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//)
  const context = await browser.newContext({ offline: true, viewport: { width: 1280, height: 800 } })
  const alone = await context.newPage()
  const asked: string[] = []
  alone.on('request', (request) => asked.push(request.url()))
  alone.on('pageerror', (error) => errors.push(String(error)))
  alone.on('console', (message) => { if (message.type() === 'error') errors.push(message.text()) })
  await alone.goto(pathToFileURL(file).href)
  await alone.getByRole('heading', { name: TITLE }).waitFor()
  // Every chapter to the end of its main line.
  let steps = 0
  for (let chapter = 1; chapter <= 6; chapter++) {
    await alone.getByText(`${chapter} of 6`).waitFor()
    const forward = alone.getByRole('button', { name: 'Forward' })
    while (await forward.isEnabled()) {
      await alone.keyboard.press('ArrowRight')
      steps += 1
    }
    if (chapter < 6) await alone.keyboard.press('PageDown')
  }
  expect(steps).toBe(3 + 5 + 3 + 6 + 9 + 10)
  await alone.getByText('need').first().waitFor()
  await alone.getByRole('button', { name: 'Present', exact: true }).click()
  await alone.getByRole('dialog', { name: TITLE }).waitFor()
  expect(await faults(alone)).toEqual([])
  if (pictures) await alone.screenshot({ path: `${pictures}/study-offline-presented.png` })
  await alone.keyboard.press('Escape')
  if (pictures) await alone.screenshot({ path: `${pictures}/study-offline.png` })
  expect(asked).toEqual([pathToFileURL(file).href])
  // And it opens in the page again.
  await open(page, 'studies')
  await page.getByLabel('Open a file').setInputFiles(file)
  await page.getByRole('heading', { name: TITLE }).waitFor()
  expect(page.url()).toMatch(/#studies\/\w+$/)
  rmSync(folder, { recursive: true, force: true })
  expect(errors).toEqual([])
})

it('a study is written: moves, words, drawings by mouse and by keys; kept, undone, saved', async () => {
  const { page, errors } = await openPage(browser, program.url)
  await open(page, 'studies')
  await page.getByRole('button', { name: 'New study' }).click()
  await page.getByLabel('Title of the chapter').fill('My chapter')
  const at = async (id: number) => { const { x, y } = await cell(page, id); await page.mouse.click(x, y) }
  await at(112)
  await at(113)
  await page.getByLabel('Words at this position').fill('White is **next** to it.')
  await page.locator('strong', { hasText: 'next' }).waitFor()
  await page.getByLabel('Circle', { exact: true }).check()
  await at(100)
  await page.getByLabel('Red', { exact: true }).check()
  await page.getByLabel('Arrow', { exact: true }).check()
  // Dragged, and with the keys.
  const [from, to] = [await cell(page, 30), await cell(page, 64)]
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(to.x, to.y, { steps: 4 })
  await page.mouse.up()
  expect(await marks(page, 'arrow')).toBe(1)
  await page.locator('.frame svg').focus()
  await page.keyboard.press('Enter')
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowUp', 'Enter']) await page.keyboard.press(key)
  expect(await marks(page, 'arrow')).toBe(2)
  await page.keyboard.press('Control+z')
  expect(await marks(page, 'arrow')).toBe(1)
  // The right button draws whatever the tool.
  const far = await cell(page, 70)
  await page.mouse.click(far.x, far.y, { button: 'right' })
  expect(await marks(page, 'circle')).toBe(2)
  expect(await faults(page)).toEqual([])
  await page.getByRole('button', { name: 'Add a chapter' }).click()
  await page.getByRole('button', { name: 'Move up: 2' }).click()
  await page.getByLabel('Title of the study').fill('Mine')
  await page.getByRole('button', { name: 'Read', exact: true }).click()
  await page.getByRole('heading', { name: 'Mine' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Mine' }).waitFor()
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save as SGF' }).click()])
  const text = readFileSync((await download.path())!, 'utf8')
  expect(text).toContain('GN[My chapter]')
  expect(text).toMatch(/;B\[hh\];W\[ih\]C\[White is \*\*next\*\* to it\.\]CR\[\w\w\]\[\w\w\]AR\[\w\w:\w\w\]XHU\[red:CR:\w\w\]\[red:AR:\w\w:\w\w\]/)
  // The link opens in another browser, which has nothing of it.
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy a link' }).click()
  await page.getByText('The link is copied.').waitFor()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  const other = await openPage(browser, program.url)
  await other.page.goto(`${program.url}${new URL(link).hash}`)
  await other.page.getByRole('heading', { name: 'Mine' }).waitFor()
  await open(page, 'studies')
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('None yet.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('link', { name: 'Mine' }).waitFor()
  expect([...errors, ...other.errors]).toEqual([])
})

it('without barriers on a desk and on a phone, in light and in dark', async () => {
  for (const [name, options] of [
    ['desk', { viewport: { width: 1280, height: 860 }, reducedMotion: 'reduce' }],
    ['phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: 'dark', reducedMotion: 'reduce' }],
  ] as const) {
    const { page, errors } = await openPage(browser, program.url, options)
    const look = async (what: string) => {
      expect(await faults(page), `${name} ${what}`).toEqual([])
      const wide = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(wide, `${name} ${what} scrolls sideways`).toBeLessThanOrEqual(options.viewport.width)
      if (pictures) await page.screenshot({ path: `${pictures}/study-${what}-${name}.png` })
    }
    await open(page, 'studies')
    await page.getByRole('link', { name: TITLE }).waitFor()
    await look('list')
    await example(page)
    await look('read')
    await page.getByLabel('Chapters').selectOption('4')
    await look('odd')
    await page.getByRole('button', { name: 'Present', exact: true }).click()
    await look('presented')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Copy and edit' }).click()
    await page.getByLabel('Words at this position').waitFor()
    await look('edit')
    expect(errors).toEqual([])
  }
})

it('odd and even threats are shown on the board and in words', async () => {
  const { page, errors } = await openPage(browser, `${program.url}#connect4/g1.e1.c1.g2.b1.c2.b2.d1.e2.a1.e3.d2`)
  await page.keyboard.press('Escape')
  await page.getByRole('tab', { name: 'Analysis' }).click()
  await page.getByLabel('Odd and even threats').check()
  await page.locator('[data-part=parity]').getByText('rows 6, 4, 2').or(page.locator('[data-part=parity]').getByText('rows 2, 4, 6')).waitFor()
  if (pictures) await page.screenshot({ path: `${pictures}/parity.png` })
  expect(errors).toEqual([])
})
