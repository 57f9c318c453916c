/**
 * The mistakes of a reviewed game, each played once more: the stones that are tried lie on the page's board alone, the
 * game is as it was. The server judges them as the review did, so every good turn is right.
 */

import type { Colour, TriedView, TurnReview } from '../wire.ts'
import { landing, turnAfter } from './cells.ts'
import type { Page } from './page.svelte.ts'

export class Practice {
  /** The mistakes, by the node that each turn led to; empty while nothing is practised. */
  mistakes = $state.raw<[number, TurnReview][]>([])
  at = $state(0)
  line = $state.raw<number[]>([])
  tried = $state.raw<TriedView | null>(null)
  /** How much was told of this mistake: nothing, where to look, the solution. */
  told = $state<0 | 1 | 2>(0)
  /** The mistakes that were solved without the solution. */
  solved = $state.raw<ReadonlySet<number>>(new Set())

  #page: Page
  #asked = $state.raw<number[] | null>(null)
  /** Where the page was before, and whether it is on its way to a mistake. */
  #from = 0
  #heading = false

  open = $derived(this.mistakes.length > 0)
  turn = $derived(this.mistakes[this.at]?.[1] ?? null)
  waiting = $derived(this.#asked !== null)
  right = $derived(this.tried?.right === true)
  mayPlay = $derived.by(() => {
    if (!this.open || this.waiting || this.tried || this.told === 2 || this.#page.changing) return false
    return this.#page.board?.node === this.#before
  })
  /** A part of the board to look at, for a first hint. */
  look = $derived.by(() => (this.told === 1 && this.turn && !this.tried ? this.#around(this.turn.better[0] ?? 0) : []))
  /** The solution on the board. */
  shown = $derived(this.told === 2 && this.turn ? this.turn.better : [])
  /** Where the opponent answers what was wrong. */
  answer = $derived(this.tried && !this.right ? this.tried.answer : [])

  constructor(page: Page) {
    this.#page = page
  }

  get #before(): number {
    return this.turn ? this.#page.tree.indexOf(this.turn.before) : -1
  }

  /** The mistakes of a side that have something better. */
  of(colour: Colour | null): [number, TurnReview][] {
    return this.#page.review.mistakes.filter(([, turn]) => turn.better.length > 0 && (!colour || turn.colour === colour))
  }

  start(colour: Colour | null) {
    const mistakes = this.of(colour)
    if (!mistakes.length) return
    this.#from = this.#page.board?.node ?? 0
    this.#page.win.close()
    this.mistakes = mistakes
    this.solved = new Set()
    this.go(0)
  }

  /** Shows a mistake, from its start. */
  go(at: number) {
    this.at = at
    this.told = 0
    this.again()
    this.#heading = this.#page.board?.node !== this.#before
    if (this.#heading) this.#page.goto(this.#before)
  }

  again() {
    this.line = []
    this.tried = null
    this.#asked = null
    if (this.told === 2) this.told = 0
  }

  hint() {
    this.line = []
    this.tried = null
    this.told = 1
  }

  reveal() {
    this.again()
    this.told = 2
  }

  close() {
    if (!this.open) return
    this.mistakes = []
    this.again()
    this.told = 0
  }

  /** Back to where the page was. */
  leave() {
    this.close()
    this.#page.goto(this.#from)
  }

  /** Places a stone of the turn; a whole turn is judged. */
  play(cell: number): boolean {
    const { board, game, taken } = this.#page
    if (!this.mayPlay || !board || !game || !this.turn) return false
    const at = landing(game.rules, taken, cell)
    if (at === null) return false
    this.line = [...this.line, at]
    const { toMove } = turnAfter(board, game.rules, this.line.length)
    if (toMove !== this.turn.colour) {
      this.#asked = this.line
      this.#page.send({ type: 'try', node: this.turn.before, stones: this.line })
    }
    return true
  }

  /** Takes back the last stone, or what was tried. */
  back() {
    if (this.tried) this.again()
    else if (!this.waiting) this.line = this.line.slice(0, -1)
  }

  hear(tried: TriedView) {
    if (!this.turn || tried.node !== this.turn.before || tried.stones.join() !== this.#asked?.join()) return
    this.#asked = null
    this.tried = tried
    if (tried.right && this.told < 2) this.solved = new Set([...this.solved, this.at])
  }

  /** What was asked was refused. */
  refused() {
    if (this.waiting) this.again()
  }

  /** Another node is on the board. */
  moveTo(node: number) {
    if (node === this.turn?.before) this.#heading = false
    else if (this.open && !this.#heading) this.close()
  }

  /** About a third of the board each way, or of the columns where discs fall. */
  #around(cell: number): number[] {
    const { width, height, gravity } = this.#page.game!.rules
    const part = (at: number, side: number) => Math.floor((at * 3) / side)
    const column = (at: number) => part(at % width, width)
    const row = (at: number) => part(Math.floor(at / width), height)
    return Array.from({ length: width * height }, (_, at) => at)
      .filter((at) => column(at) === column(cell) && (gravity || row(at) === row(cell)))
  }
}
