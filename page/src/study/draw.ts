/** The board of a study: stones as on every picture, drawings over them, and cells that a keyboard or a finger finds. */

import { MARGIN, PAD, picture, U } from '../lib/picture.ts'
import type { RulesView } from '../wire.ts'
import type { Ink, Mark, Shown } from './model.ts'

/** Each stands out on wood, on the rack and on stones: a pale edge is drawn under it. */
export const COLOURS: Record<Ink, string> = { plain: '#14394f', red: '#b3200f', green: '#176b36', blue: '#1d53c4', yellow: '#e6a800' }
const EDGE = '#fffdf5'

const x = ({ width }: RulesView, cell: number) => MARGIN + ((cell % width) + 0.5) * U
const y = ({ width, height }: RulesView, cell: number) => PAD + (height - Math.floor(cell / width) - 0.5) * U

/** What is drawn on the board, as SVG. Labels are the only text in it, and are escaped. */
export function marks(rules: RulesView, drawn: readonly Mark[]): string {
  // Arrows last: what they lead to stays in sight.
  const isLine = ({ shape }: Mark) => shape === 'arrow' || shape === 'line'
  return [...drawn.filter((mark) => !isLine(mark)), ...drawn.filter(isLine)].map((mark) => one(rules, mark)).join('')
}

function one(rules: RulesView, mark: Mark): string {
  const [cx, cy] = [x(rules, mark.cell), y(rules, mark.cell)]
  const colour = COLOURS[mark.ink]
  const twice = (d: string) =>
    `<path d="${d}" stroke="${EDGE}" stroke-width="6" /><path d="${d}" stroke="${colour}" stroke-width="3.2" />`
  const group = (inner: string) =>
    `<g data-mark="${mark.shape}" data-cell="${mark.cell}" fill="none" stroke-linecap="round" stroke-linejoin="round">${inner}</g>`
  switch (mark.shape) {
    case 'circle': return group(twice(`M${cx - 9} ${cy}a9 9 0 1 1 18 0a9 9 0 1 1 -18 0`))
    case 'square': return group(twice(`M${cx - 8} ${cy - 8}h16v16h-16z`))
    case 'triangle': return group(twice(`M${cx} ${cy - 10}l9 15.6h-18z`))
    case 'cross': return group(twice(`M${cx - 7.5} ${cy - 7.5}l15 15m0 -15l-15 15`))
    case 'label': {
      const label = mark.label ?? ''
      const size = label.length > 2 ? 11 : 16
      return group(`<text x="${cx}" y="${cy + size * 0.36}" font-family="sans-serif" font-weight="700" font-size="${size}" text-anchor="middle"
        fill="${colour}" stroke="${EDGE}" stroke-width="4" paint-order="stroke">${escaped(label)}</text>`)
    }
    case 'line': case 'arrow': {
      const [tx, ty] = [x(rules, mark.to!), y(rules, mark.to!)]
      const length = Math.hypot(tx - cx, ty - cy)
      const [ux, uy] = [(tx - cx) / length, (ty - cy) / length]
      if (mark.shape === 'line') return group(twice(`M${cx} ${cy}L${tx} ${ty}`))
      const [px, py] = [tx - ux * 2, ty - uy * 2]
      const wing = (side: number) => `${px - ux * 11 - uy * 7 * side} ${py - uy * 11 + ux * 7 * side}`
      const head = `M${px} ${py}L${wing(1)}L${wing(-1)}z`
      const shaft = `M${cx + ux * 5} ${cy + uy * 5}L${px - ux * 9} ${py - uy * 9}`
      return group(`<g opacity="0.9">${twice(shaft)}<path d="${head}" fill="${colour}" stroke="${EDGE}" stroke-width="1.4" /></g>`)
    }
  }
}

export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** The board with its drawings. */
export const board = (rules: RulesView, { stones, rows }: Shown, drawn: readonly Mark[], numbers: boolean, over = ''): string =>
  picture(rules, stones, rows, numbers, (numbers ? '' : last(rules, stones)) + marks(rules, drawn) + over).svg

/** Without numbers the last stone has a dot. */
function last(rules: RulesView, stones: Shown['stones']): string {
  const stone = stones.at(-1)
  if (!stone?.number) return ''
  return `<circle cx="${x(rules, stone.cell)}" cy="${y(rules, stone.cell)}" r="4" fill="${stone.colour === 'black' ? '#ffd27a' : '#17507a'}" />`
}

/** The cell under a place on the screen, or nothing beside the board. */
export function cellAt({ width, height }: RulesView, svg: Element, { clientX, clientY }: { clientX: number; clientY: number }): number | null {
  const box = svg.getBoundingClientRect()
  const scale = (width * U + MARGIN + PAD) / box.width
  const column = Math.floor(((clientX - box.left) * scale - MARGIN) / U)
  const row = height - 1 - Math.floor(((clientY - box.top) * scale - PAD) / U)
  return column >= 0 && row >= 0 && column < width && row < height ? row * width + column : null
}

/** Cells as a screen reader hears them, and the one that the keys are at: it shows while the board has the focus. */
export function cells(rules: RulesView, cursor: number, name: (cell: number) => string): string {
  const rows: string[] = []
  for (let row = rules.height - 1; row >= 0; row--) {
    const cell = (column: number) => row * rules.width + column
    const rects = Array.from({ length: rules.width }, (_, column) =>
      `<rect id="study-cell-${cell(column)}" role="gridcell" aria-label="${escaped(name(cell(column)))}" x="${MARGIN + column * U}" y="${y(rules, cell(column)) - U / 2}" width="${U}" height="${U}" fill="transparent" />`)
    rows.push(`<g role="row">${rects.join('')}</g>`)
  }
  const here = `<rect class="cursor" x="${x(rules, cursor) - U / 2 + 1.5}" y="${y(rules, cursor) - U / 2 + 1.5}" width="${U - 3}" height="${U - 3}" rx="5" fill="none" stroke="#1f6f8b" stroke-width="2.6" />`
  return rows.join('') + here
}

const STEPS: Record<string, readonly [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }

/** Where an arrow key leads from a cell, or null for other keys. */
export function stepped({ width, height }: RulesView, cell: number, key: string): number | null {
  const step = STEPS[key]
  if (!step) return null
  const within = (n: number, side: number) => Math.min(Math.max(n, 0), side - 1)
  return within(Math.floor(cell / width) + step[1], height) * width + within((cell % width) + step[0], width)
}
