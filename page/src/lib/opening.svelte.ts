/**
 * The ways to put another game on the board: new ones, records, stored ones, positions set up by hand, puzzles, games
 * of runs; and which of them the address names.
 */

import type { BoardView, GameView, NewGame, NewSetup, RulesView, StoredGame, ToPage } from '../wire.ts'
import { t } from '../texts.ts'
import type { Place } from './address.svelte.ts'
import { openedText } from './naming.ts'
import type { Page } from './page.svelte.ts'
import { room } from './room.ts'

const GAME_KEY = 'collinear.game'

export class Opening {
  stored = $state.raw<{ games: StoredGame[]; limit: number } | null>(null)
  /** A record with several games, and their titles. */
  choices = $state.raw<{ text: string; titles: string[] } | null>(null)

  #page: Page
  #importing: string | null = null
  /** The game of a run on the board, as long as nothing was added to it. */
  #replayed: string | null = null

  constructor(page: Page) {
    this.#page = page
  }

  /** Begins a game. Its empty board is shown at once, so that the first stone can be clicked. */
  begin(game: NewGame, rules: RulesView) {
    this.#page.send({ type: 'new', game })
    this.#page.expect(game, rules)
  }

  /** The same players once more, with sides swapped where a person plays a computer or another person. */
  rematch() {
    const game = this.#page.game
    if (!game) return
    const { width, height, k, p, q, gravity, exact, fouls } = game.rules
    const [black, white] = game.seats
    const rules = { width, height, k, p, q, gravity, exact, fouls }
    const openingRule = this.#page.board?.opening?.rule
    this.begin({ rules, black: white, white: black, timing: game.timing, ...(openingRule && { openingRule }) }, game.rules)
  }

  /** Opens a record; one with several games is offered for choice. */
  import(text: string, index?: number) {
    this.#importing = text
    this.choices = null
    const game = this.#page.game?.rules.name
    this.#page.send({ type: 'import', text, ...(game && { game }), ...(index !== undefined && { index }) })
  }

  /** Shows a game of a run on the board; games count from 1. */
  replay(run: string, game: number) {
    this.#page.address.go({ view: 'replay', run, game })
    this.goTo(this.#page.address.place)
  }

  /** Back to the board, whatever it shows. */
  showBoard() {
    const { board, game, address } = this.#page
    const own = board && !game?.puzzle ? { link: board.link } : {}
    address.go({ view: 'board', ...own })
    // From a puzzle back to the game before.
    if (game?.puzzle) this.resume()
  }

  /** Begins a game from a position of the explorer. */
  playFrom(link: string) {
    const { address } = this.#page
    address.go({ view: 'board', link })
    this.goTo(address.place)
  }

  openStored(id: string) {
    if (this.#page.address.place.view !== 'board') this.showBoard()
    this.#page.send({ type: 'open', id })
  }

  /** Deletes a stored game; for a while it can be brought back. */
  forget(id: string) {
    this.#page.send({ type: 'forget', id })
    this.#page.notices.offerUndo(t.games.forgotten, () => this.#page.send({ type: 'remember', id }))
  }

  /** Opens a position that was set up by hand, to be solved: its page is gone to when the win is proved. */
  setUpPuzzle(setup: NewSetup) {
    this.#page.puzzles.clear()
    this.#page.send({ type: 'setup', setup, puzzle: true })
  }

  /** Opens a position that was set up by hand. */
  setUp(setup: NewSetup) {
    this.#page.address.go({ view: 'board' })
    this.#page.send({ type: 'setup', setup })
  }

  /** Opens what the address names, or the game that was on the board. */
  resume() {
    // The link of a room leads to its game by itself.
    if (room) return void this.#page.answered()
    const { place } = this.#page.address
    if (place.view === 'replay' || place.view === 'puzzle') return this.goTo(place)
    const id = sessionStorage.getItem(GAME_KEY) ?? undefined
    const link = place.view === 'board' ? place.link : undefined
    this.#page.send({ type: 'open', ...(id && { id }), ...(link && { link }) })
  }

  /** Asks for what an address names, unless it is on the board already. */
  goTo(place: Place) {
    const { board, game, puzzles } = this.#page
    if (place.view === 'replay') {
      const name = `${place.run}/${place.game}`
      if (this.#replayed === name) return
      this.#replayed = name
      this.#page.send({ type: 'replay', run: place.run, number: place.game - 1 })
    } else if (place.view === 'puzzle' && game?.puzzle?.id !== place.puzzle) {
      puzzles.begin(place.puzzle)
    } else if (place.view === 'board' && place.link && place.link !== board?.link) {
      this.resume()
    }
  }

  hear(message: Extract<ToPage, { type: 'stored' | 'choices' }>) {
    if (message.type === 'stored') this.stored = message
    else this.choices = { text: this.#importing ?? '', titles: message.titles }
  }

  /** What was asked for is refused. */
  refused() {
    this.#importing = null
  }

  /** What was on the board may be another game now. */
  disconnected() {
    this.#replayed = null
  }

  /** Something was added to the game of a run: now it is the player's own. */
  grown() {
    this.#replayed = null
  }

  /** A game of the server is on the board. */
  entered(game: GameView) {
    if (!game.puzzle && !room) sessionStorage.setItem(GAME_KEY, game.id)
  }

  /** A position is on the board: the address follows it. What there is to say of a record that was opened. */
  shown(game: GameView, board: BoardView): string | null {
    const { address } = this.#page
    const said = this.#importing === null ? null : openedText(game, board)
    this.#importing = null
    const { view } = address.place
    if (view === 'editor' && game.puzzle) address.go({ view: 'puzzle', puzzle: game.puzzle.id })
    if (view === 'puzzle' && !game.puzzle) address.keep({ view: 'board', link: board.link })
    if (view === 'board' || (view === 'replay' && !this.#replayed)) address.keep({ view: 'board', link: board.link })
    return said
  }
}
