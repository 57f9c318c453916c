import { expect, it } from 'vitest'
import { THEMES } from '../lib/puzzle-set.ts'
import { ALL } from './training.ts'

const said = (text: unknown): string => (typeof text === 'function' ? String(text(41, 73)) : typeof text === 'string' ? text : '')

it.each(Object.entries(ALL))('%s says what English says', (_, table) => {
  for (const [name, english] of Object.entries(ALL.en)) {
    const text = table[name as keyof typeof table]
    if (name === 'themes') {
      for (const theme of THEMES) expect(table.themes[theme]).not.toBe('')
      continue
    }
    expect(said(text), name).not.toBe('')
    expect(said(text).match(/\d+/g)?.toSorted(), name).toEqual(said(english).match(/\d+/g)?.toSorted())
  }
})
