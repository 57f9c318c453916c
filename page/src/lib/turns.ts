/** The move tree in whole turns: who placed each stone, where turns end, and the lines to show. */

import type { BoardView, Colour, GameView, NodeView, RulesView } from '../wire.ts'
import { other, turnAfter } from './cells.ts'

/** What the rules say of one node of the tree. */
export interface Placed {
  /** Whose stone it is; for the root, whose stone comes next. */
  colour: Colour
  /** The turn it belongs to, from 1; 0 for the root. */
  turn: number
  /** Stones of its turn that are still to come: with 0 the turn is complete. */
  left: number
}

/** Whose stone each node is, in the order of the nodes: a parent stands before its children. */
export function placed(game: GameView, nodes: readonly NodeView[]): Placed[] {
  const found: Placed[] = []
  for (const { parent } of nodes) {
    const before = parent === null ? undefined : found[parent]
    if (!before) found.push({ colour: game.firstToMove, turn: 0, left: 0 })
    else if (before.left > 0) found.push({ ...before, left: before.left - 1 })
    else if (before.turn === 0) found.push({ colour: before.colour, turn: 1, left: game.firstStones - 1 })
    else found.push({ colour: other(before.colour), turn: before.turn + 1, left: game.rules.p - 1 })
  }
  return found
}

export function childLists(nodes: readonly NodeView[]): number[][] {
  const lists: number[][] = nodes.map(() => [])
  nodes.forEach((node, at) => {
    if (node.parent !== null) lists[node.parent]?.push(at)
  })
  return lists
}

/** One turn of one line: all its stones, even those that another line shares. */
export interface Turn {
  number: number
  colour: Colour
  /** Its stones' nodes, the last one being where the turn leads. */
  nodes: number[]
  cells: number[]
  comment: string
}

/** A stretch of a line without branches. */
export interface Stretch {
  /** 0 for the main line. */
  depth: number
  turns: Turn[]
}

/** The ways to go on from a complete turn, each a whole turn as far as it was played; the main one first. */
function turnsAfter(node: number, children: readonly number[][], nodes: readonly NodeView[], of: readonly Placed[]): Turn[] {
  const found: Turn[] = []
  const open: number[][] = (children[node] ?? []).map((child) => [child]).reverse()
  while (open.length > 0) {
    const path = open.pop()!
    const last = path.at(-1)!
    const next = of[last]!.left > 0 ? children[last]! : []
    if (next.length > 0) {
      for (const child of [...next].reverse()) open.push([...path, child])
      continue
    }
    found.push({
      number: of[last]!.turn,
      colour: of[last]!.colour,
      nodes: path,
      cells: path.map((at) => nodes[at]!.cell!),
      comment: path.map((at) => nodes[at]!.comment).filter(Boolean).join('\n'),
    })
  }
  return found
}

/** The tree as stretches to write one below the other: after a turn come its alternatives, then the line goes on. */
export function stretches(game: GameView, nodes: readonly NodeView[]): Stretch[] {
  const of = placed(game, nodes)
  const children = childLists(nodes)
  const written: Stretch[] = []
  /** What is still to write, the next one last: a stack instead of recursion, since trees may be deep. */
  const open: { turn: Turn | null; after: number; depth: number }[] = [{ turn: null, after: 0, depth: 0 }]
  while (open.length > 0) {
    const { turn, after, depth } = open.pop()!
    const stretch: Stretch = { depth, turns: turn ? [turn] : [] }
    for (let at = after; ; ) {
      const [main, ...others] = turnsAfter(at, children, nodes, of)
      if (!main) break
      stretch.turns.push(main)
      at = main.nodes.at(-1)!
      if (others.length > 0) {
        open.push({ turn: null, after: at, depth })
        for (const turn of others.reverse()) open.push({ turn, after: turn.nodes.at(-1)!, depth: depth + 1 })
        break
      }
    }
    if (stretch.turns.length > 0) written.push(stretch)
  }
  return written
}

/** The path of nodes from the root to a node. */
export function pathTo(nodes: readonly NodeView[], node: number): number[] {
  const path: number[] = []
  for (let at: number | null = node; at !== null; at = nodes[at]?.parent ?? null) path.push(at)
  return path.reverse()
}

/** The last node of the line that goes on from a node. */
export function tipOf(nodes: readonly NodeView[], node: number): number {
  let tip = node
  for (let at = node + 1; at < nodes.length; at++) if (nodes[at]!.parent === tip) tip = at
  return tip
}

/** Where a step of a whole turn leads along a line, which is a path from the root. */
export function turnStep(line: readonly number[], of: readonly Placed[], from: number, way: 1 | -1): number {
  for (let at = line.indexOf(from) + way; at >= 0 && at < line.length; at += way) {
    if (of[line[at]!]!.left === 0 || at === line.length - 1) return line[at]!
  }
  return from
}

/** Cells that follow a board, cut into turns; the first one completes the turn under way. */
export function inTurns(board: BoardView, rules: RulesView, cells: readonly number[]): { colour: Colour; cells: number[] }[] {
  const turns: { colour: Colour; cells: number[] }[] = []
  let left = 0
  cells.forEach((cell, at) => {
    if (left === 0) {
      const turn = turnAfter(board, rules, at)
      left = turn.left
      turns.push({ colour: turn.toMove, cells: [] })
    }
    turns.at(-1)!.cells.push(cell)
    left -= 1
  })
  return turns
}
