/** The board as a picture that stands alone: an SVG with no style sheet, from which PNGs are made. */

import type { RulesView } from '../wire.ts'
import { column, columnName, row, starPoints, type Stone } from './cells.ts'

export const U = 32
/** Left of the cells and below them: for letters and numbers. */
export const MARGIN = 26
/** Above and right of them. */
export const PAD = 8

/** The colours of a picture: wood and stones, or a blue rack with red and yellow discs. */
const WOOD = {
  board: '#e0bd8b', line: '#7b5a34', hole: '#b58a55', text: '#543a1c', win: '#c4452a',
  black: { fill: '#2b2723', edge: '#0d0b09', text: '#f5efe0' },
  white: { fill: '#f7f1e3', edge: '#8f8369', text: '#2b2723', mark: '#a89b7d' },
}
const RACK: typeof WOOD = {
  board: '#3a6cb8', line: '#1f4380', hole: '#f1ece1', text: '#ffffff', win: '#ffffff',
  black: { fill: '#cf2f1d', edge: '#7a130a', text: '#ffffff' },
  white: { fill: '#f7cf2f', edge: '#8f6b05', text: '#3a2a00', mark: '#9c7404' },
}

export interface Picture {
  svg: string
  width: number
  height: number
}

export function picture(
  rules: RulesView,
  stones: readonly Stone[],
  rows: readonly (readonly number[])[],
  numbers: boolean,
  /** What is drawn over all of it. */
  over = '',
): Picture {
  const paint = rules.gravity ? RACK : WOOD
  const w = rules.width * U
  const h = rules.height * U
  const width = w + MARGIN + PAD
  const height = h + MARGIN + PAD
  const x = (cell: number) => MARGIN + (column(rules, cell) + 0.5) * U
  const y = (cell: number) => PAD + (rules.height - row(rules, cell) - 0.5) * U
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<rect width="${width}" height="${height}" rx="8" fill="${paint.board}"/>`,
  ]
  if (rules.gravity) {
    for (let cell = 0; cell < rules.width * rules.height; cell++) {
      parts.push(`<circle cx="${x(cell)}" cy="${y(cell)}" r="13.4" fill="${paint.hole}" stroke="${paint.line}"/>`)
    }
  } else {
    let d = ''
    for (let c = 0; c < rules.width; c++) d += `M${MARGIN + (c + 0.5) * U} ${PAD + U / 2}v${h - U}`
    for (let r = 0; r < rules.height; r++) d += `M${MARGIN + U / 2} ${PAD + (r + 0.5) * U}h${w - U}`
    parts.push(`<path d="${d}" stroke="${paint.line}" stroke-width="0.9" fill="none"/>`)
    for (const cell of starPoints(rules)) {
      parts.push(`<circle cx="${x(cell)}" cy="${y(cell)}" r="2.4" fill="${paint.line}"/>`)
    }
  }
  const text = (at: [number, number], size: number, fill: string, words: string | number) =>
    `<text x="${at[0]}" y="${at[1]}" font-family="sans-serif" font-size="${size}" fill="${fill}" text-anchor="middle">${words}</text>`
  for (let c = 0; c < rules.width; c++) {
    parts.push(text([MARGIN + (c + 0.5) * U, height - 9], 10, paint.text, columnName(c)))
  }
  for (let r = 0; r < rules.height; r++) {
    parts.push(text([MARGIN / 2, PAD + h - (r + 0.5) * U + 4], 10, paint.text, r + 1))
  }
  for (const stone of stones) {
    const [cx, cy] = [x(stone.cell), y(stone.cell)]
    const { fill, edge, text: ink } = paint[stone.colour]
    parts.push(`<circle cx="${cx}" cy="${cy}" r="14" fill="${fill}" stroke="${edge}"/>`)
    if (numbers && stone.number > 0) {
      parts.push(text([cx, cy + 4.4], stone.number > 99 ? 10 : 12.5, ink, stone.number))
    } else if (stone.colour === 'white') {
      parts.push(`<circle cx="${cx}" cy="${cy}" r="10" fill="none" stroke="${paint.white.mark}"/>`)
    }
  }
  for (const line of rows) {
    const [from, to] = [line[0]!, line.at(-1)!]
    parts.push(`<path d="M${x(from)} ${y(from)}L${x(to)} ${y(to)}" stroke="${paint.win}" stroke-width="5" stroke-linecap="round" opacity="0.85"/>`)
  }
  parts.push(over, '</svg>')
  return { svg: parts.join(''), width, height }
}

/** Draws the picture twice as large, for sharp screens. */
export async function toPng({ svg, width, height }: Picture): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
  try {
    const image = new Image()
    image.src = url
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = width * 2
    canvas.height = height * 2
    canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height)
    return await new Promise((resolve, reject) =>
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png'))
  } finally {
    URL.revokeObjectURL(url)
  }
}
