/**
 * A win that is played against: the stones after the position in question lie on the page's board alone, the game is as it
 * was. The person plays the side that loses; the winner's turns come from the proof.
 */

import type { Colour, WinBranch, WinView } from '../wire.ts'
import { landing, turnAfter } from './cells.ts'
import type { Page } from './page.svelte.ts'

/** What was on the board before a defence. */
interface Before {
  line: number[]
  view: WinView | null
}

export class WinPlay {
  /** Whose win is shown; null when none is. */
  winner = $state<Colour | null>(null)
  /** The stones since the position in question. */
  line = $state.raw<number[]>([])
  /** What was told last. */
  view = $state.raw<WinView | null>(null)
  /** The tree of the whole proof, if it is short. */
  tree = $state.raw<WinBranch[]>([])

  #page: Page
  /** The node in question, by the name the server gave it. */
  #node = 0
  /** The stones that were asked about and are not answered yet. */
  #asked = $state.raw<number[] | null>(null)
  #before = $state.raw<Before[]>([])
  /** What is to be shown as soon as its node is on the board. */
  #wanted: { node: number; winner: Colour } | null = null

  open = $derived(this.winner !== null)
  waiting = $derived(this.#asked !== null)
  over = $derived((this.view?.rows.length ?? 0) > 0 && !this.waiting)
  /** Whether nothing is proved here. */
  unproved = $derived(!this.waiting && this.view !== null && this.view.source === null)
  mayPlay = $derived(this.open && !this.waiting && !this.over && !this.unproved)
  canGoBack = $derived(this.#before.length > 0)

  constructor(page: Page) {
    this.#page = page
  }

  /** Shows how a side wins at a node of the tree. */
  show(node: number, winner: Colour) {
    const wanted = { node: this.#page.tree.idOf(node), winner }
    if (this.#page.board?.node === node && !this.#page.changing) return this.#begin(wanted)
    this.#wanted = wanted
    this.#page.goto(node)
  }

  close() {
    this.winner = null
    this.line = []
    this.view = null
    this.tree = []
    this.#asked = null
    this.#before = []
  }

  /** Back to the position in question. */
  again() {
    if (this.winner) this.#begin({ node: this.#node, winner: this.winner })
  }

  /** Places a stone of the losing side. */
  play(cell: number): boolean {
    const { board, game, taken } = this.#page
    if (!this.mayPlay || !board || !game) return false
    const at = landing(game.rules, taken, cell)
    if (at === null) return false
    if (turnAfter(board, game.rules, this.line.length - 1).toMove === this.winner || this.line.length === 0) {
      this.#before = [...this.#before, { line: this.line, view: this.view }]
    }
    this.line = [...this.line, at]
    if (turnAfter(board, game.rules, this.line.length).toMove === this.winner) this.#ask(this.line)
    return true
  }

  playTurn(cells: readonly number[]) {
    for (const cell of cells) if (!this.play(cell)) return
  }

  /** Takes the last defence back, with its answer. */
  back() {
    const before = this.#before.at(-1)
    if (!before) return
    this.#before = this.#before.slice(0, -1)
    this.line = before.line
    this.view = before.view
    this.#asked = null
  }

  /** Goes to a turn of the tree. */
  goTo(at: number) {
    const path: WinBranch[] = []
    for (let next = at; next >= 0; next--) {
      const branch = this.tree[next]!
      if (path.length === 0 || branch.depth === path[0]!.depth - 1) path.unshift(branch)
    }
    const known = path.at(-1)!.colour === this.winner ? path.slice(0, -1) : path
    this.#before = [...this.#before, { line: this.line, view: this.view }]
    this.line = known.flatMap(({ cells }) => cells)
    this.#ask(this.line)
  }

  hear(view: WinView) {
    if (view.node !== this.#node || view.stones.join() !== this.#asked?.join()) return
    this.#asked = null
    this.view = view
    this.line = [...view.stones, ...view.answer]
    if (view.stones.length === 0) this.tree = view.tree
  }

  /** Another node is on the board. */
  moveTo(node: number) {
    if (this.#wanted?.node === node) this.#begin(this.#wanted)
    else if (this.open && node !== this.#node) this.close()
  }

  #begin(wanted: { node: number; winner: Colour }) {
    this.close()
    this.#wanted = null
    this.#node = wanted.node
    this.winner = wanted.winner
    this.#ask([])
  }

  #ask(stones: number[]) {
    this.#asked = stones
    this.#page.send({ type: 'win', node: this.#node, winner: this.winner!, stones })
  }
}
