/**
 * `npm run speed`: how fast the site's modules are beside the program, when the first stone lies after a cold load, what
 * memory it takes, and how its strongest level does against the native `sequences`. Prints figures, judges nothing.
 *
 *     cargo xtask site && cargo build --release -p collinear-browser --example ask && cd page && npm run speed
 *     npm run speed -- -t modules
 *
 * Times are those of the one thread that works, as the kernel counts them, so that others on the machine disturb them
 * little; the program and the browser take turns, and the best of several runs counts.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { clickCell, launch, newGame, openPage, Program, run, site, waitStones } from './harness.ts'
import { openSearcher, type Answer } from './searcher.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const ASK = process.env.ASK ?? join(process.env.CARGO_TARGET_DIR ?? join(root, 'target'), 'release', 'examples', 'ask')
const RUNS = Number(process.env.RUNS ?? 5)
const GAMES = Number(process.env.GAMES ?? 20)
const TURN_MS = Number(process.env.TURN_MS ?? 2000)

/** White's first stones beside Black's in the middle; each opening is played with both colours. */
const OPENINGS = ['k11 i9', 'j11 k10', 'i11 j12', 'k9 l10', 'h10 i10', 'j9 j8', 'k12 l11', 'i8 h11', 'l10 h10', 'k10 j12']
const CONNECT6 = { game: 'connect6', moves: 'j10 j9 i10 k8 k9 i11 k7' }
const GOMOKU = { game: 'gomoku', moves: 'h8 i9 h10 h9 g9' }
/** What is timed, by fixed numbers of nodes, so that both sides do the same. */
const WORK: Record<string, object> = {
  'Connect6, network search': { type: 'analyse', agent: 'sextant', nodes: 4000, ...CONNECT6 },
  'Gomoku, guided search': { type: 'analyse', agent: 'sextant', nodes: 20_000, ...GOMOKU },
  'Connect6, alpha-beta': { type: 'analyse', agent: 'alicante', nodes: 50_000, ...CONNECT6 },
  'Connect Four, alpha-beta': { type: 'analyse', agent: 'sextant', nodes: 400_000, game: 'connect4', moves: 'd1 d2' },
  'Connect Four, solver': { type: 'solve', game: 'connect4', moves: 'd1 d2 d3 c1 e1 c2 b1 e2' },
}

/** How long V8 may take to compile what was called often. */
const SETTLE_MS = 1500

/** The same kind of work, little of it and elsewhere. */
const warmUp = (question: object) => ({ ...question, moves: 'd1 d2 d3 d4 d5 d6 a1 a2', nodes: 2000 })

const middle = (numbers: number[]) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!
const tell = (line: string) => process.stdout.write(`${line}\n`)

let program: Program
let browser: Browser
beforeAll(async () => {
  if (!site) throw new Error('SITE is missing: SITE=../target/site npm run speed')
  program = await Program.start()
  browser = await launch()
})
afterAll(async () => {
  await browser?.close()
  await program?.stop()
})

/** The program as a searcher: asks, and tells what it answers and the milliseconds of its thread. */
function openNative() {
  const child = run(ASK)
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
  const ask = async (question: object): Promise<{ said: Answer[]; ms: number }> => {
    child.stdin!.write(`${JSON.stringify({ type: 'question', question })}\n`)
    const said: Answer[] = []
    for (;;) {
      const answer = JSON.parse((await lines.next()).value as string) as Answer
      if (answer.type === 'spent') return { said, ms: answer.ms as number }
      said.push(answer)
    }
  }
  return { ask, close: () => child.kill() }
}

/** Processes of the browser of this test that draw pages. */
function renderers(): number[] {
  const stats = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap((name) => {
    try {
      const [, parent] = /\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8'))!
      return [{ pid: Number(name), parent: Number(parent), words: readFileSync(`/proc/${name}/cmdline`, 'utf8') }]
    } catch {
      return []
    }
  })
  const parents = new Map(stats.map(({ pid, parent }) => [pid, parent]))
  const isOurs = (pid: number | undefined): boolean => pid !== undefined && (pid === process.pid || isOurs(parents.get(pid)))
  return stats.filter(({ pid, words }) => words.includes('--type=renderer') && isOurs(pid)).map(({ pid }) => pid)
}

/** Milliseconds that workers of pages have had a processor. */
function spentByWorkers(): number {
  return renderers().flatMap((pid) => readdirSync(`/proc/${pid}/task`).map((task) => `/proc/${pid}/task/${task}`))
    .filter((task) => readFileSync(`${task}/comm`, 'utf8').startsWith('DedicatedWorker'))
    .reduce((sum, task) => sum + Number(readFileSync(`${task}/schedstat`, 'utf8').split(' ')[0]) / 1e6, 0)
}

it('modules', async () => {
  const contexts = await Promise.all(['relaxed.wasm', 'simd.wasm'].map(async (module) => ({ module, context: await browser.newContext() })))
  const best = new Map<string, Map<string, number>>()
  for (const [name, question] of Object.entries(WORK)) {
    const times = new Map<string, number>()
    best.set(name, times)
    const least = (who: string, ms: number) => times.set(who, Math.min(ms, times.get(who) ?? Infinity))
    // Fresh on both sides: tables begin empty.
    for (let n = 0; n < RUNS; n++) {
      const native = openNative()
      await native.ask(warmUp(question))
      const { said, ms } = await native.ask(question)
      native.close()
      least('native', ms)
      for (const { module, context } of contexts) {
        const page = await context.newPage()
        const ask = await openSearcher(page, program.url, module)
        // V8's better compiler takes its time beside the worker: it is done before anything counts.
        await ask({ type: 'question', question: warmUp(question) })
        await page.waitForTimeout(SETTLE_MS)
        const before = spentByWorkers()
        const heard = await ask({ type: 'question', question })
        least(module, spentByWorkers() - before)
        expect(heard.at(-1), `${name}, ${module}`).toEqual(said.at(-1))
        await page.close()
      }
    }
    const native = times.get('native')!
    tell(`${name}: native ${native.toFixed(0)} ms, ` + contexts.map(({ module }) => `${module} ${(times.get(module)! / native).toFixed(2)}×`).join(', '))
  }
}, 3_600_000)

it('first stone', async () => {
  const times: number[] = []
  for (let n = 0; n < RUNS; n++) {
    const { page } = await openPage(browser, `${program.url}#gomoku/h8`, {}, (page) => page.addInitScript(() => {
      const look = () => {
        if (document.querySelector('.stone[data-cell]:not(.waiting)')) Object.assign(window, { first: performance.now() })
        else requestAnimationFrame(look)
      }
      look()
    }))
    await waitStones(page, 1)
    await page.waitForFunction(() => 'first' in window)
    times.push(await page.evaluate(() => (window as unknown as { first: number }).first))
    await page.context().close()
  }
  tell(`first stone of a link after a cold load: ${middle(times).toFixed(0)} ms at the median of ${RUNS}, ${Math.min(...times).toFixed(0)} to ${Math.max(...times).toFixed(0)} ms`)
}, 300_000)

it('memory', async () => {
  const megabytes = () => renderers().reduce((sum, pid) => sum + Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024, 0)
  const empty = await browser.newContext()
  await (await empty.newPage()).goto('about:blank')
  const before = megabytes()
  await empty.close()
  const { page } = await openPage(browser, `${program.url}#gomoku/h8`)
  await waitStones(page, 1)
  const told = [`an empty page ${before.toFixed(0)} MB`, `the first stone ${megabytes().toFixed(0)} MB`]
  for (const [game, cell, stones, level] of [['Gomoku', 112, 2, 'level sextant:level=10'], ['Connect6', 180, 3, 'level sextant:level=10'], ['Connect Four', 38, 2, 'level perfect']] as const) {
    await newGame(page, game, { white: level })
    await clickCell(page, cell)
    await waitStones(page, stones)
    told.push(`after a turn of the strongest level in ${game} ${megabytes().toFixed(0)} MB`)
  }
  tell(`memory: ${told.join(', ')}`)
  await page.context().close()
}, 300_000)

it('match', async () => {
  const native = openNative()
  const page = await (await browser.newContext()).newPage()
  const ask = await openSearcher(page, program.url, 'relaxed.wasm')
  const board = async (moves: string[]) => (await native.ask({ type: 'board', game: 'connect6', moves: moves.join(' ') })).said[0]!.answer as { over: boolean; winner: string | null; toMove: string }
  const turn = (answer: unknown) => (answer as { turn: string[] }).turn
  let won = 0
  for (let game = 0; game < GAMES; game++) {
    const ours = game % 2 ? 'white' : 'black'
    const moves = ['j10', ...OPENINGS[(game >> 1) % OPENINGS.length]!.split(' ')]
    for (;;) {
      const { over, winner, toMove } = await board(moves)
      if (over) {
        won += Number(winner === ours)
        tell(`game ${game + 1}: level 10 in the browser is ${ours}, ${winner ?? 'nobody'} wins after ${moves.length} stones`)
        break
      }
      const at = { game: 'connect6', moves: moves.join(' ') }
      const answer = toMove === ours
        ? (await ask({ type: 'question', question: { type: 'analyse', agent: 'sextant:level=10', timeMs: TURN_MS, ...at } })).at(-1)!
        : (await native.ask({ type: 'analyse', agent: 'sequences', timeMs: TURN_MS, seed: game, ...at })).said.at(-1)!
      moves.push(...turn(answer.answer))
    }
  }
  native.close()
  tell(`level 10 in the browser against the native sequences, ${TURN_MS / 1000} s per turn: ${won} of ${GAMES} won`)
}, 3_600_000)
