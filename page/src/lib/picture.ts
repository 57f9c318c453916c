/** The board as a picture that stands alone: an SVG with no style sheet, from which PNGs are made. */

import type { RulesView } from '../wire.ts'
import { column, columnName, row, starPoints, type Stone } from './cells.ts'

const U = 32
const MARGIN = 26
const PAD = 8

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
): Picture {
  const w = rules.width * U
  const h = rules.height * U
  const width = w + MARGIN + PAD
  const height = h + MARGIN + PAD
  const x = (cell: number) => MARGIN + (column(rules, cell) + 0.5) * U
  const y = (cell: number) => PAD + (rules.height - row(rules, cell) - 0.5) * U
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<rect width="${width}" height="${height}" rx="8" fill="#e0bd8b"/>`,
  ]
  if (rules.gravity) {
    for (let cell = 0; cell < rules.width * rules.height; cell++) {
      parts.push(`<circle cx="${x(cell)}" cy="${y(cell)}" r="13.4" fill="#b58a55" stroke="#96703f"/>`)
    }
  } else {
    let d = ''
    for (let c = 0; c < rules.width; c++) d += `M${MARGIN + (c + 0.5) * U} ${PAD + U / 2}v${h - U}`
    for (let r = 0; r < rules.height; r++) d += `M${MARGIN + U / 2} ${PAD + (r + 0.5) * U}h${w - U}`
    parts.push(`<path d="${d}" stroke="#7b5a34" stroke-width="0.9" fill="none"/>`)
    for (const cell of starPoints(rules)) {
      parts.push(`<circle cx="${x(cell)}" cy="${y(cell)}" r="2.4" fill="#7b5a34"/>`)
    }
  }
  const text = (at: [number, number], size: number, fill: string, words: string | number) =>
    `<text x="${at[0]}" y="${at[1]}" font-family="sans-serif" font-size="${size}" fill="${fill}" text-anchor="middle">${words}</text>`
  for (let c = 0; c < rules.width; c++) {
    parts.push(text([MARGIN + (c + 0.5) * U, height - 9], 10, '#543a1c', columnName(c)))
  }
  for (let r = 0; r < rules.height; r++) {
    parts.push(text([MARGIN / 2, PAD + h - (r + 0.5) * U + 4], 10, '#543a1c', r + 1))
  }
  for (const stone of stones) {
    const [cx, cy] = [x(stone.cell), y(stone.cell)]
    const black = stone.colour === 'black'
    parts.push(`<circle cx="${cx}" cy="${cy}" r="14" fill="${black ? '#2b2723' : '#f7f1e3'}" stroke="${black ? '#0d0b09' : '#8f8369'}"/>`)
    if (numbers && stone.number > 0) {
      parts.push(text([cx, cy + 4.4], stone.number > 99 ? 10 : 12.5, black ? '#f5efe0' : '#2b2723', stone.number))
    } else if (!black) {
      parts.push(`<circle cx="${cx}" cy="${cy}" r="10" fill="none" stroke="#a89b7d"/>`)
    }
  }
  for (const line of rows) {
    const [from, to] = [line[0]!, line.at(-1)!]
    parts.push(`<path d="M${x(from)} ${y(from)}L${x(to)} ${y(to)}" stroke="#c4452a" stroke-width="5" stroke-linecap="round" opacity="0.85"/>`)
  }
  parts.push('</svg>')
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
