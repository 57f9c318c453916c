/** Every language has every text, says what the English one says, and nothing is written past the tables. */

import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { fitting } from '../lib/language.svelte.ts'
import { en, type Texts } from '../texts.ts'
import type { EndReason, RulesView } from '../wire.ts'
import de from './de.ts'
import es from './es.ts'
import ja from './ja.ts'
import zh from './zh.ts'

type Said = string | ((...values: unknown[]) => unknown)
const languages: Record<string, Texts> = { de, es, ja, zh }
const custom: RulesView = { width: 21, height: 17, k: 12, p: 13, q: 14, gravity: true, exact: true, fouls: 'none', name: '' }
const REASONS = Object.keys({
  row: 0, 'full-board': 0, forbidden: 0, 'dead-draw': 0, 'move-limit': 0, resignation: 0, agreement: 0, adjudicated: 0,
  'illegal-turn': 0, 'time-forfeit': 0, crash: 0, 'agent-error': 0, disconnect: 0, silence: 0, misread: 0, forfeit: 0,
  unstated: 0, 'called-off': 0,
} satisfies Record<EndReason, 0>) as EndReason[]

/** Every text by its path: `status.toMove`. Names of levels are the server's, and only as many as differ. */
function leaves(table: object, path = ''): Map<string, Said> {
  const found = new Map<string, Said>()
  for (const [key, value] of Object.entries(table) as [string, unknown][]) {
    if (key === 'levelNames') continue
    if (typeof value === 'object' && value !== null) for (const [at, leaf] of leaves(value, `${path}${key}.`)) found.set(at, leaf)
    else found.set(path + key, value as Said)
  }
  return found
}

/** Texts that take more than words and numbers. */
const VALUES: Record<string, unknown[]> = {
  rulesParts: [custom], rulesLine: [custom], 'board.label': [custom], 'controls.typedExample': [custom],
  'announce.opened': ['§1', ['§2', '§3'], '§4', '§5'],
  'overlays.likely': [['§1', '§2']], 'record.losses': [['§1', '§2']],
  'lineShapes.has': ['§1', ['§2', '§3']],
  'overlays.likelyCell': ['§1', 0.37], 'overlays.bookTurn': ['§1', 0.37], 'analysis.chance': ['§1', 0.37], 'review.accuracy': ['§1', 37],
  'review.counts': [{ inaccuracies: 12, mistakes: 13, blunders: 14, missedWins: 15 }],
  'arena.first': [37, 41], 'arena.how': ['row'], 'arena.ending': ['row', 37], 'status.fault': ['crash', '§1', '§2'],
  'arena.result': ['black'], 'friends.clock': [{ type: 'clock', startMs: 37 * 60000, incrementMs: 41000 }],
}
const said = (path: string, text: Said): string =>
  typeof text === 'string' ? text : [text(...(VALUES[path] ?? ['§1', '§2', '§3', '§4']))].flat().join(' · ')
/** The values that a text shows, whatever is around them. */
const values = (text: string) => [...new Set(text.toLowerCase().match(/§\d|\d{2,}/g) ?? [])].sort()

describe.each(Object.entries(languages))('%s', (_, table) => {
  const texts = leaves(table)
  it('has the same texts as English, none of them empty', () => {
    const english = leaves(en)
    expect([...texts.keys()].sort()).toEqual([...english.keys()].sort())
    const empty = [...texts].filter(([path, text]) => said(path, text) === '' && said(path, english.get(path)!) !== '')
    expect(empty).toEqual([])
  })
  it('shows every value that English shows', () => {
    const wrong = [...leaves(en)].filter(([path, text]) =>
      values(said(path, text)).join() !== values(said(path, texts.get(path)!)).join())
    expect(wrong.map(([path, text]) => [said(path, text), said(path, texts.get(path)!)])).toEqual([])
  })
  it('can say how any game ends', () => {
    for (const reason of REASONS) {
      expect(table.arena.how(reason)).not.toBe('')
      expect(table.status.fault(reason, 'a', 'b') === null).toBe(en.status.fault(reason, 'a', 'b') === null)
    }
  })
})

it('leaves no words in the parts of the page', () => {
  const written = ['.', 'parts'].flatMap((folder) => {
    const at = new URL(`../${folder}/`, import.meta.url)
    return readdirSync(at).filter((name) => name.endsWith('.svelte')).flatMap((name) => {
      const markup = readFileSync(new URL(name, at), 'utf8').replace(/<script[\s\S]*?<\/script>|<style[\s\S]*?<\/style>|<!--[\s\S]*?-->/g, '')
      // Braces hold code; arrows of handlers would look like the end of a tag.
      const bare = markup.replace(/\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}/g, '{}')
      const texts = [...bare.matchAll(/>([^<>]*)</g)].map((match) => match[1]!)
      const labels = [...bare.matchAll(/\b(?:aria-label|title|placeholder|alt)="([^"]*)"/g)].map((match) => match[1]!)
      return [...texts, ...labels].map((text) => text.replaceAll('{}', '').trim()).filter((text) => /\p{L}{2}/u.test(text)).map((text) => `${name}: ${text}`)
    })
  })
  expect(written).toEqual([])
})

it('takes the first language of the browser that there is', () => {
  expect(fitting(['fr-FR', 'de-AT', 'en'])).toBe('de')
  expect(fitting(['zh-Hans-CN'])).toBe('zh')
  expect(fitting(['xx'])).toBe('en')
  expect(fitting([])).toBe('en')
})
