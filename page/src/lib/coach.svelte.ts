/** The coach of a game against a computer: how much he says, his warning, what the opponent threatens. */

import { t } from '../texts.ts'
import type { BoardView, CoachDeed, CoachLevel, CoachView, CoachWarning, Colour, DangerView, ThreatSide, ToPage } from '../wire.ts'
import { cellName, other } from './cells.ts'
import type { Page } from './page.svelte.ts'
import { noted } from './progress.ts'

export const LEVELS: readonly CoachLevel[] = ['off', 'losses', 'mistakes', 'inaccuracies']

export class CoachState {
  view = $state.raw<CoachView | null>(null)
  /** Whether the better turn of a warning is shown. */
  revealed = $state(false)
  #danger = $state.raw<DangerView | null>(null)
  #page: Page
  /** The game that went on before this page's eyes, and how it ended. */
  #seen = ''
  #ended: { id: string; winner: Colour | null } | null = null

  constructor(page: Page) {
    this.#page = page
  }

  /** Whose turns are watched: those of the one person who plays a computer. */
  colour = $derived.by((): Colour | null => {
    const { game, friends } = this.#page
    if (!game || game.puzzle || friends.view || !game.analyst) return null
    const people = game.seats.filter(({ type }) => type === 'person').length
    return people === 1 ? (game.seats[0].type === 'person' ? 'black' : 'white') : null
  })
  level = $derived<CoachLevel>(this.view?.level ?? 'off')
  on = $derived(this.colour !== null && this.level !== 'off')
  says = $derived(this.view?.says ?? null)
  /** What is wrong with the turn on the board, or with the one that was taken back. */
  warning = $derived<CoachWarning | null>(this.says && 'warning' in this.says ? this.says.warning : null)
  warns = $derived(this.says?.type === 'warns')
  danger = $derived.by(() => this.#page.insights.ifHere(this.#danger))
  /** Cells that deserve a look: where the opponent answers, or would. */
  marks = $derived.by(() => (this.warns ? this.warning!.answer : this.danger?.turn ?? []))
  /** The better turn, where it was asked for. */
  better = $derived.by(() => {
    if (!this.revealed || !this.warning) return []
    return this.warning.better.filter((cell) => !this.#page.taken.has(cell))
  })
  sides = $derived.by((): { colour: Colour; side: ThreatSide }[] =>
    (this.danger ? [{ colour: this.danger.colour, side: this.danger.side }] : []))

  names(cells: readonly number[]): string {
    return cells.map((cell) => cellName(this.#page.game!.rules, cell)).join(' ')
  }

  /** What is wrong, in a sentence. */
  sentence({ kind, answer, colour }: Pick<CoachWarning, 'kind' | 'answer' | 'colour'>): string {
    return t.coach.kinds[kind](this.#page.side(other(colour)), this.names(answer))
  }

  /** What the opponent threatens, in a sentence. */
  dangerText({ colour, turn, turns }: DangerView): string {
    const who = this.#page.side(colour)
    if (!turns) return t.coach.noThreat(who)
    return turns === 1 ? t.coach.rowThreat(who, this.names(turn)) : t.coach.winThreat(who, this.names(turn), turns)
  }

  #ask(deed: CoachDeed) {
    this.#page.send({ type: 'coach', deed })
  }

  /** Says more or less from now on, in this game and the next. */
  setLevel(level: CoachLevel) {
    this.#page.settings.data.coach = level
    this.#page.saveSettings()
    if (this.colour) this.#ask({ type: 'level', level })
  }

  keep() {
    this.#ask({ type: 'keep' })
  }

  threats() {
    if (this.danger) this.#danger = null
    else this.#ask({ type: 'threats' })
  }

  hear(message: Extract<ToPage, { type: 'coach' | 'danger' }>) {
    if (message.type === 'danger') {
      this.#danger = message.danger
      this.#page.said = this.dangerText(message.danger)
      return
    }
    if (message.coach.says.type !== 'warns' && message.coach.says.type !== 'takenBack') this.revealed = false
    this.view = message.coach
  }

  /** Another game is on the board. */
  enter() {
    const { coach } = this.#page.settings.data
    if (this.colour && coach !== 'off') this.#ask({ type: 'level', level: coach })
  }

  clear() {
    this.view = null
    this.#danger = null
    this.#ended = null
  }

  /** A position is on the board: a game with the coach is reviewed when it ends. */
  shown(board: BoardView) {
    const { game, review } = this.#page
    if (!game || !this.colour) return
    if (!board.ending) {
      if (board.live) this.#seen = game.id
      return
    }
    this.#ended = { id: game.id, winner: board.ending.winner }
    if (this.on && this.#seen === game.id && !review.found && !review.progress) review.start(1)
    this.#seen = ''
  }

  /** A review of a finished game is a step of the progress. */
  reviewed() {
    const { game, review, settings } = this.#page
    if (!game || !this.colour || !review.found || this.#ended?.id !== game.id) return
    const { winner } = this.#ended
    const own = this.colour
    const opponent = game.seats[own === 'black' ? 1 : 0]
    settings.data.progress = noted(settings.data.progress, {
      id: game.id,
      at: Math.round(Date.now() / 1000),
      game: game.rules.name,
      level: opponent.type === 'agent' ? opponent.label || opponent.spec : '',
      result: winner === null ? 0 : winner === own ? 1 : -1,
      side: review.found.sides[own === 'black' ? 0 : 1].accuracy,
      turns: review.found.turns.filter(({ colour }) => colour === own),
    })
    this.#page.saveSettings()
  }
}
