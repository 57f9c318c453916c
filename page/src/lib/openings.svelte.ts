/**
 * The explorer of openings: a position, and how the games of a source went on from it. Loaded when it is looked at.
 * The room looks positions up, whichever way the board is turned; the page sends it the list of games.
 */

import type { OpeningsView, PolicyView, RulesView, ToPage } from '../wire.ts'
import { cellName, landing } from './cells.ts'
import type { Page } from './page.svelte.ts'

export type Source = 'shipped' | 'own' | 'book'
export type OpeningsMessage = Extract<ToPage, { type: 'openings' | 'ownOpenings' | 'glanced' | 'refused' }>

/** The games whose list comes with the page. */
export const SHIPPED: readonly string[] = ['connect4', 'gomoku', 'renju', 'connect6']

/** The game and the stones of a link; what was set up before them stays part of the game. */
export function split(link: string): { game: string; stones: string[] } {
  const parts = link.split('/').filter(Boolean)
  const last = parts.at(-1) ?? ''
  const moves = parts.length > 1 && !/^[bwt]-/.test(last) ? last.split('.').filter(Boolean) : []
  return { game: (moves.length ? parts.slice(0, -1) : parts).join('/'), stones: moves }
}
export const join = (game: string, stones: readonly string[]): string => (stones.length ? `${game}/${stones.join('.')}` : game)

/** How many stones are left when the last turn, whole or begun, is taken back. */
export function turnBefore(rules: Pick<RulesView, 'p' | 'q'>, count: number): number {
  if (count <= rules.q) return 0
  return rules.q + Math.floor((count - rules.q - 1) / rules.p) * rules.p
}

export class Openings {
  /** The position asked for. */
  link = $state('')
  /** The answer, and the link it is of. */
  view = $state.raw<OpeningsView | null>(null)
  shown = $state('')
  policy = $state.raw<PolicyView | null>(null)
  source = $state<Source>('shipped')
  /** A person's own games, and how many games the server's book has. */
  own = $state.raw<{ game: string; text: string; count: number; book: number } | null>(null)
  failed = $state('')
  waiting = $state(false)
  /** The named openings of the game. */
  names = $state.raw<OpeningsView['names']>([])

  #page: Page
  #lists = new Map<string, string>()
  /** Cells clicked before the answer came. */
  #queued: number[] = []
  /** What was stepped back from, the nearest last. */
  #ahead: string[] = []

  constructor(page: Page) {
    this.#page = page
    page.hearOpenings = (message) => this.#hear(message)
  }

  /** The name of the game alone. */
  game = $derived.by(() => split(this.link).game.split('/')[0]!)
  sources = $derived.by<Source[]>(() => [
    ...(SHIPPED.includes(this.game) ? ['shipped' as const] : []), 'own', ...(this.own?.book ? ['book' as const] : []),
  ])

  /** Goes to a position. */
  async open(link: string) {
    const before = this.game
    this.link = link
    const game = this.game
    if (game !== before || this.own?.game !== game) {
      this.names = []
      this.own = null
      if (!SHIPPED.includes(game)) this.source = 'own'
      this.#page.send({ type: 'ownOpenings', game })
    }
    await this.ask()
  }

  choose(source: Source) {
    this.source = source
    void this.ask()
  }

  /** Asks for the position, and what the network thinks of it. */
  async ask() {
    const { link, source } = this
    this.waiting = true
    this.failed = ''
    try {
      const games = source === 'shipped' ? await this.#list(this.game) : source === 'own' ? (this.own?.text ?? `# game ${this.game}\n`) : null
      // Something else was asked meanwhile.
      if (link !== this.link || source !== this.source) return
      this.#page.send({ type: 'openings', link, ...(games !== null && { games }) })
    } catch (error) {
      this.waiting = false
      this.failed = error instanceof Error ? error.message : String(error)
    }
  }

  async #list(game: string): Promise<string> {
    const known = this.#lists.get(game)
    if (known !== undefined) return known
    const answer = await fetch(`openings/${game}.txt`)
    if (!answer.ok) throw new Error(`${answer.status}`)
    const text = await answer.text()
    this.#lists.set(game, text)
    return text
  }

  /** Places a stone where it may lie. */
  play(cell: number) {
    if (this.waiting) return void this.#queued.push(cell)
    const { view } = this
    if (!view || view.over) return
    const at = landing(view.rules, new Set(view.stones.map((stone) => stone.cell)), cell)
    if (at !== null) this.#go([at])
  }

  /** Goes on by a turn of the list. */
  take(cells: readonly number[]) {
    if (!this.waiting) this.#go(cells)
  }

  #go(cells: readonly number[]) {
    const { game, stones } = split(this.link)
    const next = join(game, [...stones, ...cells.map((cell) => cellName(this.view!.rules, cell))])
    if (this.#ahead.at(-1) === next) this.#ahead.pop()
    else this.#ahead = []
    this.#page.address.keep({ view: 'openings', link: next })
  }

  /** Back by a turn. */
  back() {
    const { game, stones } = split(this.link)
    if (!stones.length || !this.view) return
    this.#ahead.push(this.link)
    this.#page.address.keep({ view: 'openings', link: join(game, stones.slice(0, turnBefore(this.view.rules, stones.length))) })
  }

  /** Forward to where one came from, or by the turn that was played most. */
  forward() {
    const next = this.#ahead.pop()
    const most = this.view?.turns[0]
    if (next) this.#page.address.keep({ view: 'openings', link: next })
    else if (most) this.take(most.cells)
  }

  start() {
    this.#ahead = []
    this.#page.address.keep({ view: 'openings', link: split(this.link).game })
  }

  #hear(message: OpeningsMessage) {
    if (message.type === 'ownOpenings') {
      if (message.game !== this.game) return
      this.own = message
      if (this.source === 'book' && !message.book) this.source = this.sources[0]!
      if (this.source === 'own') void this.ask()
    } else if (message.type === 'openings') {
      if (message.link !== this.link) return
      this.view = message.openings
      this.shown = message.link
      this.waiting = false
      this.policy = null
      if (message.openings.names.length) this.names = message.openings.names
      this.#page.send({ type: 'glance', link: message.link })
      const next = this.#queued.shift()
      if (next !== undefined) this.play(next)
    } else if (message.type === 'glanced') {
      if (message.link === this.link) this.policy = message.policy
    } else if (this.waiting) {
      this.waiting = false
      this.#queued = []
      // Back to the last position that there was.
      if (this.view && this.shown !== this.link) this.#page.address.keep({ view: 'openings', link: this.shown })
      else if (!this.view) this.failed = message.text
    }
  }
}
