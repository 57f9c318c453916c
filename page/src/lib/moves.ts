/** The move tree as lines to show: turns grouped, variations indented below their branching point. */

import type { Colour, GameView, NodeView } from '../wire.ts'
import { other } from './cells.ts'

export interface MoveItem {
  node: number
  cell: number
  colour: Colour
  /** The number of the turn, where the stone begins one. */
  turn: number | null
  comment: string
}

export interface MoveBlock {
  /** 0 for the main line. */
  depth: number
  items: MoveItem[]
}

export function childLists(nodes: readonly NodeView[]): number[][] {
  const lists: number[][] = nodes.map(() => [])
  nodes.forEach((node, at) => {
    if (node.parent !== null) lists[node.parent]?.push(at)
  })
  return lists
}

/** Whose stone the next one is, and whether it begins a turn. */
interface Clock {
  colour: Colour
  left: number
  turn: number
  begins: boolean
}

const tick = (clock: Clock, p: number): Clock =>
  clock.left > 1
    ? { ...clock, left: clock.left - 1, begins: false }
    : { colour: other(clock.colour), left: p, turn: clock.turn + 1, begins: true }

export function moveBlocks(game: GameView, nodes: readonly NodeView[]): MoveBlock[] {
  const children = childLists(nodes)
  const start: Clock = {
    colour: game.firstToMove, left: game.firstStones, turn: 1, begins: true,
  }
  const blocks: MoveBlock[] = []
  /** Lines still to write, the next one last: a stack instead of recursion, trees may be deep. */
  const open: { node: number; clock: Clock; depth: number }[] = []
  const first = children[0]?.[0]
  if (first !== undefined) open.push({ node: first, clock: start, depth: 0 })
  children[0]?.slice(1).reverse().forEach((node) => open.unshift({ node, clock: start, depth: 1 }))

  while (open.length > 0) {
    let { node, clock, depth } = open.pop()!
    const items: MoveItem[] = []
    for (;;) {
      const view = nodes[node]!
      items.push({
        node,
        cell: view.cell!,
        colour: clock.colour,
        turn: clock.begins || items.length === 0 ? clock.turn : null,
        comment: view.comment,
      })
      clock = tick(clock, game.rules.p)
      const next = children[node]!
      if (next.length === 0) break
      if (next.length > 1) {
        // The main move first, then its alternatives, then the main line goes on.
        const main = nodes[next[0]!]!
        items.push({
          node: next[0]!,
          cell: main.cell!,
          colour: clock.colour,
          turn: clock.begins ? clock.turn : null,
          comment: main.comment,
        })
        const after = tick(clock, game.rules.p)
        const rest = children[next[0]!]!
        if (rest.length > 0) {
          rest.slice(1).forEach((alternative) =>
            open.push({ node: alternative, clock: after, depth: depth + 1 }))
          open.push({ node: rest[0]!, clock: after, depth })
        }
        next.slice(1).reverse().forEach((alternative) =>
          open.push({ node: alternative, clock, depth: depth + 1 }))
        break
      }
      node = next[0]!
    }
    blocks.push({ depth, items })
  }
  return blocks
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
