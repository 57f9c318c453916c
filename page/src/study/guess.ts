/** Guess the move: the reader plays one side, and is told whether the author plays so too. Stones of a turn come in any order. */

import { other } from '../lib/cells.ts'
import type { Colour } from '../wire.ts'
import { path, playable, shown, turn, turns, type Chapter, type Node } from './model.ts'

export type Verdict =
  | { type: 'asked' }
  /** More stones of the turn are wanted. */
  | { type: 'more'; left: number }
  | { type: 'right' | 'alternative'; node: Node; reply: Node | null }
  /** `node`: where the author shows it as a mistake. */
  | { type: 'wrong'; node: Node | null }
  | { type: 'shown'; node: Node; reply: Node | null }

export class Guess {
  readonly chapter: Chapter
  readonly side: Colour
  /** Where the turn begins that is asked for, or where everything ends. */
  from: Node
  /** Stones of the turn that were right. */
  placed: number[] = []
  /** Turns that were found, and those found at the first try. */
  asked = 0
  found = 0
  verdict: Verdict = { type: 'asked' }
  #missed = false

  constructor(chapter: Chapter, side: Colour = chapter.guess ?? chapter.toMove) {
    this.chapter = chapter
    this.side = side
    this.from = chapter.root
    this.#reply()
  }

  /** Whether nothing is left to guess. */
  get over(): boolean {
    return !this.#good().length
  }

  #placedFrom = (end: Node) => path(end).slice(path(this.from).length).map(({ cell }) => cell!)
  #isBad = (end: Node) => path(end).slice(path(this.from).length).some(({ bad }) => bad)
  #good = () => turns(this.chapter, this.from).filter((end) => end !== this.from && !this.#isBad(end))

  try(over: number): Verdict {
    const { stones, rows } = shown(this.chapter, this.from)
    const placed = this.placed.map((cell) => ({ cell, colour: this.side, number: 0 }))
    const cell = playable(this.chapter, { stones: [...stones, ...placed], rows, toMove: this.side, left: 1 }, over)
    if (cell === null || this.over) return this.verdict
    const cells = [...this.placed, cell]
    const fits = (end: Node) => cells.every((cell) => this.#placedFrom(end).includes(cell))
    const good = this.#good()
    const end = good.find(fits)
    if (!end) {
      this.#missed = true
      const shownAs = turns(this.chapter, this.from).find((end) => end !== this.from && fits(end))
      return (this.verdict = { type: 'wrong', node: shownAs ?? null })
    }
    this.placed = cells
    const left = this.#placedFrom(end).length - cells.length
    if (left > 0) return (this.verdict = { type: 'more', left })
    return this.#complete(end, end === good[0] ? 'right' : 'alternative')
  }

  /** Plays the author's turn. */
  show(): Verdict {
    const end = this.#good()[0]
    if (!end) return this.verdict
    this.#missed = true
    return this.#complete(end, 'shown')
  }

  #complete(node: Node, type: 'right' | 'alternative' | 'shown'): Verdict {
    this.asked += 1
    if (!this.#missed) this.found += 1
    this.#missed = false
    this.from = node
    this.placed = []
    return (this.verdict = { type, node, reply: this.#reply() })
  }

  /** Goes through the other side's main line; returns where it leads, if it does. */
  #reply(): Node | null {
    let at = this.from
    const toMove = () => turn(this.chapter, path(at).length - 1).toMove
    while (toMove() === other(this.side) && at.children[0]) at = at.children[0]
    const moved = at !== this.from
    this.from = at
    return moved ? at : null
  }
}
