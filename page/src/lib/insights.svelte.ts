/** What is told of the position shown: threats, exact scores, the book, line shapes, the network's thoughts, and searches. */

import type { BookView, ColumnsView, EngineLine, Overlay, ParityView, PolicyView, Purpose, SearchView, ShapesView, ThreatsView, ToPage } from '../wire.ts'
import { sorted } from './lines.ts'
import type { Page } from './page.svelte.ts'

type Insight = Extract<ToPage, { type: 'threats' | 'columns' | 'book' | 'policy' | 'shapes' | 'parity' | 'search' }>

export class Insights {
  analysing = $state(false)
  /** The game that is analysed: another one begins without. */
  #analysed = ''
  /** The overlays that are switched on. */
  shown = $state.raw<Overlay[]>([])
  searches = $state<Partial<Record<Purpose, SearchView>>>({})
  /** A line of the analyst that is laid over the board. */
  preview = $state.raw<EngineLine | null>(null)

  #page: Page
  #threats = $state.raw<ThreatsView | null>(null)
  #columns = $state.raw<ColumnsView | null>(null)
  #book = $state.raw<BookView | null>(null)
  #policy = $state.raw<PolicyView | null>(null)
  #shapes = $state.raw<ShapesView | null>(null)
  #parity = $state.raw<ParityView | null>(null)

  threats = $derived.by(() => this.ifHere(this.#threats))
  columns = $derived.by(() => this.ifHere(this.#columns))
  book = $derived.by(() => this.ifHere(this.#book))
  policy = $derived.by(() => this.ifHere(this.#policy))
  shapes = $derived.by(() => this.ifHere(this.#shapes))
  parity = $derived.by(() => this.ifHere(this.#parity))
  /** A game that is over has none. */
  analysis = $derived.by(() => (this.#page.board?.ending ? null : this.ifHere(this.searches.analysis)))
  /** The analyst's lines, best first for the side to move. */
  lines = $derived.by(() => (this.analysis ? sorted(this.analysis.lines, this.#page.turn.toMove) : []))
  hint = $derived.by(() => {
    const hint = this.ifHere(this.searches.hint)
    return hint?.done ? hint.turn : []
  })

  constructor(page: Page) {
    this.#page = page
  }

  setAnalysing(on: boolean) {
    this.analysing = on
    this.#analysed = this.#page.game?.id ?? ''
    if (!on) delete this.searches.analysis
    this.#page.send({ type: 'analyse', on, lines: this.#page.settings.data.analysisLines })
  }

  shows(overlay: Overlay): boolean {
    return this.shown.includes(overlay)
  }

  /** Switches an overlay on or off. */
  toggle(overlay: Overlay) {
    this.#setShown(this.shows(overlay) ? this.shown.filter((other) => other !== overlay) : [...this.shown, overlay])
  }

  /** Tells the server which overlays are wanted, and forgets the others. */
  #setShown(shown: Overlay[]) {
    this.shown = shown
    if (!this.shows('threats')) this.#threats = null
    if (!this.shows('columns')) this.#columns = null
    if (!this.shows('book')) this.#book = null
    if (!this.shows('policy')) this.#policy = null
    if (!this.shows('shapes')) this.#shapes = null
    if (!this.shows('parity')) this.#parity = null
    this.#page.send({ type: 'overlays', shown })
  }

  /** Lays stones over the board, if it shows the node they follow. */
  show(cells: number[], after: number) {
    if (this.#page.board?.node === after) this.preview = { worth: { type: 'chance' }, chance: 0.5, cells }
  }

  hear(message: Insight) {
    switch (message.type) {
      case 'search':
        // The last words of an analysis that was just switched off.
        if (message.search.purpose === 'analysis' && !this.analysing) break
        this.searches[message.search.purpose] = message.search
        break
      case 'threats':
        this.#threats = message.threats
        break
      case 'columns':
        this.#columns = message.columns
        break
      case 'book':
        this.#book = message.book
        break
      case 'policy':
        this.#policy = message.policy
        break
      case 'shapes':
        this.#shapes = message.shapes
        break
      case 'parity':
        this.#parity = message.parity
        break
    }
  }

  /** Forgets what was told of a game that is gone. */
  clear() {
    this.searches = {}
    this.#threats = this.#columns = this.#book = this.#policy = this.#shapes = this.#parity = null
    this.preview = null
  }

  /** Asks the game just entered for what is switched on, as far as it has it. */
  enter() {
    const { id, overlays } = this.#page.game!
    const shown = this.shown.filter((overlay) => overlays.includes(overlay))
    // Only the game that was on the board before the connection was lost goes on being analysed.
    if (this.analysing && id === this.#analysed) this.setAnalysing(true)
    else this.analysing = false
    if (this.shown.length) this.#setShown(shown)
  }

  /** Drops what is of another position. */
  moveTo(node: number) {
    for (const purpose of ['turn', 'hint', 'analysis'] as const) {
      if (this.searches[purpose] && this.searches[purpose].node !== node) delete this.searches[purpose]
    }
    this.preview = null
    if (this.#threats?.node !== node) this.#threats = null
    if (this.#columns?.node !== node) this.#columns = null
    if (this.#book?.node !== node) this.#book = null
    if (this.#policy?.node !== node) this.#policy = null
    if (this.#parity?.node !== node) this.#parity = null
    this.#shapes = null
  }

  /** Something that was told of a position, if that is the one shown. */
  ifHere<View extends { node: number }>(view: View | null | undefined): View | null {
    const { changing, more, board, tree, win, practice } = this.#page
    const here = !changing && !more.length && !win.open && !practice.open && board && view?.node === tree.idOf(board.node)
    return (here && view) || null
  }
}
