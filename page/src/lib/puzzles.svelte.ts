/** The puzzles: which there are, how the one on the board stands, and what was solved. */

import { t } from '../texts.ts'
import type { PuzzleInfo, PuzzleProgress, PuzzleWords, ToPage } from '../wire.ts'
import { cellName } from './cells.ts'
import type { OwnPuzzles } from './own-puzzles.svelte.ts'
import type { Page } from './page.svelte.ts'
import type { Training } from './training.svelte.ts'

export class Puzzles {
  list = $state.raw<PuzzleInfo[] | null>(null)
  /** How the puzzle on the board stands, in a word and in words. */
  standing = $state.raw<{ state: PuzzleProgress; words: PuzzleWords; node: number } | null>(null)
  /** Training and the puzzles from one's own games, once somebody looked at the puzzles. */
  training = $state.raw<Training | null>(null)
  own = $state.raw<OwnPuzzles | null>(null)
  #loading: Promise<{ training: Training; own: OwnPuzzles }> | null = null
  /** Whether a hint was asked or a wrong turn played: then it does not count for the streak. */
  #helped = false
  #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  /** What a hint says of the position shown: the cells where to look, or the stone. */
  look = $derived.by(() => (this.#hint?.type === 'look' ? this.#hint.cells : []))
  tries = $derived.by(() => (this.#hint?.type === 'try' ? [this.#hint.cell] : []))
  solved = $derived.by(() => new Set(this.#page.settings.data.solved))

  get #hint(): PuzzleWords | null {
    const { standing } = this
    return standing && standing.node === this.#page.board?.node && this.#page.more.length === 0 ? standing.words : null
  }

  /** What was said last, as a sentence. */
  get words(): string {
    const { standing } = this
    const rules = this.#page.game?.rules
    if (!standing || !rules) return ''
    const { words } = standing
    switch (words.type) {
      case 'solved': return t.puzzles.right
      case 'right': return t.puzzles.rightTurn(words.turns)
      case 'slipped': return this.#page.game?.puzzle?.hold ? t.puzzles.slippedHold : t.puzzles.slipped
      case 'look': return t.puzzles.look
      case 'try': return t.puzzles.tryCell(words.why ?? cellName(rules, words.cell))
      case 'lost': return t.puzzles.lost
      case 'late': return t.puzzles.late
    }
  }

  /** What a puzzle asks for. */
  goal({ hold, colour, turns }: PuzzleInfo): string {
    const side = this.#page.side(colour)
    return hold ? t.puzzles.holds(side) : t.puzzles.goal(side, turns)
  }

  /** Fetches what training needs. */
  train(): Promise<{ training: Training; own: OwnPuzzles }> {
    this.#loading ??= Promise.all([import('./training.svelte.ts'), import('./own-puzzles.svelte.ts')]).then(([{ Training }, { OwnPuzzles }]) => {
      const own = new OwnPuzzles(this.#page)
      const training = new Training(this.#page, own)
      this.own = own
      this.training = training
      return { training, own }
    })
    return this.#loading
  }

  /** Opens a puzzle; one that `follows` another takes its place in the history of the browser. */
  open(puzzle: string, follows = false) {
    const { address } = this.#page
    if (follows) address.keep({ view: 'puzzle', puzzle })
    else address.go({ view: 'puzzle', puzzle })
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
    this.training?.hear('helped')
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

  hear(message: Extract<ToPage, { type: 'puzzles' | 'puzzleState' | 'foundPuzzles' }>) {
    if (message.type === 'foundPuzzles') return this.own?.hear(message)
    if (message.type === 'puzzles') {
      this.list = message.puzzles
      return
    }
    const before = this.standing?.state
    this.standing = { state: message.state, words: message.words, node: this.#page.board?.node ?? 0 }
    this.#page.said = this.words
    this.training?.hear(message.state)
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
