import { expect, it } from 'vitest'
import type { GameView, NodeView } from '../wire.ts'
import { moveBlocks, pathTo, tipOf } from './moves.ts'

const node = (parent: number | null, cell: number | null): NodeView =>
  ({ parent, cell, comment: '', chance: null })
const connect6 = {
  rules: { width: 19, height: 19, k: 6, p: 2, q: 1, gravity: false, exact: false, name: 'connect6' },
  firstToMove: 'black',
  firstStones: 1,
} as GameView

// 0 ── 1 ── 2 ── 3 ── 6        a line with one alternative for the third stone
//           └─── 4 ── 5
const nodes = [node(null, null), node(0, 10), node(1, 11), node(2, 12), node(2, 13), node(4, 14), node(3, 15)]

const shape = (list: readonly NodeView[]) =>
  moveBlocks(connect6, list).map(({ depth, items }) => [depth, items.map((item) => item.node)])

it('writes alternatives right after the move they replace', () => {
  expect(shape(nodes)).toEqual([[0, [1, 2, 3]], [1, [4, 5]], [0, [6]]])
})

it('numbers turns, not stones', () => {
  const items = moveBlocks(connect6, nodes).flatMap((block) => block.items)
  const of = (at: number) => items.find((item) => item.node === at)!
  expect([of(1).turn, of(2).turn, of(3).turn]).toEqual([1, 2, null])
  expect([of(1).colour, of(2).colour, of(3).colour, of(6).colour]).toEqual(['black', 'white', 'white', 'black'])
})

it('shows other first moves too, every node exactly once', () => {
  const list = [...nodes, node(0, 20), node(7, 21), node(6, 22), node(6, 23)]
  const seen = shape(list).flatMap(([, items]) => items as number[])
  expect(seen.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
})

it('survives trees that are deep', () => {
  const deep: NodeView[] = [node(null, null)]
  for (let at = 1; at < 9000; at += 2) deep.push(node(at === 1 ? 0 : at - 2, 0), node(at === 1 ? 0 : at - 2, 1))
  expect(moveBlocks(connect6, deep).length).toBeGreaterThan(1000)
})

it('finds paths and tips', () => {
  expect(pathTo(nodes, 5)).toEqual([0, 1, 2, 4, 5])
  expect([tipOf(nodes, 0), tipOf(nodes, 4)]).toEqual([6, 5])
})
