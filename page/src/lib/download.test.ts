import { expect, it } from 'vitest'
import { dated } from './download.ts'

it('puts the time into a name, so that exports do not replace each other', () => {
  expect(dated('gomoku.sgf', new Date(2026, 10, 9, 4, 2, 59))).toBe('gomoku-2026-11-09-040259.sgf')
})
