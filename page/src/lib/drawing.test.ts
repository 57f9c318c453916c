import { expect, it } from 'vitest'
import type { RulesView } from '../wire.ts'
import { between, drawing, U } from './drawing.ts'

const rules = (width: number, height: number, gravity = false): RulesView =>
  ({ width, height, k: 4, p: 1, q: 1, gravity, exact: false, fouls: 'none', name: '' })

it('draws points, squares on small boards and a rack with gravity', () => {
  expect(drawing(rules(19, 19)).look).toBe('points')
  expect(drawing(rules(3, 9)).look).toBe('squares')
  expect(drawing(rules(7, 6, true)).look).toBe('rack')
})

it('has a line for every row and column of points, and one more of squares', () => {
  const lines = (width: number, height: number) => drawing(rules(width, height)).grid.match(/M/g)?.length
  expect(lines(9, 8)).toBe(17)
  expect(lines(3, 4)).toBe(9)
  expect(drawing(rules(7, 6, true)).grid).toBe('')
})

it('puts the first cell into the lower left corner', () => {
  const board = drawing(rules(9, 8))
  expect([board.x(0), board.y(0)]).toEqual([U / 2, 7.5 * U])
  expect(between(board, 0, 10)).toBe(`M${U / 2} ${7.5 * U}L${1.5 * U} ${6.5 * U}`)
})
