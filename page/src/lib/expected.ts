/** A game as the server will confirm it in a moment, so that its first stone can be clicked at once. */

import type { BoardView, GameView, NewGame, RulesView } from '../wire.ts'

/** The name of a game that the server has not confirmed yet. */
export const EXPECTED = 'expected'

/** What it offers besides stones is not known yet. */
export const expectedGame = ({ black, white, timing }: NewGame, rules: RulesView): GameView => ({
  id: EXPECTED, rules, seats: [black, white], timing, setup: [[], []], firstToMove: 'black', firstStones: rules.q,
  info: [], levels: [], analyst: null, formats: [], overlays: [], puzzle: null, replay: null,
})

export const expectedBoard = ({ q }: RulesView): BoardView => ({
  node: 0, moves: [], colours: '', toMove: 'black', stonesLeft: q, turnStones: q, ending: null, rows: [], forbidden: [],
  live: true, opening: null, paused: false, paceMs: 0, clock: null, link: '', canUndo: false, canRedo: false, why: null,
})
