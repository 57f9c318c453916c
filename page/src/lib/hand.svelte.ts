/** Stones on their way: drawn at once, sent in order, and kept back while the board they are meant for changes. */

import type { BoardView } from '../wire.ts'
import { t } from '../texts.ts'
import { cellName, landing } from './cells.ts'
import type { Page } from './page.svelte.ts'

export class Hand {
  /** Stones drawn before the server has confirmed them. */
  pending = $state.raw<number[]>([])
  /** Stones and typed moves that wait for the board they are meant for. */
  #queue: (number | string)[] = []
  #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  /** Draws a stone at once and asks the server for it; while the board changes, the stone waits. */
  play(cell: number): boolean {
    if (this.#page.win.open) return this.#page.win.play(cell)
    if (this.#page.practice.open) return this.#page.practice.play(cell)
    const { board, game, changing, mayPlay, taken } = this.#page
    if (changing) {
      this.#queue.push(cell)
      return true
    }
    if (!board || !game || !mayPlay) return false
    const at = landing(game.rules, taken, cell)
    if (at === null) return false
    const ply = board.moves.length + this.pending.length
    this.pending = [...this.pending, at]
    this.#page.send({ type: 'play', ply, cell: at })
    return true
  }

  /** Plays the stones of a turn one after the other. */
  playTurn(cells: readonly number[]) {
    for (const cell of cells) if (!this.play(cell)) return
  }

  /** Plays a move that was typed. */
  type(text: string) {
    const { board, changing } = this.#page
    if (changing) this.#queue.push(text)
    else if (board) this.#page.send({ type: 'type', ply: board.moves.length + this.pending.length, text })
  }

  /** Plays what waited for the board. */
  playWaiting() {
    const waiting = this.#queue
    this.#queue = []
    for (const move of waiting) {
      // A typed move changes the board: what follows it waits again.
      if (typeof move === 'string') this.type(move)
      else if (!this.play(move)) {
        const rules = this.#page.game?.rules
        if (rules) this.#page.tell(t.status.dropped(cellName(rules, move)))
        return
      }
    }
  }

  /** Another board is told: confirmed stones leave the waiting list, anything unexpected clears it. */
  confirm(board: BoardView) {
    const before = this.#page.board?.moves.length ?? 0
    const grown = board.moves.length - before
    const confirmed = this.pending.slice(0, Math.max(grown, 0))
    const asExpected = grown >= 0 && confirmed.every((cell, at) => board.moves[before + at] === cell)
    this.pending = asExpected ? this.pending.slice(grown) : []
  }

  /** Forgets the stones that were drawn. */
  drop() {
    this.pending = []
  }

  /** Forgets what waits, too: it was clicked on a board that is gone. */
  forget() {
    this.#queue = []
  }
}
