/** The review of the game shown: how far it is, and what it found. */

import type { ReviewView, ToPage, TurnGrade, TurnReview } from '../wire.ts'
import type { Page } from './page.svelte.ts'

export const SIGNS: Record<TurnGrade, string> = { good: '', inaccuracy: '?!', mistake: '?', blunder: '??' }

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

  start() {
    this.found = null
    this.#page.send({ type: 'review', on: true, effort: this.effort })
  }

  stop() {
    this.#page.send({ type: 'review', on: false })
  }

  hear(message: Extract<ToPage, { type: 'reviewed' | 'review' }>) {
    if (message.type === 'reviewed') this.progress = message.done < message.of ? message : null
    else {
      this.found = message.review
      this.progress = null
    }
  }

  clear() {
    this.progress = this.found = null
  }
}
