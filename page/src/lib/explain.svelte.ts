/** What is explained: the question on the screen, and the steps that answer it. */

import type { ExplainAsked, Explained, ToPage } from '../wire.ts'
import type { Page } from './page.svelte.ts'

export const IDEAS = ['windows', 'threats', 'promotions', 'minimax', 'steps', 'proof'] as const
export type Idea = (typeof IDEAS)[number]

/** What to begin with, and what else shows something. The first one is asked at once. */
export const EXAMPLES: { [I in Idea]: Extract<ExplainAsked, { idea: I }>[] } = {
  windows: [
    { idea: 'windows', line: '..XXXX..', k: 6, p: 2, colour: 'black', markAll: false },
    { idea: 'windows', line: '.XX.XX.XX.', k: 6, p: 2, colour: 'black', markAll: false },
    { idea: 'windows', line: 'O.XXX.X..X', k: 6, p: 2, colour: 'black', markAll: true },
    { idea: 'windows', line: '..XXX...', k: 5, p: 1, colour: 'black', markAll: false },
  ],
  threats: [
    { idea: 'threats', line: 'O.XX..X....OO..', k: 6, p: 2 },
    { idea: 'threats', line: '........XX.......', k: 6, p: 2 },
    { idea: 'threats', line: '...XXXX.O..OOO....', k: 6, p: 2 },
  ],
  promotions: [
    { idea: 'promotions', shape: '...XXX...', k: 6, p: 2 },
    { idea: 'promotions', shape: '..XX.X...', k: 6, p: 2 },
    { idea: 'promotions', shape: 'XX.X...', k: 5, p: 1 },
  ],
  minimax: [
    { idea: 'minimax', game: '4x3,k=3,gravity', moves: 'b1 a1 c1', plies: 2, prune: false },
    { idea: 'minimax', game: '4x3,k=3,gravity', moves: 'b1 a1 c1', plies: 3, prune: true },
    { idea: 'minimax', game: 'tictactoe', moves: 'b2 a1 b1 b3 c2', plies: 4, prune: true },
  ],
  // A loss to be stopped and remote columns; a win now or later; the figure of the text, 9 points.
  steps: [
    { idea: 'steps', game: 'connect4', moves: 'd1 c1 d2 c2 d3', plies: 4 },
    { idea: 'steps', game: '5x4,k=3,gravity', moves: 'b1 e1 c1 a1', plies: 4 },
    { idea: 'steps', game: '7x3,k=4,gravity', moves: 'b1 e1 c1 f1 d1 g1', plies: 1 },
  ],
  proof: [
    { idea: 'proof', game: 'gomoku', moves: 'g9 h6 f6 j8 f8 i7 g5 e7 g8 i8 f7 k9 l10 f5 h9 e6' },
    { idea: 'proof', game: 'connect6', moves: 'i8 i9 k11 k8 l8 j8 j10 j9 l7 l10 k10' },
    { idea: 'proof', game: 'connect4', moves: 'f1 b1 c1 c2 f2 b2 d1 e1 f3 f4 e2 d2 e3 c3' },
  ],
}

export const isIdea = (word: string): word is Idea => (IDEAS as readonly string[]).includes(word)

/** What a person types for an idea: a line, a shape, or the stones played. */
export const typedIn = (asked: ExplainAsked): string =>
  asked.idea === 'promotions' ? asked.shape : asked.idea === 'windows' || asked.idea === 'threats' ? asked.line : asked.moves

export class ExplainState {
  /** The latest question. */
  asked = $state.raw<ExplainAsked | null>(null)
  /** Its answer, once it is there; meanwhile the one before, where it is of the same idea. */
  explained = $state.raw<Explained | null>(null)
  /** Whether the answer is still to come. */
  waiting = $state(false)
  #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  ask(asked: ExplainAsked) {
    if (this.explained?.idea !== asked.idea) this.explained = null
    this.asked = asked
    this.waiting = true
    this.#page.send({ type: 'explain', asked })
  }

  /** An answer to an older question is dropped. */
  hear({ asked, explained }: Extract<ToPage, { type: 'explained' }>) {
    if (!this.asked || JSON.stringify(sorted(asked)) !== JSON.stringify(sorted(this.asked))) return
    this.explained = explained
    this.waiting = false
  }

  /** The question was refused, or the connection was lost. */
  forget() {
    this.waiting = false
  }
}

/** The same question in the same words, whatever the order of its parts. */
const sorted = (asked: ExplainAsked) => Object.entries(asked).sort(([a], [b]) => (a < b ? -1 : 1))
