/**
 * Collinear for other people's pages: positions of k-in-a-row games, players, proofs and threats. The engine works in a
 * worker, and every answer is a promise.
 *
 *     import { Board, Agent } from 'collinear'
 *     const board = await Board.create('gomoku', 'h8 i9')
 *     const { turn } = await new Agent('sextant:level=5').choose(board)
 */

import { Parts } from '../browser/parts.ts'
import { searcher } from '../browser/variants.ts'

/** What an answer may cost; one second where nothing is said. */
export interface Limits {
  timeMs?: number
  /** Positions that are searched: the same answer on every machine. */
  nodes?: number
  /** The deepest search, in stones. */
  depth?: number
  /** How many best lines to tell. */
  lines?: number
  /** For everything random. */
  seed?: number
  /** Ends the search; its promise is rejected. */
  signal?: AbortSignal
  /** Hears how far the search is. */
  onProgress?: (analysis: Analysis) => void
}

/** What a line is worth to the side to move: a chance between 0 and 1, or what is proved. */
export type Value = { chance: number } | { 'wins-in': number } | { 'loses-in': number } | 'draw'

export interface Analysis {
  /** The stones of the best turn: `['k11', 'i9']`. */
  turn: string[]
  depth: number
  nodes: number
  lines: { moves: string[]; chance: number; value: Value }[]
  note: string | null
}

/** What a stone in a column is worth: 0 a draw, n > 0 a win with n own stones left to place, −n a loss the same way. */
export type ColumnScore = { type: 'full' } | { type: 'unknown' } | { type: 'score'; score: number; stones: number }

/** A proved win of the side to move; none was found where `wins` is false. */
export interface Proof {
  wins: boolean
  turn: string[]
  turns: number | null
}

/** What one side threatens. */
export interface ThreatSide {
  /** The least number of stones that stop everything. */
  exact: number
  atLeast: boolean
  unstoppable: boolean
  winsNow: boolean
  windows: { from: number; to: number; empty: number[] }[]
  /** Sets of cells that stop everything. */
  defences: number[][]
}

export interface GameRecord {
  game: string
  moves: string[]
  players: [string | null, string | null]
  ending: string | null
}

export type Colour = 'black' | 'white'

interface BoardData {
  game: string
  width: number
  height: number
  k: number
  p: number
  q: number
  gravity: boolean
  stones: { cell: number; name: string; colour: Colour }[]
  toMove: Colour
  stonesLeft: number
  legal: string[]
  over: boolean
  winner: Colour | null
  rows: number[][]
}

type At = { game: string; moves: string }
type Question =
  | ({ type: 'board' | 'solve' | 'threats' } & At)
  | ({ type: 'analyse'; agent?: string } & At & Omit<Limits, 'signal' | 'onProgress'>)
  | { type: 'record'; text: string }
  | { type: 'agents'; game: string }
type Said =
  | { type: 'needs'; parts: string[] }
  | { type: 'progress'; progress: Analysis }
  | { type: 'answer'; answer: unknown }
  | { type: 'refused'; why: string }
  | { type: 'gone'; words: string }
  | { type: 'log'; text: string }

const base = new URL(/* @vite-ignore */ './', import.meta.url)
const parts = new Parts(base)

/** A worker of this page, also where the package comes from elsewhere. */
function openWorker(): Worker {
  const address = new URL('search.js', base)
  if (address.origin === window.location.origin) return new Worker(address, { type: 'module' })
  const script = new Blob([`import ${JSON.stringify(address.href)}`], { type: 'text/javascript' })
  return new Worker(URL.createObjectURL(script), { type: 'module' })
}

/** One worker, which answers one question after the other. */
class Asker {
  #compiled: Promise<WebAssembly.Module> | undefined
  #worker: Worker | undefined
  #has = new Set<string>()
  #last: Promise<unknown> = Promise.resolve()

  ask<T>(question: Question, { signal, onProgress }: Pick<Limits, 'signal' | 'onProgress'> = {}): Promise<T> {
    const answered = this.#last.then(() => this.#ask<T>(question, signal, onProgress))
    this.#last = answered.catch(() => undefined)
    return answered
  }

  async #ask<T>(question: Question, signal?: AbortSignal, onProgress?: (analysis: Analysis) => void): Promise<T> {
    signal?.throwIfAborted()
    const { parts: names } = await this.#once<{ parts: string[] }>({ type: 'needs', question }, [], signal)
    const wanted = names.filter((name) => !this.#has.has(name))
    const lent = await Promise.all(wanted.map(async (name) => ({ name, bytes: await parts.get(name) })))
    const { answer } = await this.#once<{ answer: T }>({ type: 'question', question }, lent, signal, onProgress)
    wanted.forEach((name) => this.#has.add(name))
    return answer
  }

  async #once<T>(question: object, lent: object[], signal?: AbortSignal, onProgress?: (analysis: Analysis) => void): Promise<T> {
    this.#compiled ??= searcher(parts).then(({ compiled }) => compiled)
    const compiled = await this.#compiled.catch((error) => {
      this.#compiled = undefined
      throw error
    })
    if (!this.#worker) {
      this.#worker = openWorker()
      this.#worker.postMessage({ compiled })
    }
    const worker = this.#worker
    return new Promise<T>((resolve, reject) => {
      // A worker that is lost cannot hear: another one takes its place.
      const end = (error: unknown) => {
        worker.terminate()
        this.#worker = undefined
        this.#has.clear()
        reject(error as Error)
      }
      const abort = () => end(signal!.reason)
      signal?.addEventListener('abort', abort, { once: true })
      const done = (settle: () => void) => {
        signal?.removeEventListener('abort', abort)
        settle()
      }
      worker.onerror = (event) => done(() => end(new Error(event.message)))
      worker.onmessage = ({ data }: MessageEvent<string>) => {
        const said = JSON.parse(data) as Said
        switch (said.type) {
          case 'progress': return onProgress?.(said.progress)
          case 'log': return console.warn(said.text)
          case 'gone': return done(() => end(new Error(said.words)))
          case 'refused': return done(() => reject(new Error(said.why)))
          default: return done(() => resolve(said as T))
        }
      }
      worker.postMessage({ question, parts: lent })
    })
  }
}

const asker = new Asker()

/** A position. It never changes: playing gives another one. */
export class Board {
  readonly game!: string
  readonly width!: number
  readonly height!: number
  /** Stones in a row that win; stones of a turn; stones of the first turn. */
  readonly k!: number
  readonly p!: number
  readonly q!: number
  readonly gravity!: boolean
  /** In the order of play; cells count from the lower left corner, row by row. */
  readonly stones!: readonly { cell: number; name: string; colour: Colour }[]
  readonly toMove!: Colour
  /** Stones left of the turn. */
  readonly stonesLeft!: number
  readonly legal!: readonly string[]
  readonly over!: boolean
  readonly winner!: Colour | null
  /** The winning rows, as cells. */
  readonly rows!: readonly (readonly number[])[]

  private constructor(data: BoardData) {
    Object.assign(this, data)
  }

  /** A game by name (`connect6`, `gomoku`, `connect4`) or by numbers (`15x15,k=5`), and its moves so far. */
  static async create(game: string, moves: string | readonly string[] = ''): Promise<Board> {
    const text = typeof moves === 'string' ? moves : moves.join(' ')
    return new Board(await asker.ask<BoardData>({ type: 'board', game, moves: text }))
  }

  /** The moves so far. */
  get moves(): string[] {
    return this.stones.map((stone) => stone.name)
  }

  /** The position after one more move, or several; the promise is rejected where one is illegal. */
  play(...moves: string[]): Promise<Board> {
    return Board.create(this.game, [...this.moves, ...moves])
  }

  /** The position before the last stones. */
  undo(stones = 1): Promise<Board> {
    return Board.create(this.game, this.moves.slice(0, -stones))
  }
}

const at = (board: Board): At => ({ game: board.game, moves: board.moves.join(' ') })

/** A player: `sextant:level=5`, `perfect`, `random`, …; `Agent.all` names them. */
export class Agent {
  readonly spec: string

  constructor(spec: string) {
    this.spec = spec
  }

  /** The agents that play a game. */
  static all(game: string): Promise<{ name: string; summary: string }[]> {
    return asker.ask({ type: 'agents', game })
  }

  /** The turn that it chooses. */
  choose(board: Board, { signal, onProgress, ...limits }: Limits = {}): Promise<Analysis> {
    return asker.ask({ type: 'analyse', agent: this.spec, ...at(board), ...limits }, { signal, onProgress })
  }
}

/** What the strongest player says of a position. */
export function analyse(board: Board, { signal, onProgress, ...limits }: Limits = {}): Promise<Analysis> {
  return asker.ask({ type: 'analyse', ...at(board), ...limits }, { signal, onProgress })
}

/** Exact answers: the score of every column in games with gravity, else a proved win if there is one. */
export function solve(board: Board, { signal }: Pick<Limits, 'signal'> = {}): Promise<ColumnScore[] | Proof> {
  return asker.ask({ type: 'solve', ...at(board) }, { signal })
}

/** What Black and White threaten. */
export async function threats(board: Board): Promise<{ black: ThreatSide; white: ThreatSide }> {
  const { sides } = await asker.ask<{ sides: [ThreatSide, ThreatSide] }>({ type: 'threats', ...at(board) })
  return { black: sides[0], white: sides[1] }
}

/** Reads the first game of a record: SGF, PSQ, Pons' columns, lists of moves and others. */
export function readRecord(text: string): Promise<GameRecord> {
  return asker.ask({ type: 'record', text })
}
