/** How the board of a game is drawn: as points, squares or a rack, and where each cell lies. */

import type { RulesView } from '../wire.ts'
import { column, row } from './cells.ts'

/** The side of a cell in the drawing's own units. */
export const U = 32

export interface Drawing {
  rules: RulesView
  look: 'rack' | 'squares' | 'points'
  /** Letters of about the same size on the screen, whatever the board's. */
  letter: number
  /** Lines and edges of about the same strength on the screen, too. */
  fine: number
  /** Of a stone. */
  radius: number
  /** The cells alone, without a margin. */
  width: number
  height: number
  /** The middle of a cell. */
  x: (cell: number) => number
  y: (cell: number) => number
  /** The lines of the grid. */
  grid: string
}

export function drawing(rules: RulesView): Drawing {
  const side = Math.max(rules.width, rules.height)
  const look = rules.gravity ? 'rack' : Math.min(rules.width, rules.height) < 7 ? 'squares' : 'points'
  return {
    rules,
    look,
    letter: Math.min(Math.max(side * 0.54, 5.5), 11),
    fine: Math.min(Math.max(side / 15, 0.3), 1),
    radius: look === 'rack' ? U * 0.41 : look === 'points' ? U * 0.46 : U * 0.4,
    width: rules.width * U,
    height: rules.height * U,
    x: (cell) => (column(rules, cell) + 0.5) * U,
    y: (cell) => (rules.height - row(rules, cell) - 0.5) * U,
    grid: grid(rules, look),
  }
}

/** A line between the middles of two cells. */
export const between = ({ x, y }: Drawing, from: number, to: number): string => `M${x(from)} ${y(from)}L${x(to)} ${y(to)}`

function grid({ width, height }: RulesView, look: Drawing['look']): string {
  const [w, h] = [width * U, height * U]
  const lines: string[] = []
  if (look === 'points') {
    for (let c = 0; c < width; c++) lines.push(`M${(c + 0.5) * U} ${U / 2}V${h - U / 2}`)
    for (let r = 0; r < height; r++) lines.push(`M${U / 2} ${(r + 0.5) * U}H${w - U / 2}`)
  } else if (look === 'squares') {
    for (let c = 0; c <= width; c++) lines.push(`M${c * U} 0V${h}`)
    for (let r = 0; r <= height; r++) lines.push(`M0 ${r * U}H${w}`)
  }
  return lines.join('')
}
