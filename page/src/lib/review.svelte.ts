/** The review of the game shown: how far it is, and what it found. */

import { t } from '../texts.ts'
import type { Outlook, ReviewView, ToPage, TurnGrade, TurnReview } from '../wire.ts'
import { cellName } from './cells.ts'
import { playerName } from './naming.ts'
import type { Page } from './page.svelte.ts'

export const SIGNS: Record<TurnGrade, string> = { good: '', inaccuracy: '?!', mistake: '?', blunder: '??' }

/** What a position is worth to a player, in words. */
export function worth(outlook: Outlook): string {
  switch (outlook.type) {
    case 'win': return t.review.win(outlook.turns)
    case 'loss': return t.review.loss(outlook.turns)
    case 'draw': return t.review.draw
    case 'chance': return `${Math.round(outlook.chance * 100)} %`
  }
}

/** What a turn has cost. */
export function verdict({ grade, missedWin, had, got }: TurnReview): string {
  if (missedWin) return got.type === 'loss' ? t.review.missesAndLoses(worth(had), worth(got)) : t.review.misses(worth(had))
  return t.review.graded(t.analysis.grades[grade], worth(had), worth(got))
}

export class ReviewState {
  progress = $state.raw<{ done: number; of: number } | null>(null)
  found = $state.raw<ReviewView | null>(null)
  /** How hard the analyst looks, from 1 to 3. */
  effort = $state(2)

  #page: Page
  /** The reviewed turns by the index of their last node. */
  turns = $derived.by(() =>
    new Map<number, TurnReview>(this.found?.turns.map((turn) => [this.#page.tree.indexOf(turn.node), turn]) ?? []))
  /** The turns that lost something, in the order of the game. */
  mistakes = $derived([...this.turns].filter(([, { grade, missedWin }]) => grade !== 'good' || missedWin))

  constructor(page: Page) {
    this.#page = page
  }

  /** What happened, in a sentence or two. */
  story = $derived.by(() => {
    const { game, tree } = this.#page
    if (!this.found || !game) return []
    const at = (node: number | null) => (node === null ? undefined : this.turns.get(tree.indexOf(node)))
    const who = ({ colour }: TurnReview) => {
      const agent = game.seats[colour === 'black' ? 0 : 1].type === 'agent'
      return agent ? playerName(game, colour) : this.#page.side(colour)
    }
    const number = ({ node }: TurnReview) => tree.placed[tree.indexOf(node)]?.turn ?? 0
    const cells = ({ node }: TurnReview) =>
      tree.turnCells(tree.indexOf(node)).map((cell) => cellName(game.rules, cell)).join(' ')
    const [turned, won] = [at(this.found.turningPoint), at(this.found.wonFrom)]
    return [
      ...(turned ? [t.review.turned(number(turned), who(turned), cells(turned), verdict(turned))] : []),
      ...(won ? [t.review.wonFrom(number(won), who(won))] : []),
    ]
  })

  start(effort = this.effort) {
    this.found = null
    this.#page.practice.close()
    this.#page.send({ type: 'review', on: true, effort })
  }

  stop() {
    this.#page.send({ type: 'review', on: false })
  }

  hear(message: Extract<ToPage, { type: 'reviewed' | 'review' }>) {
    if (message.type === 'reviewed') this.progress = message.done < message.of ? message : null
    else {
      this.found = message.review
      this.progress = null
      this.#page.coach.reviewed()
    }
  }

  clear() {
    this.progress = this.found = null
  }
}
