/**
 * Training: puzzles near one's own rating, the puzzle of the day, runs without a mistake or against the clock, sets for
 * a class, puzzles from one's own games. Loaded when the puzzles are looked at; what was reached is kept on the device.
 */

import type { PuzzleProgress } from '../wire.ts'
import { inOrderOfRating, type OwnPuzzles } from './own-puzzles.svelte.ts'
import type { Page } from './page.svelte.ts'
import { rated, UNKNOWN, type Rating } from './glicko.ts'
import {
  daily, dayOf, GAMES, gameOfDay, isGame, ladder, linkOf, near, PUZZLE_DEVIATION, readClassLink, readSet,
  type Game, type Puzzle, type Theme,
} from './puzzle-set.ts'

export type Mode = 'rated' | 'daily' | 'streak' | 'storm' | 'class' | 'own'

/** What is kept. */
interface Kept {
  ratings: Partial<Record<Game, Rating & { puzzles: number }>>
  /** The latest puzzles of each game: they do not come again soon. */
  seen: Partial<Record<Game, string[]>>
  /** The last day whose puzzle was solved, and how many days in a row. */
  day: number
  days: number
  bestStreak: number
  bestStorm: number
}

const KEY = 'collinear.training'
const MAX_SEEN = 400
export const STORM_MS = 180_000
/** What a mistake costs against the clock. */
const SLIP_MS = 10_000
const NOTHING: Kept = { ratings: {}, seen: {}, day: 0, days: 0, bestStreak: 0, bestStorm: 0 }

const isRating = (value: unknown): value is Rating & { puzzles: number } => {
  const { rating, deviation, volatility, puzzles } = (value ?? {}) as Record<string, unknown>
  return [rating, deviation, volatility, puzzles].every((number) => typeof number === 'number' && Number.isFinite(number))
}

/** What the device keeps; what it does not know how to read is left out. */
function kept(): Kept {
  try {
    const read = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Record<keyof Kept, unknown>>
    const number = (key: 'day' | 'days' | 'bestStreak' | 'bestStorm') => (Number.isInteger(read[key]) ? (read[key] as number) : 0)
    const found: Kept = { ...NOTHING, ratings: {}, seen: {}, day: number('day'), days: number('days'), bestStreak: number('bestStreak'), bestStorm: number('bestStorm') }
    for (const game of GAMES) {
      const rating = (read.ratings as Record<string, unknown> | undefined)?.[game]
      if (isRating(rating)) found.ratings[game] = rating
      const seen = (read.seen as Record<string, unknown> | undefined)?.[game]
      if (Array.isArray(seen)) found.seen[game] = seen.filter((id): id is string => typeof id === 'string').slice(-MAX_SEEN)
    }
    return found
  } catch {
    return { ...NOTHING, ratings: {}, seen: {} }
  }
}

export class Training {
  mode = $state<Mode | null>(null)
  game = $state<Game>('connect4')
  theme = $state<Theme | null>(null)
  current = $state.raw<Puzzle | null>(null)
  /** How the rating changed with the puzzle on the board. */
  change = $state<number | null>(null)
  /** Solved in this run, and whether the run is over. */
  score = $state(0)
  over = $state(false)
  /** When the clock of a run ends, and what it shows. */
  leftMs = $state(STORM_MS)
  failed = $state('')
  data = $state<Kept>(kept())
  sets = $state.raw<Partial<Record<Game, Puzzle[]>>>({})

  #page: Page
  #own: OwnPuzzles
  /** Whether the first answer counts still. */
  #open = false
  #queue: Puzzle[] = []
  #until = 0
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(page: Page, own: OwnPuzzles) {
    this.#page = page
    this.#own = own
  }

  /** Whether the puzzle on the board is the one that was given. */
  get on(): boolean {
    return this.current !== null && this.#page.game?.puzzle?.id === linkOf(this.current)
  }

  rating(game: Game): Rating & { puzzles: number } {
    return this.data.ratings[game] ?? { ...UNKNOWN, puzzles: 0 }
  }

  /** Whether today's puzzle is solved. */
  get today(): boolean {
    return this.data.day === dayOf(new Date())
  }

  /** Fetches a set once. */
  async load(game: Game): Promise<Puzzle[]> {
    const known = this.sets[game]
    if (known) return known
    const answer = await fetch(new URL(`puzzles/${game}.txt`, document.baseURI))
    if (!answer.ok) throw new Error(`${game}: ${answer.status}`)
    const set = readSet(game, await answer.text())
    this.sets = { ...this.sets, [game]: set }
    return set
  }

  /** Begins a mode; a class set by the part of its link. */
  async begin(mode: Mode, link?: string) {
    this.#end()
    this.failed = ''
    const named = link === undefined ? null : readClassLink(link)
    const game = mode === 'daily' ? gameOfDay(dayOf(new Date())) : (named?.game ?? this.game)
    let set: Puzzle[]
    try {
      set = mode === 'own' ? this.#own.puzzles : await this.load(game)
    } catch (error) {
      this.failed = String(error)
      return
    }
    this.mode = mode
    this.game = game
    this.score = 0
    this.over = false
    const day = dayOf(new Date())
    if (mode === 'daily') this.#queue = [daily(set, day)].filter((puzzle) => puzzle !== null)
    else if (mode === 'class') this.#queue = (named?.ids ?? []).map((id) => set.find((puzzle) => puzzle.id === id)).filter((puzzle) => puzzle !== undefined)
    else if (mode === 'own') this.#queue = inOrderOfRating(set)
    else if (mode !== 'rated') this.#queue = ladder(set, Date.now())
    if (mode === 'storm') this.#start()
    this.next()
  }

  /** The next puzzle of the mode onto the board. */
  next() {
    if (this.over) return
    const { game, mode } = this
    // Left without an answer: not solved.
    if (this.#open && this.current && this.on && mode === 'rated') this.#count(this.current, false)
    const next = mode === 'rated' ? this.#near(game) : (this.#queue.shift() ?? null)
    this.change = null
    if (!next) {
      this.#end()
      this.over = true
      return
    }
    const follows = this.on
    this.current = next
    this.#open = true
    this.#page.puzzles.open(linkOf(next), follows)
  }

  /** How many are left of a set. */
  get left(): number {
    return this.#queue.length
  }

  #near(game: Game): Puzzle | null {
    const { rating, puzzles } = this.rating(game)
    const seen = new Set(this.data.seen[game] ?? [])
    return near(this.sets[game] ?? [], rating, this.theme, seen, puzzles)
  }

  /** How the puzzle on the board stands now; help makes it count as not solved. */
  hear(state: PuzzleProgress | 'helped') {
    if (!this.on || !this.current || state === 'going') return
    const solved = state === 'solved'
    if (this.#open) {
      this.#open = false
      this.#count(this.current, solved)
    }
    if (this.mode === 'storm' && !this.over) {
      if (solved) return this.next()
      this.#until -= SLIP_MS
      return this.next()
    }
    if (this.mode === 'streak' && !solved) this.over = true
    if (this.mode === 'streak' && solved && !this.over) this.next()
  }

  #count(puzzle: Puzzle, solved: boolean) {
    const { data, mode } = this
    const { game } = puzzle
    if (solved) this.score += 1
    if (mode === 'rated' && puzzle.rating > 0) {
      const before = this.rating(game)
      const after = rated(before, [{ rating: puzzle.rating, deviation: PUZZLE_DEVIATION, score: solved ? 1 : 0 }])
      data.ratings[game] = { ...after, puzzles: before.puzzles + 1 }
      this.change = Math.round(after.rating) - Math.round(before.rating)
      data.seen[game] = [...(data.seen[game] ?? []).filter((id) => id !== puzzle.id), puzzle.id].slice(-MAX_SEEN)
    }
    if (mode === 'daily' && solved) {
      const day = dayOf(new Date())
      if (data.day !== day) data.days = data.day === day - 1 ? data.days + 1 : 1
      data.day = day
    }
    if (mode === 'streak') data.bestStreak = Math.max(data.bestStreak, this.score)
    if (mode === 'storm') data.bestStorm = Math.max(data.bestStorm, this.score)
    this.#keep()
  }

  #keep() {
    try {
      localStorage.setItem(KEY, JSON.stringify(this.data))
    } catch {
      // Nothing is kept here: it holds until the page is closed.
    }
  }

  #start() {
    this.#until = Date.now() + STORM_MS
    this.leftMs = STORM_MS
    this.#timer = setInterval(() => {
      this.leftMs = Math.max(0, this.#until - Date.now())
      if (this.leftMs > 0) return
      this.#end()
      this.over = true
    }, 200)
  }

  #end() {
    clearInterval(this.#timer)
    this.#queue = []
  }

  /** Begins what an address names: `daily`, `storm`, `set/gomoku/abc234`. */
  open(task: string) {
    const [mode, ...rest] = task.split('/')
    if (mode === 'set') void this.begin('class', rest.join('/'))
    else if (mode === 'daily' || mode === 'storm' || mode === 'streak') {
      if (rest[0] && isGame(rest[0])) this.game = rest[0]
      void this.begin(mode)
    }
  }
}
