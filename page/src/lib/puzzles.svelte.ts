/** The puzzles: which there are, how the one on the board stands, and what was solved. */

import type { PuzzleInfo, PuzzleProgress, ToPage } from '../wire.ts'
import type { Page } from './page.svelte.ts'

export class Puzzles {
  list = $state.raw<PuzzleInfo[] | null>(null)
  /** How the puzzle on the board stands, in a word and in words. */
  standing = $state.raw<{ state: PuzzleProgress; words: string } | null>(null)
  /** Whether a hint was asked or a wrong turn played: then it does not count for the streak. */
  #helped = false
  #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  solved = $derived.by(() => new Set(this.#page.settings.data.solved))

  open(puzzle: string) {
    this.#page.address.go({ view: 'puzzle', puzzle })
    this.begin(puzzle)
  }

  /** Puts a puzzle on the board, from its start. */
  begin(puzzle: string) {
    this.clear()
    this.#page.send({ type: 'puzzle', id: puzzle })
  }

  /** Forgets how the puzzle before stood. */
  clear() {
    this.standing = null
    this.#helped = false
  }

  hint() {
    this.#helped = true
    this.#page.send({ type: 'puzzleHint' })
  }

  /** The next puzzle that is not solved yet, after the one on the board. */
  next(): PuzzleInfo | undefined {
    const { list } = this
    if (!list) return undefined
    const at = list.findIndex(({ id }) => id === this.#page.game?.puzzle?.id)
    const after = [...list.slice(at + 1), ...list.slice(0, Math.max(at, 0))]
    return after.find(({ id }) => !this.solved.has(id)) ?? after[0]
  }

  hear(message: Extract<ToPage, { type: 'puzzles' | 'puzzleState' }>) {
    if (message.type === 'puzzles') {
      this.list = message.puzzles
      return
    }
    const before = this.standing?.state
    this.standing = message
    this.#page.said = this.#page.words(message.words)
    // One's own puzzles count for nothing.
    const id = this.list?.find(({ id }) => id === this.#page.game?.puzzle?.id)?.id
    const { data } = this.#page.settings
    if (!id) return
    if (message.state === 'wrong' && before !== 'wrong') {
      this.#helped = true
      data.streak = 0
    } else if (message.state === 'solved' && before !== 'solved') {
      if (!data.solved.includes(id)) data.solved = [...data.solved, id]
      if (!this.#helped) data.streak += 1
      data.bestStreak = Math.max(data.bestStreak, data.streak)
    } else return
    this.#page.saveSettings()
  }
}
