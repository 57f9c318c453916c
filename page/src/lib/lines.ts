/** The analyst's lines, best first for the side to move. */

import type { Colour, EngineLine } from '../wire.ts'

/** More than any number of turns until a win. */
const FAR = 1000

/** How good a line is for a side: wins above all chances, sooner wins first; losses below, later ones first. */
export function merit(line: EngineLine, side: Colour): number {
  switch (line.worth.type) {
    case 'win':
      return line.worth.winner === side ? 2 + 1 / (line.worth.turns + 1) : -2 + line.worth.turns / FAR
    case 'draw':
      return 0.5
    case 'chance':
      return side === 'black' ? line.chance : 1 - line.chance
  }
}

export const sorted = (lines: readonly EngineLine[], side: Colour): EngineLine[] =>
  lines.toSorted((a, b) => merit(b, side) - merit(a, side))
