/** The arena: runs while they go on, their games, and the reports of experiments. */

import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { choose, clickCell, itOnServer, kill, openPage, run, waitExactly, waitStones } from './harness.ts'
import { browser, collinear, program, results } from './stage.ts'

async function openArena(): Promise<{ page: Page; errors: string[] }> {
  const opened = await openPage(browser, program.url)
  await opened.page.keyboard.press('Escape')
  await opened.page.getByRole('button', { name: 'Arena' }).click()
  await opened.page.getByRole('heading', { name: 'Arena' }).waitFor()
  return opened
}

itOnServer('a match has standings, a crosstable and games that can be replayed', async () => {
  collinear('match', 'random', 'windows', '--game', 'tictactoe', '-n', '6', '--seed', '4', '--quiet')
  const games = collinear('export', '--format', 'moves').trim().split('\n').filter((line) => !line.startsWith('#'))
  expect(games.length).toBe(6)
  const { page, errors } = await openArena()
  await page.locator('tr', { hasText: 'random, windows' }).getByRole('link').click()
  await page.getByRole('heading', { name: 'Standings' }).waitFor()
  await page.getByText('6 games').first().waitFor()
  expect(await page.locator('table.cross tbody tr').count()).toBe(2)
  // The latest game stands first; the last row is game 1.
  const first = page.locator('.games tr').last()
  expect(await first.locator('td').first().textContent()).toBe('1')
  const runs = new URL(page.url()).hash
  await first.getByRole('link', { name: 'Replay 1' }).click()
  const moves = games[0]!.trim().split(/\s+/)
  await waitExactly(page, moves.length)
  // Run, replay and arena have addresses: Back and Forward lead through them, and a replay back to its run.
  const replay = `${runs}/game/1`
  await page.waitForFunction((hash) => window.location.hash === hash, replay)
  await page.goBack()
  await page.getByRole('heading', { name: 'Standings' }).waitFor()
  expect(new URL(page.url()).hash).toBe(runs)
  await page.goForward()
  await waitExactly(page, moves.length)
  await page.getByRole('button', { name: 'Back to the run' }).click()
  await page.getByRole('heading', { name: 'Standings' }).waitFor()
  await page.getByRole('button', { name: 'Back to arena' }).click()
  await page.getByRole('heading', { name: 'Arena' }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: 'Standings' }).waitFor()
  // The address of a replay opens it anew; what is played there is the reader's own game.
  const other = await openPage(browser, program.url + replay)
  await waitExactly(other.page, moves.length)
  await other.page.keyboard.press('[')
  await waitExactly(other.page, moves.length - 1)
  expect(new URL(other.page.url()).hash).toBe(replay)
  const free = await other.page.locator('[role=gridcell][aria-label$=empty]').first().getAttribute('id')
  await clickCell(other.page, Number(free!.slice('cell-'.length)))
  await other.page.waitForFunction(() => window.location.hash.startsWith('#tictactoe/'))
  expect([...errors, ...other.errors]).toEqual([])
})

itOnServer('a match is started from the page and watched live', async () => {
  const { page, errors } = await openArena()
  await page.getByRole('button', { name: 'New match' }).click()
  const dialog = page.locator('dialog[open]')
  await dialog.getByLabel(/^Game\b/).selectOption('tictactoe')
  await choose(page, 'Player 1', 'agent random')
  await choose(page, 'Player 2', 'agent windows')
  await dialog.getByLabel('Games', { exact: true }).fill('4')
  await dialog.getByLabel('Random stones at the start').fill('1')
  await dialog.getByRole('button', { name: 'Start the match' }).click()
  await page.waitForFunction(() => window.location.hash.startsWith('#arena/run/'))
  await page.getByRole('heading', { name: 'Standings' }).waitFor()
  await page.waitForFunction(() => document.querySelectorAll('.games tr').length === 4)
  await page.locator('.games tr').first().getByRole('link', { name: /Replay/ }).click()
  await waitStones(page, 5)
  expect(errors).toEqual([])
})

itOnServer('a run that goes on shows how far it is, and grows before the eyes', async () => {
  // One game at a time with some thought: more than any machine plays during the test, and not for ever.
  const going = run(
    'match', 'montecarlo', 'montecarlo', '--time', '20ms', '--game', 'tictactoe', '-n', '3000', '-j', '1', '--quiet', '--db', results(),
  )
  try {
    const { page, errors } = await openArena()
    const row = page.locator('tr', { hasText: 'of 3000 games' })
    await row.locator('progress').waitFor()
    await row.getByRole('link').click()
    const counted = async () => Number(/(\d+) of 3000 games/.exec((await page.locator('main').textContent())!)?.[1] ?? 0)
    await page.getByText('of 3000 games').waitFor()
    await page.getByText('New games appear as they finish.').waitFor()
    const before = await counted()
    await page.waitForFunction((before) => {
      const found = /(\d+) of 3000 games/.exec(document.querySelector('main')!.textContent!)
      return found !== null && Number(found[1]) > before
    }, before)
    expect(errors).toEqual([])
  } finally {
    await kill(going)
  }
})

itOnServer('an experiment shows its pictures and its whole report', async () => {
  collinear('experiment', 'run', 'first-move-random', '--games', '2', '--quiet')
  const { page, errors } = await openArena()
  await page.getByRole('button', { name: 'What is the first move worth' }).click()
  await page.getByText('How much does whoever moves first score').waitFor()
  await page.waitForFunction(() => [...document.querySelectorAll<HTMLImageElement>('figure img')]
    .some((picture) => picture.complete && picture.naturalWidth > 100))
  await page.locator('figcaption', { hasText: 'Score of the player who moves first' }).waitFor()
  const [report] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: 'report.html' }).click(),
  ])
  await report.getByRole('heading', { name: 'What is the first move worth' }).first().waitFor()
  expect(errors).toEqual([])
})
