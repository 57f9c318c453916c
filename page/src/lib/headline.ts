/** How the game stands, in one sentence: for the panel, the window's title and those who listen. */

import { t } from '../texts.ts'
import { endingText, playerName } from './naming.ts'
import type { Page } from './page.svelte.ts'

export function headlineOf(page: Page): string {
  const { board, game, turn } = page
  if (!board || !game) return t.status.connecting
  const room = board.ending ? null : page.friends.headline()
  if (room) return room
  const people = game.seats.filter(({ type }) => type === 'person')
  const seat = game.seats[page.acting === 'black' ? 0 : 1]
  if (board.ending) {
    const own = page.friends.you ?? (game.seats[0].type === 'person' ? 'black' : 'white')
    const verdict = (people.length === 1 || page.friends.you) && board.ending.winner
      ? `${board.ending.winner === own ? t.status.youWin : t.status.youLose} `
      : ''
    return verdict + endingText(board.ending, game)
  }
  if (people.length < 2 && board.paused) return t.status.paused
  const { turn: search } = page.insights.searches
  if (search && !search.done) return t.status.thinking(playerName(game, page.acting))
  if (page.openingStep) {
    if (page.openingStep.type === 'choose') return t.opening.choose
    return t.opening.place(page.openingStep.stones - page.hand.pending.length, page.side(turn.toMove))
  }
  const yours = people.length === 1 && seat.type === 'person' && board.live
  return yours ? t.status.yourTurn : t.status.toMove(page.side(turn.toMove))
}
