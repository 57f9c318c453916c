/** Puzzles from the games that are kept here, found by the solvers on the device or on the server. */

import type { ToPage } from '../wire.ts'
import type { Page } from './page.svelte.ts'
import { isGame, readSet, type Puzzle } from './puzzle-set.ts'

const KEY = 'collinear.own-puzzles'
const MAX_PUZZLES = 300

/** The easier ones first: fewer turns, then more right turns. */
export const inOrderOfRating = (puzzles: readonly Puzzle[]): Puzzle[] =>
  puzzles.toSorted((a, b) => a.turns - b.turns || b.right - a.right || (a.id < b.id ? -1 : 1))

export class OwnPuzzles {
  puzzles = $state.raw<Puzzle[]>([])
  /** Games looked at of those to look at; null when nothing is looked for. */
  progress = $state<{ done: number; of: number } | null>(null)
  #page: Page
  #searched = new Set<string>()
  #waiting: string[] = []

  constructor(page: Page) {
    this.#page = page
    try {
      const read = JSON.parse(localStorage.getItem(KEY) ?? '[]') as unknown
      const lines = Array.isArray(read) ? read.filter((line): line is string => typeof line === 'string') : []
      this.puzzles = lines.flatMap(parsed).slice(0, MAX_PUZZLES)
    } catch {
      // Written by another version.
    }
  }

  /** Looks through the games that are kept and were not looked at yet. */
  search() {
    const games = this.#page.opening.stored?.games ?? []
    this.#waiting = games.map(({ id }) => id).filter((id) => !this.#searched.has(id))
    this.progress = { done: 0, of: this.#waiting.length }
    this.#next()
  }

  #next() {
    const id = this.#waiting.shift()
    if (id === undefined) this.progress = null
    else this.#page.send({ type: 'findPuzzles', id })
  }

  hear({ id, game, lines }: Extract<ToPage, { type: 'foundPuzzles' }>) {
    this.#searched.add(id)
    const known = new Set(this.puzzles.map((puzzle) => puzzle.id))
    const found = lines.flatMap((line) => parsed(`${game} ${line}`)).filter((puzzle) => !known.has(puzzle.id))
    this.puzzles = [...found, ...this.puzzles].slice(0, MAX_PUZZLES)
    if (this.progress) this.progress = { ...this.progress, done: this.progress.done + 1 }
    this.#keep()
    this.#next()
  }

  #keep() {
    const line = ({ game, id, hold, turns, right, rating, themes, stones }: Puzzle) =>
      `${game} ${id} ${hold ? 'h' : 'w'}${turns} ${right} ${rating} ${themes || '-'} ${stones}`
    try {
      localStorage.setItem(KEY, JSON.stringify(this.puzzles.map(line)))
    } catch {
      // Nothing is kept here.
    }
  }
}

/** A line with its game before it. */
function parsed(text: string): Puzzle[] {
  const [game, ...rest] = text.split(' ')
  return game && isGame(game) ? readSet(game, rest.join(' ')) : []
}
