/** Studies come back from their files as they were; hostile files end in a sentence; turns, guesses and words are as they should be. */

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Guess } from './guess.ts'
import { boardLink, fromLink, toLink } from './link.ts'
import { blocks, spans } from './markup.ts'
import { chapter, draw, INKS, lastOf, LIMITS, node, nodesOf, path, playable, rowsOf, SHAPES, shown, turn, turns, type Chapter, type Mark, type Node, type Study } from './model.ts'
import { STUDY_PAGE_TEXTS } from './page-texts.ts'
import { read, readRules, rulesText, sgfOf, StudyError, write } from './sgf.ts'
import { fill, STUDY_TEXTS } from './texts.ts'

/** A small generator of numbers: the same seed, the same study. */
function random(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const GAMES = ['gomoku', 'connect4', 'connect6', 'renju', 'gomoku-standard', '9x7,k=4,p=3,q=2', '32x3,k=3', '28x30,k=5,gravity']
const WORDS = ['', 'a]b', 'back\\slash', 'k:v', 'two\nlines', '**bold** é先', '<script>alert(1)</script>', ';B[aa](', '\\']

function randomChapter(next: (below: number) => number): Chapter {
  const rules = readRules(GAMES[next(GAMES.length)]!)!
  const made = chapter(rules, WORDS[next(WORDS.length)]!.replaceAll('\n', ' ').trim())
  made.guess = ([null, 'black', 'white'] as const)[next(3)]!
  if (!rules.gravity && next(2)) {
    const cells = [...new Set(Array.from({ length: next(6) }, () => next(rules.width * rules.height)))]
    for (const cell of cells) made[next(2) ? 'black' : 'white'].push(cell)
    made.toMove = next(2) ? 'black' : 'white'
    made.left = 1 + next(rules.p)
  }
  let at = made.root
  for (let step = next(40); step > 0; step--) {
    while (at.parent && next(4) === 0) at = at.parent
    const cell = playable(made, shown(made, at), next(rules.width * rules.height))
    if (cell === null) continue
    const there = at.children.find((child) => child.cell === cell)
    if (there) at = there
    else { const child = node(at, cell); at.children.push(child); at = child }
    at.text = WORDS[next(WORDS.length)]!
    at.bad = next(5) === 0
  }
  for (const one of nodesOf(made)) {
    for (let mark = next(4); mark > 0; mark--) {
      const shape = SHAPES[next(SHAPES.length)]!
      const [cell, to] = [next(rules.width * rules.height), next(rules.width * rules.height)]
      const isLine = shape === 'arrow' || shape === 'line'
      if (isLine && cell === to) continue
      one.marks = draw(one.marks, { shape, cell, ink: INKS[next(INKS.length)]!, ...(isLine && { to }), ...(shape === 'label' && { label: ['A', '12', ']', ':\\'][next(4)]! }) })
    }
  }
  return made
}

/** Without the ways up, and with drawings in the order of files. */
const flat = (study: Study) => ({
  ...study,
  chapters: study.chapters.map(({ root, ...rest }) => ({
    ...rest,
    nodes: nodesOf({ root } as Chapter).map((node) => ({
      moves: path(node).map(({ cell }) => cell), text: node.text, bad: node.bad,
      marks: [...node.marks].sort((a, b) => SHAPES.indexOf(a.shape) - SHAPES.indexOf(b.shape)),
    })),
  })),
})

describe('files', () => {
  it('keep everything', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const next = random(seed)
      const study: Study = { title: 'A [title]: \\', author: 'Ada', language: 'en', chapters: Array.from({ length: 1 + next(3) }, () => randomChapter(next)) }
      const text = write(study)
      expect(flat(read(text)), `seed ${seed}: ${text}`).toEqual(flat(study))
      expect(write(read(text))).toBe(text)
    }
  })
  it('that are broken end in a sentence with a place', () => {
    const whole = readFileSync(new URL('two-threats.sgf', import.meta.url), 'utf8')
    for (let seed = 1; seed <= 400; seed++) {
      const next = random(seed)
      let text = whole.slice(0, next(whole.length))
      const at = next(text.length)
      text = text.slice(0, at) + ['', '(', ')', ';', '[', ']', '\\', 'B[zz]', 'AB[aa][aa]', 'XRU[99x99,k=5]', '\u0000'][next(11)]! + text.slice(at + next(3))
      try {
        read(text)
      } catch (error) {
        expect(error, text).toBeInstanceOf(StudyError)
        expect((error as Error).message).toMatch(/^line \d+, column \d+: ./)
      }
    }
  })
  it('may not be large beyond measure', () => {
    const says = (text: string) => { try { read(text); return '' } catch (error) { return (error as Error).message } }
    expect(says('x'.repeat(LIMITS.characters + 1))).toContain('too long')
    expect(says('(;GM[4]' + '(;B[aa]'.repeat(400))).toContain('cannot be played')
    expect(says('(;GM[4]' + '('.repeat(LIMITS.nodes + 2))).toContain('nested too deep')
    expect(says('(;GM[4])'.repeat(LIMITS.chapters + 1))).toContain('at most 100 chapters')
    expect(says('(;GM[4]CR' + '[aa]'.repeat(5001) + ')')).toContain('5,000 values')
    expect(says('(;XRU[64x64,k=5])')).toContain('no rules')
    expect(says('(;GM[511];B[JJ])')).toContain('open it on the board')
    expect(says('(;GM[4];W[aa])')).toContain("other side's turn")
    expect(says('')).toContain('no chapter')
    const marked = read('(;GM[4]CR' + Array.from({ length: 4000 }, () => '[aa]').join('') + `C[${'x'.repeat(50_000)}])`).chapters[0]!.root
    expect([marked.marks.length, marked.text.length]).toEqual([LIMITS.marks, LIMITS.text])
  })
  it('name their rules as the program does', () => {
    for (const name of GAMES) expect(readRules(rulesText(readRules(name)!))).toEqual(readRules(name))
    for (const text of ['', '3x3', '0x5,k=3', '15x15,k=16', '33x33,k=5', '15x15,k=5,x', '15x15,k=0']) expect(readRules(text), text).toBeNull()
  })
})

it('links carry a study, and nothing that is too large', async () => {
  const study = read(readFileSync(new URL('two-threats.sgf', import.meta.url), 'utf8'))
  expect(flat(await fromLink(await toLink(study)))).toEqual(flat(study))
  await expect(fromLink('!!')).rejects.toThrow('not a link')
  await expect(fromLink('AAAA')).rejects.toThrow(StudyError)
  const bomb = new Blob(['x'.repeat(3_000_000)]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  const packed = Buffer.from(await new Response(bomb).arrayBuffer()).toString('base64url')
  await expect(fromLink(packed)).rejects.toThrow('too long')
})

it('turns change as the rules say, and set-up stones decide who begins', () => {
  const connect6 = chapter(readRules('connect6')!, '')
  expect([0, 1, 2, 3, 4, 5].map((stones) => turn(connect6, stones).toMove[0])).toEqual(['b', 'w', 'w', 'b', 'b', 'w'])
  const setUp = read('(;GM[4]AB[hh]AW[hi])').chapters[0]!
  expect([setUp.toMove, setUp.left]).toEqual(['black', 1])
  expect(read('(;GM[4]AB[hh])').chapters[0]!.toMove).toBe('white')
  expect(boardLink(setUp, setUp.root)).toBe('gomoku/b-h8/w-h7/t-black-1')
})

it('rows count as the rules say', () => {
  const six = (game: string) => rowsOf(readRules(game)!, [0, 1, 2, 3, 4, 5].map((cell, at) => ({ cell, colour: 'black' as const, number: at + 1 })))
  expect(six('gomoku')).toEqual([[0, 1, 2, 3, 4, 5]])
  expect(six('gomoku-standard')).toEqual([])
  expect(six('renju')).toEqual([])
})

it('a guess is right, another way, a mistake or neither', () => {
  const [one] = read('(;GM[4]AB[hh][ih]AW[aa][ba](;B[gh];W[fh];B[jh])(;B[jh];W[kh])(;B[oo]BM[1]C[far away]))').chapters as [Chapter]
  const cell = (x: number, y: number) => y * 15 + x
  const guess = new Guess(one)
  expect(guess.try(cell(0, 5)).type).toBe('wrong')
  const mistake = guess.try(cell(14, 0))
  expect(mistake).toMatchObject({ type: 'wrong', node: { text: 'far away' } })
  expect(guess.try(cell(6, 7)).type).toBe('right')
  expect(path(guess.from)).toHaveLength(3)
  expect(guess.try(cell(9, 7)).type).toBe('right')
  expect([guess.over, guess.asked, guess.found]).toEqual([true, 2, 1])
  expect(new Guess(one).try(cell(9, 7)).type).toBe('alternative')
})

it('the stones of a turn are right in any order', () => {
  const [one] = read('(;XRU[19x19,k=6,p=2,q=1]AB[jj]PL[B]XSL[2];B[kj];B[lj];W[aa])').chapters as [Chapter]
  expect(turns(one, one.root)).toHaveLength(1)
  const [first, second] = path(lastOf(one.root)).slice(1, 3) as [Node, Node]
  const guess = new Guess(one)
  expect(guess.try(second.cell!)).toEqual({ type: 'more', left: 1 })
  expect(guess.try(first.cell!).type).toBe('right')
})

it('words are elements, never HTML', () => {
  expect(spans('a **b** *c* [d](https://e.org/x)')).toEqual([
    { type: 'text', text: 'a ' }, { type: 'bold', text: 'b' }, { type: 'text', text: ' ' }, { type: 'italic', text: 'c' }, { type: 'text', text: ' ' },
    { type: 'link', text: 'd', address: 'https://e.org/x' },
  ])
  for (const text of ['[x](javascript:alert(1))', '<b>x</b>', '**open', '[x](https://a"b)']) expect(spans(text)).toEqual([{ type: 'text', text }])
  expect(blocks('a\nb\n\n- c\n- d').map(({ type, lines }) => [type, lines.length])).toEqual([['paragraph', 2], ['item', 1], ['item', 1]])
})

it('a mark takes the place of another of its kind, and the same one is taken away', () => {
  const circle: Mark = { shape: 'circle', cell: 3, ink: 'red' }
  const square: Mark = { shape: 'square', cell: 3, ink: 'plain' }
  const arrow: Mark = { shape: 'arrow', cell: 3, to: 4, ink: 'plain' }
  expect(draw(draw([], circle), square)).toEqual([square])
  expect(draw(draw(draw([], circle), arrow), circle)).toEqual([arrow])
})

it('a file that is neither opens as what it is', () => {
  expect(sgfOf('(;GM[4])')).toBe('(;GM[4])')
  expect(sgfOf('<script type="application/json" id="study-data">{"sgf":"(;GM[4]C[\\u003cb])"}</script>')).toBe('(;GM[4]C[<b])')
  expect(sgfOf('<script type="application/json" id="study-data">{broken</script>')).toContain('{broken')
})

describe.each([['player', STUDY_TEXTS], ['page', STUDY_PAGE_TEXTS]])('texts of the %s', (_, tables) => {
  const leaves = (table: object, at = ''): [string, string][] => Object.entries(table).flatMap(([key, value]) =>
    typeof value === 'object' ? leaves(value as object, `${at}${key}.`) : [[at + key, value as string]])
  const english = new Map(leaves((tables as Record<string, object>).en!))
  it.each(Object.entries(tables as Record<string, object>))('%s says what English says', (_, table) => {
    expect(leaves(table).map(([key]) => key).sort()).toEqual([...english.keys()].sort())
    const values = (text: string) => (text.match(/\{\d\}/g) ?? []).sort().join()
    for (const [key, text] of leaves(table)) {
      expect(text, key).not.toBe('')
      expect(values(text), key).toBe(values(english.get(key)!))
    }
  })
})

it('fills texts', () => expect(fill('{1} of {0}', 2, 'a')).toBe('a of 2'))
