/**
 * The rules of the games in pictures, and the tutorial: positions with the turns that are right in them. They are judged
 * here, so that they need no game and no server. What each says is in the tables of texts, in the same order.
 */

import type { Colour, RulesView } from '../wire.ts'
import { columnName } from './cells.ts'

export const TOPICS = ['connect4', 'gomoku', 'renju', 'connect6', 'tutorial'] as const
export type Topic = (typeof TOPICS)[number]

/** A turn that is asked for. */
export interface Step {
  /** Sets of cells, any of which is right; `*` is any cell. */
  right: string[]
  /** What the other side answers. */
  reply?: string
}

export interface Picture {
  width: number
  height: number
  /** Stones in a row that win, where the last step completes one. */
  row?: number
  gravity?: boolean
  /** Black's and White's stones. */
  black: string
  white: string
  turn: Colour
  /** Whether the cell that is asked for is one that Black may not take: nothing is placed there. */
  forbidden?: boolean
  steps: Step[]
}

const board = (size: number, turn: Colour, black: string, white: string, ...right: string[]): Picture =>
  ({ width: size, height: size, black, white, turn, steps: [{ right }] })
const rack = (black: string, white: string, ...right: string[]): Picture =>
  ({ ...board(7, 'black', black, white, ...right), height: 6, gravity: true })
const won = (row: number, picture: Picture): Picture => ({ ...picture, row })
const forbidden = (black: string, ...right: string[]): Picture =>
  ({ ...board(9, 'black', black, '', ...right), forbidden: true })

const FOUR_THREE = 'c4 d4 e4 f5 f6'

export const PICTURES: Record<Topic, Picture[]> = {
  connect4: [
    rack('', '', 'd1'),
    won(4, rack('b1 c1 d1', 'b2 c2 g1', 'a1', 'e1')),
    won(4, rack('d1 d2 d3', 'c1 c2 e1', 'd4')),
    won(4, rack('a1 b2 c3 d1', 'b1 c1 c2 d2 d3', 'd4')),
    rack('b1 c2 d2', 'c1 d1 e1', 'f1'),
    rack('c1 d1', 'c2 d2', 'e1', 'b1'),
  ],
  gomoku: [
    board(9, 'black', '', '', 'e5'),
    won(5, board(9, 'black', 'c5 d5 e5 f5', 'c6 d4 e6 g4', 'b5', 'g5')),
    won(5, board(9, 'black', 'c3 d4 e5 f6', 'b2 d5 e4 c5', 'g7')),
    board(9, 'black', 'b5 d6 e4', 'c5 d5 e5 f5', 'g5'),
    board(9, 'black', 'e6 d4', 'd5 e5 f5', 'c5', 'g5'),
    board(9, 'black', FOUR_THREE, 'b4 d6 h7 b7', 'f4'),
  ],
  renju: [
    won(5, board(9, 'black', 'c5 d5 e5 f5', 'b5 d6 e4 g6', 'g5')),
    forbidden('b5 c5 d5 f5 g5', 'e5'),
    forbidden('c5 d5 e5 f6 f7 f8', 'f5'),
    forbidden('d5 e5 f6 f7', 'f5'),
    won(5, board(9, 'black', 'c5 d5 e5 f5 g6 g7 g8', 'b5 d6 e4', 'g5')),
    won(5, board(9, 'white', 'b6 c4 e4 f7', 'b5 c5 d5 f5 g5', 'e5')),
  ],
  connect6: [
    board(11, 'black', '', '', 'f6'),
    board(11, 'white', 'f6', '', '* *'),
    won(6, board(11, 'black', 'c6 d6 e6 f6', 'd7 e5 f7 c4', 'g6 h6', 'b6 g6', 'a6 b6')),
    won(6, board(11, 'black', 'c6 d6 e6 h6 i6', 'b6 j6 e7 d5', 'f6 g6')),
    board(11, 'white', 'd6 e6 f6 g6', 'e7 f5', 'c6 h6', 'c6 i6', 'b6 h6'),
    board(11, 'black', 'd6 e6 f6 g3 g4 g5', 'e7 f4 h3 d8', 'g6 *'),
  ],
  tutorial: [
    won(5, board(9, 'black', 'c5 d5 e5 f5', 'c6 d4 e6 g4', 'b5', 'g5')),
    board(9, 'black', 'b4 d5 e3', 'c4 d4 e4 f4', 'g4'),
    board(9, 'black', 'd5 e5 f5', 'd6 e4 f7', 'c5', 'g5'),
    board(9, 'black', 'd7 e5', 'd6 e6 f6', 'c6', 'g6'),
    board(9, 'black', 'd5 e5', 'd6 e4', 'f5', 'c5'),
    board(9, 'black', FOUR_THREE, 'b4 d6 h7 b7', 'f4'),
    board(9, 'black', 'd5 e5 f6 f7', 'c7 h3 b3 h8', 'f5'),
    {
      ...won(5, board(9, 'black', FOUR_THREE, 'b4 d6 h7 b7')),
      steps: [{ right: ['f4'], reply: 'g4' }, { right: ['f7'], reply: 'f8' }, { right: ['f3'] }],
    },
  ],
}

/** The cell of `h8` on the board of a picture. */
export function cellOf({ width }: Picture, name: string): number {
  const column = Array.from({ length: width }, (_, at) => columnName(at)).indexOf(name[0]!)
  return (Number(name.slice(1)) - 1) * width + column
}

export const cellsOf = (picture: Picture, names: string): number[] =>
  names.split(' ').filter(Boolean).map((name) => cellOf(picture, name))

/** The picture as rules to draw. */
export const rulesOf = ({ width, height, gravity = false, row = 5 }: Picture): RulesView =>
  ({ width, height, k: row, p: 1, q: 1, gravity, exact: false, fouls: 'none', name: '' })

/** How many stones a step asks for. */
export const stonesOf = (step: Step): number => step.right[0]!.split(' ').length

/** Whether the stones placed so far can still become a right turn. */
export function fits(picture: Picture, step: Step, cells: readonly number[]): boolean {
  return step.right.some((set) => {
    const names = set.split(' ')
    const wanted = cellsOf(picture, names.filter((name) => name !== '*').join(' '))
    const others = cells.filter((cell) => !wanted.includes(cell)).length
    return others <= names.length - wanted.length
  })
}

/** The longest row of a colour through any of its stones. */
export function longest({ width, height }: Picture, stones: readonly number[]): number[] {
  const own = new Set(stones)
  let best: number[] = []
  for (const start of stones) {
    for (const [dx, dy] of [[1, 0], [0, 1], [1, 1], [1, -1]] as const) {
      const row: number[] = []
      let [x, y] = [start % width, Math.floor(start / width)]
      while (x >= 0 && y >= 0 && x < width && y < height && own.has(y * width + x)) {
        row.push(y * width + x)
        ;[x, y] = [x + dx, y + dy]
      }
      if (row.length > best.length) best = row
    }
  }
  return best
}
