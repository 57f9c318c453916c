import { expect, it } from 'vitest'
import { join, split, turnBefore } from './openings.svelte.ts'
import { ALL } from '../texts/openings.ts'

it('a link is a game and its stones, and set-up stones stay with the game', () => {
  for (const [link, game, stones] of [
    ['renju', 'renju', []],
    ['renju/h8.i9', 'renju', ['h8', 'i9']],
    ['9x7,k=4,p=3,q=1/e4', '9x7,k=4,p=3,q=1', ['e4']],
    ['gomoku/b-h8.h9/w-g8/t-black-1', 'gomoku/b-h8.h9/w-g8/t-black-1', []],
    ['gomoku/b-h8.h9/w-g8/t-black-1/i10.i11', 'gomoku/b-h8.h9/w-g8/t-black-1', ['i10', 'i11']],
  ] as const) {
    expect(split(link)).toEqual({ game, stones })
    expect(join(game, stones)).toBe(link)
  }
  expect(split('')).toEqual({ game: '', stones: [] })
})

it('going back takes a whole turn, or what was placed of one', () => {
  const connect6 = { p: 2, q: 1 }
  expect([0, 1, 2, 3, 4, 5, 6].map((count) => turnBefore(connect6, count))).toEqual([0, 0, 1, 1, 3, 3, 5])
  expect([0, 1, 2, 3].map((count) => turnBefore({ p: 1, q: 1 }, count))).toEqual([0, 0, 1, 2])
  expect([0, 1, 2, 3, 4, 5].map((count) => turnBefore({ p: 2, q: 2 }, count))).toEqual([0, 0, 0, 2, 2, 4])
})

const said = (text: unknown): string => (typeof text === 'function' ? String(text('41', '73', 41, 73, 5)) : typeof text === 'string' ? text : '')

it.each(Object.entries(ALL))('%s says what English says', (_, table) => {
  for (const [name, english] of Object.entries(ALL.en)) {
    const text = table[name as keyof typeof table]
    if (name === 'sources') {
      expect(Object.values(table.sources).every(Boolean) && Object.keys(table.sources).length === 3).toBe(true)
      continue
    }
    expect(said(text), name).not.toBe('')
    expect(said(text).match(/\d+/g)?.toSorted(), name).toEqual(said(english).match(/\d+/g)?.toSorted())
  }
})
