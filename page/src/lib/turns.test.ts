import { expect, it } from 'vitest'
import type { BoardView, GameView, NodeView } from '../wire.ts'
import { inTurns, pathTo, placed, stretches, tipOf, turnStep } from './turns.ts'

const node = (parent: number | null, cell: number | null): NodeView =>
  ({ id: 0, parent, cell, comment: '', chance: null })
const connect6 = {
  rules: { width: 19, height: 19, k: 6, p: 2, q: 1, gravity: false, exact: false, fouls: 'none', name: 'connect6' },
  firstToMove: 'black',
  firstStones: 1,
} as GameView

// 0 ── 1 ── 2 ── 3 ── 6        the second stone of White's turn has an alternative
//           └─── 4 ── 5
const nodes = [node(null, null), node(0, 10), node(1, 11), node(2, 12), node(2, 13), node(4, 14), node(3, 15)]

const shape = (list: readonly NodeView[]) =>
  stretches(connect6, list).map(({ depth, turns }) => [depth, turns.map((turn) => turn.nodes)])

it('writes whole turns, alternatives right after the turn they replace', () => {
  expect(shape(nodes)).toEqual([[0, [[1], [2, 3]]], [1, [[2, 4], [5]]], [0, [[6]]]])
})

it('numbers turns and knows whose they are', () => {
  expect(placed(connect6, nodes).map(({ colour, turn, left }) => `${colour[0]}${turn}:${left}`))
    .toEqual(['b0:0', 'b1:0', 'w2:1', 'w2:0', 'w2:0', 'b3:1', 'b3:1'])
})

it('shows other first moves too, every node at least once', () => {
  const list = [...nodes, node(0, 20), node(7, 21), node(6, 22), node(6, 23)]
  const seen = new Set(shape(list).flatMap(([, turns]) => (turns as number[][]).flat()))
  expect([...seen].toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
})

it('survives trees that are deep', () => {
  const deep: NodeView[] = [node(null, null)]
  for (let at = 1; at < 9000; at += 2) deep.push(node(at === 1 ? 0 : at - 2, 0), node(at === 1 ? 0 : at - 2, 1))
  expect(stretches(connect6, deep).length).toBeGreaterThan(1000)
})

it('finds paths and tips', () => {
  expect(pathTo(nodes, 5)).toEqual([0, 1, 2, 4, 5])
  expect([tipOf(nodes, 0), tipOf(nodes, 4)]).toEqual([6, 5])
})

it('steps over whole turns, and to the end of a line', () => {
  const line = pathTo(nodes, 6)
  const of = placed(connect6, nodes)
  const walk = (from: number, way: 1 | -1) => turnStep(line, of, from, way)
  expect([walk(0, 1), walk(1, 1), walk(3, 1), walk(6, 1)]).toEqual([1, 3, 6, 6])
  expect([walk(6, -1), walk(3, -1), walk(2, -1), walk(0, -1)]).toEqual([3, 1, 1, 0])
})

it('cuts what follows a board into turns', () => {
  const board = { toMove: 'white', stonesLeft: 1, turnStones: 2 } as BoardView
  expect(inTurns(board, connect6.rules, [1, 2, 3, 4])).toEqual([
    { colour: 'white', cells: [1] }, { colour: 'black', cells: [2, 3] }, { colour: 'white', cells: [4] },
  ])
})
