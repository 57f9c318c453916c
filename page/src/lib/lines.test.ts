import { expect, it } from 'vitest'
import type { EngineLine } from '../wire.ts'
import { sorted } from './lines.ts'

const chance = (chance: number): EngineLine => ({ worth: { type: 'chance' }, chance, cells: [] })
const win = (winner: 'black' | 'white', turns: number): EngineLine =>
  ({ worth: { type: 'win', winner, turns }, chance: winner === 'black' ? 1 : 0, cells: [] })
const draw: EngineLine = { worth: { type: 'draw' }, chance: 0.5, cells: [] }

it('puts the best line of the side to move first', () => {
  const lines = [chance(0.83), win('white', 4), chance(0.96), win('black', 3), draw, win('black', 1), win('white', 9)]
  expect(sorted(lines, 'black')).toEqual(
    [win('black', 1), win('black', 3), chance(0.96), chance(0.83), draw, win('white', 9), win('white', 4)])
  expect(sorted(lines, 'white')).toEqual(
    [win('white', 4), win('white', 9), draw, chance(0.83), chance(0.96), win('black', 3), win('black', 1)])
})
