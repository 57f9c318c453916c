import { expect, it } from 'vitest'
import { read, write, type Place } from './address.svelte.ts'

const places: Place[] = [
  { view: 'board', link: 'gomoku/h8.i9' },
  { view: 'arena' },
  { view: 'run', run: '12' },
  { view: 'report', report: 'first-move-random' },
  { view: 'replay', run: '12', game: 3 },
  { view: 'puzzles' },
  { view: 'puzzles', task: 'daily' },
  { view: 'puzzles', task: 'set/gomoku/abc234.def567' },
  { view: 'puzzle', puzzle: 'connect6-7' },
  { view: 'puzzle', puzzle: 'hold/gomoku/h8.i9' },
  { view: 'editor' },
  { view: 'openings' },
  { view: 'openings', link: 'renju/h8.i9' },
  { view: 'studies' },
  { view: 'studies', study: 'two-threats' },
  { view: 'studies', study: 'a1', edit: true },
  { view: 'studies', data: 'x-_9' },
  { view: 'explain', idea: 'promotions' },
  { view: 'explain', idea: 'windows', input: '..XXXX..' },
  { view: 'explain', idea: 'minimax', input: 'tictactoe/b2.a1' },
]

it('reads what it writes', () => {
  expect(places.map(write).map(read)).toEqual(places)
})

it('takes anything else for a link or for the arena', () => {
  expect(read('')).toEqual({ view: 'board' })
  expect(read('#%zz')).toEqual({ view: 'board', link: '%zz' })
  expect(read('#arena/run/7/game/0')).toEqual({ view: 'run', run: '7' })
  expect(read('#arena/nothing')).toEqual({ view: 'arena' })
})
