/** Records, links, analysis, books, and coming back after a power cut. */

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { binary, clickCell, itOnServer, newGame, openPage, Program, waitExactly, waitStones } from './harness.ts'
import { browser, program } from './stage.ts'

const SGF = '(;FF[4]GM[511]PB[Ada]PW[Bob <script>alert(1)</script>];B[JJ];W[KI]C[<img src=x onerror="document.title=1">];W[LJ];B[II];B[HH];W[GG];W[MK])'

it('imports a record, shows it as text, analyses it and exports it again', async () => {
  const { page, errors } = await openPage(browser, program.url)
  await page.keyboard.press('Escape')
  await page.getByRole('tab', { name: 'Share & export' }).click()
  await page.locator('input[type=file]').setInputFiles({ name: 'game.sgf', mimeType: 'text/plain', buffer: Buffer.from(SGF) })
  await waitStones(page, 7)
  await page.locator('dd', { hasText: 'Bob <script>alert(1)</script>' }).waitFor()
  await page.getByRole('tab', { name: 'Moves' }).click()
  await page.locator('.comment', { hasText: '<img src=x' }).waitFor()
  expect(await page.locator('.comment img').count()).toBe(0)
  expect(await page.title()).toMatch(/Connect6 · Collinear$/)

  await page.getByRole('tab', { name: 'Analysis' }).click()
  await page.getByRole('button', { name: 'Analyse this position' }).click()
  await page.locator('.line .worth').first().waitFor({ timeout: 30_000 })
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await page.getByLabel('Depth').selectOption('Quick')
  await page.getByRole('button', { name: 'Review game' }).click()
  // The start and four turns.
  await page.waitForFunction(() => document.querySelectorAll('section svg circle[data-node]').length === 5)
  await page.locator('[data-part=review]').waitFor()
  const graph = page.locator('svg[role=img]')
  const box = (await graph.boundingBox())!
  await page.mouse.click(box.x + 1, box.y + box.height / 2)
  await waitExactly(page, 0)
  await page.getByLabel('Threats', { exact: true }).check()
  await page.locator('[data-part=threats]').first().waitFor()

  // Back to the end, another try there, and out again.
  await page.getByRole('tab', { name: 'Moves' }).click()
  await page.getByRole('button', { name: 'To the end' }).click()
  await waitStones(page, 7)
  await page.getByRole('button', { name: 'Previous turn' }).click()
  // A turn is one thing: both of its stones go.
  await waitExactly(page, 5)
  await clickCell(page, 0)
  await page.locator('.variation').waitFor()
  await page.getByRole('tab', { name: 'Share & export' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save', exact: true }).click(),
  ])
  const text = readFileSync((await download.path())!, 'utf8')
  expect(text).toContain('Ada')
  expect(text).toContain('onerror')
  for (const kind of ['PNG', 'SVG']) {
    const [picture] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: kind, exact: true }).click(),
    ])
    const bytes = readFileSync((await picture.path())!)
    expect(kind === 'PNG' ? bytes.subarray(1, 4).toString() : bytes.subarray(0, 4).toString()).toBe(kind === 'PNG' ? 'PNG' : '<svg')
  }
  // The exported record opens as the same tree.
  await page.getByLabel('Paste a game').fill(text)
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await waitStones(page, 7)
  await page.getByRole('tab', { name: 'Moves' }).click()
  // The own try, and what the review found better: the record carries both.
  await page.locator('.variation', { hasText: 'a1' }).waitFor()
  expect(await page.locator('.variation').count()).toBeGreaterThan(1)
  expect(errors).toEqual([])
})

it('refuses what is not a record, in words', async () => {
  const { page } = await openPage(browser, program.url)
  await page.keyboard.press('Escape')
  await page.getByRole('tab', { name: 'Share & export' }).click()
  const file = page.locator('input[type=file]')
  await file.setInputFiles({ name: 'x.bin', mimeType: 'application/octet-stream', buffer: Buffer.from([0, 1, 2, 255]) })
  await page.locator('.notice').waitFor()
  await file.setInputFiles({ name: 'big.sgf', mimeType: 'text/plain', buffer: Buffer.alloc(2_000_000, 97) })
  await page.locator('.notice', { hasText: 'larger than 1 MB' }).waitFor()
  await page.evaluate(() => { window.location.hash = 'chess/e4' })
  await page.locator('.notice', { hasText: 'names no game' }).waitFor()
})

it('shares a position by its address', async () => {
  const { page } = await openPage(browser, program.url)
  await newGame(page, 'Gomoku')
  for (const cell of [112, 113, 97]) await clickCell(page, cell)
  await waitStones(page, 3)
  await page.waitForFunction(() => window.location.hash === '#gomoku/h8.i8.h7')
  const { hash } = new URL(page.url())
  const other = await openPage(browser, `${program.url}${hash}`)
  await waitStones(other.page, 3)
  expect(new URL(other.page.url()).hash).toBe(hash)
})

itOnServer('a game is back after the program was killed', async () => {
  const data = mkdtempSync(join(tmpdir(), 'collinear-kill-'))
  const first = await Program.start(data)
  const { page } = await openPage(browser, first.url)
  await newGame(page, 'Connect6')
  for (const cell of [180, 200, 201]) await clickCell(page, cell)
  await waitStones(page, 3)
  await page.waitForFunction(() => window.location.hash.split('.').length === 3)
  const link = new URL(page.url()).hash
  await first.kill()
  await page.getByRole('alert').filter({ hasText: 'Your game is saved' }).waitFor()
  const second = await Program.start(data)
  const back = await openPage(browser, second.url)
  await back.page.getByRole('button', { name: 'My games' }).click()
  await back.page.locator('dialog[open]').getByRole('button', { name: 'Open', exact: true }).first().click()
  await waitStones(back.page, 3)
  expect(new URL(back.page.url()).hash).toBe(link)
  await back.page.context().close()
  await second.stop()
  rmSync(data, { recursive: true, force: true })
})

itOnServer('the book of the data folder tells what was played, and its turns can be played', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'collinear-book-'))
  mkdirSync(join(folder, 'books'))
  const games = [['h8 i9', 'black'], ['h8 i9', 'white'], ['h8 i8', 'black']]
  const line = ([moves, result]: string[]) => JSON.stringify({ collinear: 2, rules: 'gomoku', moves, result: `${result}+resign` })
  const records = join(folder, 'games.jsonl')
  writeFileSync(records, games.map(line).join('\n'))
  const book = join(folder, 'books', 'gomoku.book')
  execFileSync(binary, ['book', 'build', records, '--game', 'gomoku', '--out', book], { stdio: 'ignore' })
  writeFileSync(join(folder, 'books', 'broken.book'), 'no book')
  const reader = await Program.start(folder)
  const { page, errors } = await openPage(browser, `${reader.url}#gomoku/h8`)
  await page.getByRole('tab', { name: 'Analysis' }).click()
  await page.getByLabel('Opening book').check()
  await page.locator('[data-part=book] li').first().waitFor()
  // Turns that are mirror images are one: g7 stands for i9 too.
  const told = await page.locator('[data-part=book] li').allTextContents()
  expect(told.map((text) => text.replaceAll(/\s+/g, ' ').trim())).toEqual(['g7 2 games, 50 %', 'g8 1 game, 0 %'])
  await page.locator('[data-part=book] button').first().click()
  await waitStones(page, 2)
  await page.getByText('No game in the book reached this position.').waitFor()
  expect(errors).toEqual([])
  await page.context().close()
  await reader.stop()
  rmSync(folder, { recursive: true, force: true })
})
