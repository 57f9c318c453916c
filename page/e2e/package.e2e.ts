/** The npm package on somebody else's page: its own example. */

import { join } from 'node:path'
import { expect } from 'vitest'
import { faults } from './axe.ts'
import { itOnSite, serve, site } from './harness.ts'
import { browser } from './stage.ts'

/** Beside the site: `cargo xtask site` makes both. */
const folder = () => join(site!, '..', 'npm', 'collinear')

itOnSite('the example shows, steps and plays, and promises are kept', async () => {
  const { url, server } = await serve(folder())
  const page = await (await browser.newContext()).newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(String(error)))
  await page.goto(`${url}example.html`)
  await page.getByText(/White answers \w+ \(\d+ %, depth \d+\)/).waitFor()
  const [game, record] = [page.locator('collinear-board').nth(0), page.locator('collinear-board').nth(1)]
  await record.getByText('Black wins').waitFor({ timeout: 100 }).catch(() => undefined)
  const stones = (board: typeof game) => board.evaluate((element) => (element as unknown as { board: { moves: string[] } }).board.moves)
  expect(await stones(record)).toEqual(['h8', 'i9', 'j8', 'i8', 'h10', 'i10', 'i7'])
  await record.getByRole('button', { name: 'Back' }).click()
  await page.waitForFunction(() => (document.querySelectorAll('collinear-board')[1] as unknown as { board: { moves: string[] } }).board.moves.length === 6)
  // Yellow into the middle, too; the perfect player answers.
  const { width, height } = (await game.locator('svg').boundingBox())!
  await game.locator('svg').click({ position: { x: width * 0.54, y: height * 0.5 } })
  await page.waitForFunction(() => (document.querySelector('collinear-board') as unknown as { board: { moves: string[] } }).board.moves.length === 3)
  expect(await stones(game)).toEqual(['d1', 'd2', 'd3'])
  const said = await page.evaluate(async (from) => {
    const { Agent, Board, solve, threats } = await (0, eval)('(from) => import(from)')(from) as typeof import('../src/package/index.ts')
    const columns = await solve(await Board.create('connect4', 'd1'))
    const { white } = await threats(await Board.create('gomoku', 'h8 a1 h9 a2 h10 a3 o15 a4'))
    const illegal = await Board.create('gomoku', 'h8 h8').then(() => '', (error: Error) => error.message)
    const stopped = new AbortController()
    setTimeout(() => stopped.abort(), 100)
    const late = await new Agent('sextant').choose(await Board.create('connect6', 'j10'), { timeMs: 60_000, signal: stopped.signal }).then(() => '', (error: Error) => error.name)
    const after = await new Agent('random').choose(await Board.create('gomoku'))
    const agents = (await Agent.all('connect4')).map(({ name }) => name)
    return { columns, exact: white.exact, illegal, late, after: after.turn.length, agents }
  }, `${url}dist/index.js`)
  expect(said.columns).toHaveLength(7)
  expect(said.columns).toContainEqual({ type: 'score', score: -1, stones: 40 })
  expect(said).toMatchObject({ exact: 1, late: 'AbortError', after: 1 })
  expect(said.illegal).toContain('h8')
  expect(said.agents).toContain('perfect')
  expect(await faults(page)).toEqual([])
  expect(errors).toEqual([])
  server.closeAllConnections()
  server.close()
})
