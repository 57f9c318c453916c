/** Everything of a person as one file: from one place, and into another. */

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { clickCell, newGame, openPage, Program, waitStones } from './harness.ts'
import { browser, program } from './stage.ts'

it('games and settings go into a file and come back elsewhere', async () => {
  const { page, errors } = await openPage(browser, program.url)
  await newGame(page, 'Gomoku')
  await clickCell(page, 112)
  await waitStones(page, 1)
  await newGame(page, 'Connect Four')
  await clickCell(page, 38)
  await waitStones(page, 1)
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByLabel('Board and stones').selectOption('slate')
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save everything as a file' }).click()
  const file = await (await saved).path()
  expect(readFileSync(file, 'utf8')).toMatch(/^\{"collinear-backup":1,/)
  expect(errors).toEqual([])

  const elsewhere = await Program.start()
  const other = await openPage(browser, elsewhere.url)
  await other.page.keyboard.press('Escape')
  await other.page.getByRole('button', { name: 'Settings' }).click()
  const restore = () => other.page.getByLabel('Bring everything back from a file').setInputFiles({
    name: 'collinear-backup.json', mimeType: 'application/json', buffer: readFileSync(file),
  })
  await restore()
  await other.page.getByRole('alert').filter({ hasText: '2 games brought back.' }).waitFor()
  expect(await other.page.evaluate(() => document.documentElement.dataset.board)).toBe('slate')
  await restore()
  await other.page.getByRole('alert').filter({ hasText: 'No game was missing.' }).waitFor()
  await other.page.keyboard.press('Escape')
  await other.page.getByRole('button', { name: 'My games' }).click()
  await other.page.locator('dialog[open] li', { hasText: 'Gomoku' }).getByRole('button', { name: 'Open' }).click()
  await waitStones(other.page, 1)
  await other.page.waitForFunction(() => window.location.hash === '#gomoku/h8')
  await other.page.getByRole('button', { name: 'Settings' }).click()
  await other.page.getByLabel('Bring everything back from a file').setInputFiles({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from('{}') })
  await other.page.getByRole('alert').filter({ hasText: 'not a backup' }).waitFor()
  expect(other.errors).toEqual([])
  await elsewhere.stop()
})
