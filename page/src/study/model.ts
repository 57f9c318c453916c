/** A study: chapters of positions with variations, words and drawings. Knows nothing of pages: exported files use it too. */

import { landing, type Stone } from '../lib/cells.ts'
import type { Colour, RulesView } from '../wire.ts'

/** What can be drawn on a cell, and between two. */
export const SHAPES = ['circle', 'cross', 'square', 'triangle', 'label', 'arrow', 'line'] as const
export type Shape = (typeof SHAPES)[number]
export const INKS = ['plain', 'red', 'green', 'blue', 'yellow'] as const
export type Ink = (typeof INKS)[number]

export interface Mark {
  shape: Shape
  cell: number
  /** Of arrows and lines. */
  to?: number
  /** Of labels. */
  label?: string
  ink: Ink
}

/** The position after a stone, or where a chapter begins. */
export interface Node {
  parent: Node | null
  /** Null where a chapter begins. */
  cell: number | null
  text: string
  marks: Mark[]
  /** A move that the author shows as a mistake. */
  bad: boolean
  /** The first goes on with the main line. */
  children: Node[]
}

export interface Chapter {
  title: string
  rules: RulesView
  /** Stones set up, and whose turn it is then. */
  black: number[]
  white: number[]
  toMove: Colour
  left: number
  /** Whose moves the reader is to find, if that is asked. */
  guess: Colour | null
  root: Node
}

export interface Study {
  title: string
  author: string
  /** `en` */
  language: string
  chapters: Chapter[]
}

/** What a study may have: files and links come from anywhere. */
export const LIMITS = {
  characters: 1_000_000, chapters: 100, nodes: 5000, text: 10_000, line: 200, label: 4, marks: 300, least: 1, most: 32,
} as const

export const node = (parent: Node | null, cell: number | null): Node =>
  ({ parent, cell, text: '', marks: [], bad: false, children: [] })

export const chapter = (rules: RulesView, title: string): Chapter =>
  ({ title, rules, black: [], white: [], toMove: 'black', left: rules.q, guess: null, root: node(null, null) })

/** A position on the way through a chapter. */
export interface Shown {
  stones: Stone[]
  toMove: Colour
  left: number
  /** Complete rows, as cells. */
  rows: number[][]
}

/** From where a chapter begins to a node, both included. */
export function path(to: Node): Node[] {
  const nodes: Node[] = []
  for (let at: Node | null = to; at; at = at.parent) nodes.push(at)
  return nodes.reverse()
}

const other = (colour: Colour): Colour => (colour === 'black' ? 'white' : 'black')

/** The position of a node. */
export function shown(chapter: Chapter, at: Node): Shown {
  const { rules } = chapter
  const stones: Stone[] = [
    ...chapter.black.map((cell): Stone => ({ cell, colour: 'black', number: 0 })),
    ...chapter.white.map((cell): Stone => ({ cell, colour: 'white', number: 0 })),
  ]
  const moves = path(at).flatMap(({ cell }) => (cell === null ? [] : [cell]))
  for (const [before, cell] of moves.entries()) stones.push({ cell, colour: turn(chapter, before).toMove, number: before + 1 })
  return { stones, ...turn(chapter, moves.length), rows: rowsOf(rules, stones) }
}

/** Whose turn it is after so many stones of a chapter, and how many are left of it. */
export function turn({ rules, toMove, left }: Chapter, stones: number): { toMove: Colour; left: number } {
  const later = stones - left
  if (later < 0) return { toMove, left: -later }
  return { toMove: Math.floor(later / rules.p) % 2 === 0 ? other(toMove) : toMove, left: rules.p - (later % rules.p) }
}

/** The cell where a stone over a cell comes to lie, or null where the position has no room for it or is decided. */
export function playable({ rules }: Chapter, { stones, rows }: Shown, cell: number): number | null {
  if (rows.length || cell < 0 || cell >= rules.width * rules.height) return null
  return landing(rules, new Set(stones.map((stone) => stone.cell)), cell)
}

const WAYS = [[1, 0], [0, 1], [1, 1], [1, -1]] as const

/** The complete rows. With rules of exactly so many a longer one counts for nobody; Black's in Renju neither. */
export function rowsOf(rules: RulesView, stones: readonly Stone[]): number[][] {
  const { width, height, k } = rules
  const colours = new Map(stones.map(({ cell, colour }) => [cell, colour]))
  const rows: number[][] = []
  for (const { cell, colour } of stones) {
    for (const [dx, dy] of WAYS) {
      const at = (steps: number) => {
        const [x, y] = [(cell % width) + dx * steps, Math.floor(cell / width) + dy * steps]
        return x >= 0 && y >= 0 && x < width && y < height ? y * width + x : -1
      }
      if (colours.get(at(-1)) === colour) continue
      let length = 1
      while (colours.get(at(length)) === colour) length++
      const exact = rules.exact || (rules.fouls !== 'none' && colour === 'black')
      if (exact ? length === k : length >= k) rows.push(Array.from({ length }, (_, steps) => at(steps)))
    }
  }
  return rows
}

/** Goes on with a stone: to the node that is there, or to a new one. */
export function play(from: Node, cell: number): Node {
  const there = from.children.find((child) => child.cell === cell)
  if (there) return there
  const next = node(from, cell)
  from.children.push(next)
  return next
}

/** All nodes, parents before children. */
export function nodesOf({ root }: Chapter): Node[] {
  const nodes = [root]
  for (let at = 0; at < nodes.length; at++) nodes.push(...nodes[at]!.children)
  return nodes
}

/** Where the main line from here ends. */
export function lastOf(from: Node): Node {
  let at = from
  while (at.children[0]) at = at.children[0]
  return at
}

/** The ways to play the rest of a turn from a node: where each leads, the author's first. */
export function turns(chapter: Chapter, from: Node): Node[] {
  const ends: Node[] = []
  const open: { at: Node; left: number }[] = [{ at: from, left: shown(chapter, from).left }]
  while (open.length) {
    const { at, left } = open.pop()!
    if (left === 0 || (at !== from && !at.children.length)) ends.push(at)
    else open.push(...at.children.map((child) => ({ at: child, left: left - 1 })).reverse())
  }
  return ends
}

/** Draws a mark, or takes it away where the same one is; another of its kind on the same place is replaced. */
export function draw(marks: readonly Mark[], mark: Mark): Mark[] {
  const isLine = (shape: Shape) => shape === 'arrow' || shape === 'line'
  const place = (one: Mark) => one.cell === mark.cell && one.to === mark.to && isLine(one.shape) === isLine(mark.shape)
  const same = marks.some((one) => place(one) && one.shape === mark.shape && one.ink === mark.ink && one.label === mark.label)
  const rest = marks.filter((one) => !place(one))
  return same ? rest : [...rest, mark].slice(-LIMITS.marks)
}

/** Takes away everything drawn on a cell, from it or to it. */
export const erase = (marks: readonly Mark[], cell: number): Mark[] =>
  marks.filter((mark) => mark.cell !== cell && mark.to !== cell)
