import { expect, it } from 'vitest'
import type { GameView, NodeView } from '../wire.ts'
import { judge, mistakes } from './mistakes.ts'

const game = {
  rules: { width: 19, height: 19, k: 6, p: 2, q: 1, gravity: false, exact: false, name: 'connect6' },
  firstToMove: 'black',
  firstStones: 1,
} as GameView
const line = (...chances: (number | null)[]): NodeView[] =>
  chances.map((chance, at) => ({ parent: at ? at - 1 : null, cell: at ? at : null, comment: '', chance }))

it('grades by what was lost', () => {
  expect([judge(0.05), judge(0.1), judge(0.25), judge(0.5)]).toEqual([null, 'slip', 'mistake', 'blunder'])
})

it('charges the side that moved, over a turn of two stones', () => {
  // Black 1, White 2 and 3 (only evaluated after the turn), Black 4 and 5.
  const found = mistakes(game, line(0.5, 0.5, null, 0.9, null, 0.6))
  expect([...found]).toEqual([[3, 'blunder'], [5, 'mistake']])
})

it('says nothing where an evaluation is missing', () => {
  expect(mistakes(game, line(null, 0.5, null, null)).size).toBe(0)
})
