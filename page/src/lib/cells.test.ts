import { describe, expect, it } from 'vitest'
import type { BoardView, RulesView } from '../wire.ts'
import { cellName, columnName, landing, lastTurn, starPoints, turnAfter, type Stone } from './cells.ts'

const connect6: RulesView = {
  width: 19, height: 19, k: 6, p: 2, q: 1, gravity: false, exact: false, fouls: 'none', name: 'connect6',
}
const connect4: RulesView = {
  width: 7, height: 6, k: 4, p: 1, q: 1, gravity: true, exact: false, fouls: 'none', name: 'connect4',
}
const board = (part: Partial<BoardView>): BoardView =>
  ({ toMove: 'black', stonesLeft: 1, turnStones: 1, ...part }) as BoardView

describe('names', () => {
  it('count rows from the bottom and go on past z', () => {
    expect(cellName(connect6, 180)).toBe('j10')
    expect(cellName(connect6, 0)).toBe('a1')
    expect([columnName(25), columnName(26), columnName(31)]).toEqual(['z', 'aa', 'af'])
  })
})

describe('landing', () => {
  it('falls to the lowest empty cell', () => {
    const taken = new Set([3, 10])
    expect(landing(connect4, taken, 38)).toBe(17)
    expect(landing(connect4, taken, 3)).toBe(17)
    expect(landing(connect4, new Set([0, 7, 14, 21, 28, 35]), 0)).toBeNull()
  })
  it('stays where it is without gravity', () => {
    expect(landing(connect6, new Set([5]), 5)).toBeNull()
    expect(landing(connect6, new Set([5]), 6)).toBe(6)
  })
})

describe('turns', () => {
  it('follow p and q', () => {
    const start = board({})
    expect(turnAfter(start, connect6, 0)).toEqual({ toMove: 'black', left: 1, of: 1 })
    expect(turnAfter(start, connect6, 1)).toEqual({ toMove: 'white', left: 2, of: 2 })
    expect(turnAfter(start, connect6, 2)).toEqual({ toMove: 'white', left: 1, of: 2 })
    expect(turnAfter(start, connect6, 3)).toEqual({ toMove: 'black', left: 2, of: 2 })
  })
  it('end where the colour changes', () => {
    const stones: Stone[] = [
      { cell: 9, colour: 'black', number: 1 },
      { cell: 1, colour: 'white', number: 2 },
      { cell: 2, colour: 'white', number: 3 },
    ]
    expect([...lastTurn(stones)].sort()).toEqual([1, 2])
    expect(lastTurn([{ cell: 9, colour: 'black', number: 0 }]).size).toBe(0)
  })
})

it('marks nine points on 19×19 and none on small boards', () => {
  expect(starPoints(connect6)).toHaveLength(9)
  expect(starPoints(connect6)).toContain(180)
  expect(starPoints(connect4)).toEqual([])
})
