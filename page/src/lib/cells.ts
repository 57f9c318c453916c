/** Cells, colours and turns as the page needs them before the server has answered. */

import type { BoardView, Colour, GameView, RulesView } from '../wire.ts'

/** A stone as it is drawn. */
export interface Stone {
  cell: number
  colour: Colour
  /** Its place in the order of stones, from 1; 0 for a set-up stone. */
  number: number
}

export const column = (rules: RulesView, cell: number): number => cell % rules.width
export const row = (rules: RulesView, cell: number): number => Math.floor(cell / rules.width)

/** `a` … `z`, `aa`, … */
export function columnName(column: number): string {
  const letter = (n: number) => String.fromCharCode(97 + (n % 26))
  return column < 26 ? letter(column) : letter(Math.floor(column / 26) - 1) + letter(column)
}

/** `j10` */
export const cellName = (rules: RulesView, cell: number): string =>
  columnName(column(rules, cell)) + (row(rules, cell) + 1)

export const other = (colour: Colour): Colour => (colour === 'black' ? 'white' : 'black')

/** The cell a stone lands on when it is let go over a cell, or nothing when there is no room. */
export function landing(rules: RulesView, taken: ReadonlySet<number>, cell: number): number | null {
  if (!rules.gravity) return taken.has(cell) ? null : cell
  for (let at = column(rules, cell); at < rules.width * rules.height; at += rules.width) {
    if (!taken.has(at)) return at
  }
  return null
}

/** Whose turn it is, with how many stones left, after this many more stones. */
export function turnAfter(
  board: BoardView,
  rules: RulesView,
  more: number,
): { toMove: Colour; left: number; of: number } {
  let { toMove, stonesLeft: left, turnStones: of } = board
  for (let n = 0; n < more; n++) {
    left -= 1
    if (left === 0) {
      toMove = other(toMove)
      left = of = rules.p
    }
  }
  return { toMove, left, of }
}

/** The stones on the board: those set up, those of the path, and those not confirmed yet. */
export function stonesOf(game: GameView, board: BoardView, pending: readonly number[]): Stone[] {
  const colours = ['black', 'white'] as const
  return [
    ...game.setup.flatMap((cells, at) => cells.map((cell) => ({ cell, colour: colours[at]!, number: 0 }))),
    ...board.moves.map((cell, at): Stone =>
      ({ cell, colour: board.colours[at] === 'b' ? 'black' : 'white', number: at + 1 })),
    ...pending.map((cell, at) =>
      ({ cell, colour: turnAfter(board, game.rules, at).toMove, number: board.moves.length + at + 1 })),
  ]
}

/** The stones of the last complete turn and of the one being played: what an eye looks for. */
export function lastTurn(stones: readonly Stone[]): Set<number> {
  const last = stones.at(-1)
  const cells = new Set<number>()
  for (let at = stones.length - 1; at >= 0; at--) {
    const stone = stones[at]!
    if (stone.number === 0 || stone.colour !== last?.colour) break
    cells.add(stone.cell)
  }
  return cells
}

/** The points that are marked on a board of this size, as on boards of Go. */
export function starPoints(rules: RulesView): number[] {
  const { width, height } = rules
  if (rules.gravity || width < 13 || height < 13) return []
  const along = (side: number) =>
    side % 2 === 1 ? [3, (side - 1) / 2, side - 4] : [3, side - 4]
  return along(height).flatMap((y) => along(width).map((x) => y * width + x))
}
