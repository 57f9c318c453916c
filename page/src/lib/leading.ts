/** The first turns of the analyst's best lines, as they are drawn on the board. */

import type { BoardView, EngineLine, RulesView } from '../wire.ts'
import { inTurns } from './turns.ts'

/** Only the leading turns are drawn: more would hide the position. */
const MAX_LEADING = 3

export interface Leading {
  /** 0 for the best. */
  rank: number
  cells: number[]
  /** Those that no better turn has; a cell belongs to the best that has it. */
  own: number[]
}

/** The worst first, so that the best is drawn over the others. */
export function leading(
  board: BoardView, rules: RulesView, lines: readonly EngineLine[], taken: ReadonlySet<number>,
): Leading[] {
  const seen = new Set<number>()
  return lines.slice(0, MAX_LEADING).map((line, rank) => {
    const cells = inTurns(board, rules, line.cells)[0]?.cells ?? []
    const own = cells.filter((cell) => !seen.has(cell) && !taken.has(cell))
    own.forEach((cell) => seen.add(cell))
    return { rank, cells, own }
  }).reverse()
}
