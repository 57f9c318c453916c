/**
 * Studies as files: an SGF collection, a game for each chapter, that other programs read too. Words and drawings are
 * SGF's own properties.
 *
 * | property | of | says |
 * |---|---|---|
 * | `EV` `AN` `GN` | a game | title and author of the study, title of the chapter |
 * | `XRU` `SZ` | a game | the rules: `XRU[15x15,k=5]`; `GM[4]` for Gomoku |
 * | `AB` `AW` `PL` `XSL` | a game | stones set up, whose turn it is, and stones left of it |
 * | `XLG` `XGU` | a game | the study's language; whose moves the reader is to find: `XGU[B]` |
 * | `B` `W` `C` | a node | a stone, and words in a small markup |
 * | `CR` `MA` `SQ` `TR` `LB` `AR` `LN` | a node | circles, crosses, squares, triangles, labels, arrows, lines |
 * | `XHU` | a node | their colours: `XHU[red:CR:hh][blue:AR:hh:ii]` |
 * | `BM` | a node | a move that is shown as a mistake |
 *
 * Files may be broken or hostile: reading is bounded, needs no recursion, and says where it went wrong.
 */

import type { Colour, RulesView } from '../wire.ts'
import { chapter as chapterOf, INKS, LIMITS, node, path, playable, shown, turn, type Chapter, type Ink, type Mark, type Node, type Shape, type Study } from './model.ts'

export class StudyError extends Error {}

const NAMES: Record<Shape, string> = { circle: 'CR', cross: 'MA', square: 'SQ', triangle: 'TR', label: 'LB', arrow: 'AR', line: 'LN' }
const SHAPE_OF = new Map(Object.entries(NAMES).map(([shape, name]) => [name, shape as Shape]))

/** The rules in their long form, as the program reads them. */
export function rulesText({ width, height, k, p, q, gravity, exact, fouls }: RulesView): string {
  const parts = [`${width}x${height}`, `k=${k}`]
  if (p !== 1 || q !== 1) parts.push(`p=${p}`, `q=${q}`)
  if (gravity) parts.push('gravity')
  if (exact) parts.push('exact')
  if (fouls !== 'none') parts.push(fouls === 'lose' ? 'renju=loses' : 'renju')
  return parts.join(',')
}

/** Games that go by a name. */
const NAMED: Record<string, string> = {
  '19x19,k=6,p=2,q=1': 'connect6', '7x6,k=4,gravity': 'connect4', '15x15,k=5': 'gomoku', '15x15,k=5,exact': 'gomoku-standard',
  '15x15,k=5,renju': 'renju', '3x3,k=3': 'tictactoe',
}

/** The rules of a text, by name or by numbers; null where it has none or the board is too large to show. */
export function readRules(text: string): RulesView | null {
  const long = Object.keys(NAMED).find((long) => NAMED[long] === text) ?? text
  const [size, ...rest] = long.split(',').map((part) => part.trim())
  const [, width, height] = /^(\d{1,2})x(\d{1,2})$/.exec(size ?? '')?.map(Number) ?? []
  const rules: RulesView = { width: width ?? 0, height: height ?? 0, k: 0, p: 1, q: 1, gravity: false, exact: false, fouls: 'none', name: '' }
  for (const part of rest) {
    const number = /^([kpq])=(\d{1,2})$/.exec(part)
    if (number) rules[number[1] as 'k' | 'p' | 'q'] = Number(number[2])
    else if (part === 'gravity' || part === 'exact') rules[part] = true
    else if (part === 'renju') rules.fouls = 'refused'
    else if (part === 'renju=loses') rules.fouls = 'lose'
    else return null
  }
  const fits = [rules.width, rules.height].every((side) => side >= LIMITS.least && side <= LIMITS.most)
  if (!fits || rules.k < 1 || rules.k > Math.max(rules.width, rules.height) || rules.p < 1 || rules.q < 1) return null
  rules.name = NAMED[rulesText(rules)] ?? rulesText(rules)
  return rules
}

const letter = (n: number) => String.fromCharCode(n < 26 ? 97 + n : 65 + n - 26)

/** A cell as SGF has it: two letters from the top left. */
export const point = ({ width, height }: RulesView, cell: number): string =>
  letter(cell % width) + letter(height - 1 - Math.floor(cell / width))

function readPoint({ width, height }: RulesView, text: string): number | null {
  const folds = Math.max(width, height) <= 26
  const [x, y] = [...text].map((sign) => {
    const code = sign.charCodeAt(0)
    return code >= 97 && code <= 122 ? code - 97 : code >= 65 && code <= 90 ? code - 65 + (folds ? 0 : 26) : -1
  })
  if (text.length !== 2 || x === undefined || y === undefined || x < 0 || y < 0 || x >= width || y >= height) return null
  return (height - 1 - y) * width + x
}

const escape = (text: string) => text.replace(/[\]\\:]/g, '\\$&').replace(/\r\n?/g, '\n')
const property = (name: string, ...values: string[]) => (values.length ? `${name}[${values.join('][')}]` : '')

export function write(study: Study): string {
  return study.chapters.map((chapter) => writeChapter(study, chapter)).join('')
}

function writeChapter(study: Study, chapter: Chapter): string {
  const { rules } = chapter
  const gomoku = rules.k === 5 && rules.p === 1 && rules.q === 1 && !rules.gravity
  const setUp = chapter.black.length > 0 || chapter.white.length > 0 || chapter.toMove !== 'black' || chapter.left !== rules.q
  const parts = [
    '(;FF[4]CA[UTF-8]', gomoku ? 'GM[4]' : '',
    property('SZ', rules.width === rules.height ? `${rules.width}` : `${rules.width}:${rules.height}`),
    property('XRU', rulesText(rules)),
    property('EV', escape(study.title)), property('AN', escape(study.author)), property('XLG', escape(study.language)),
    property('GN', escape(chapter.title)), chapter.guess ? property('XGU', sideLetter(chapter.guess)) : '',
    property('AB', ...chapter.black.map((cell) => point(rules, cell))),
    property('AW', ...chapter.white.map((cell) => point(rules, cell))),
    setUp ? property('PL', sideLetter(chapter.toMove)) + property('XSL', `${chapter.left}`) : '',
    words(rules, chapter.root),
  ]
  // A stack of our own: a long game is a deep tree.
  const open: (Node | ')')[] = [...chapter.root.children].reverse()
  const branches = (at: Node) => at.children.length > 1
  if (branches(chapter.root)) {
    open.length = 0
    for (const child of [...chapter.root.children].reverse()) open.push(')', child)
  }
  while (open.length) {
    const next = open.pop()!
    if (next === ')') {
      parts.push(')')
      continue
    }
    if (branches(next.parent!)) parts.push('\n(')
    const { toMove } = turn(chapter, path(next).length - 2)
    parts.push(';', property(sideLetter(toMove), point(rules, next.cell!)), words(rules, next))
    for (const child of [...next.children].reverse()) {
      if (branches(next)) open.push(')')
      open.push(child)
    }
  }
  return parts.join('') + ')\n'
}

const sideLetter = (colour: Colour) => (colour === 'black' ? 'B' : 'W')

/** The words and drawings of a node. */
function words(rules: RulesView, { text, marks, bad }: Node): string {
  const at = (mark: Mark) => point(rules, mark.cell) + (mark.to === undefined ? '' : `:${point(rules, mark.to)}`)
  const drawn = Object.entries(NAMES).map(([shape, name]) => {
    const of = marks.filter((mark) => mark.shape === shape)
    return property(name, ...of.map((mark) => at(mark) + (mark.shape === 'label' ? `:${escape(mark.label ?? '')}` : '')))
  })
  // In the order of the properties before them, which is that of reading: the same study is the same text.
  const inked = Object.entries(NAMES).flatMap(([shape, name]) =>
    marks.filter((mark) => mark.shape === shape && mark.ink !== 'plain').map((mark) => `${mark.ink}:${name}:${at(mark)}`))
  return (text ? property('C', escape(text)) : '') + (bad ? 'BM[1]' : '') + drawn.join('') + property('XHU', ...inked)
}

type Properties = Map<string, string[]>

/** Reads a study; the first thing that is wrong is told with its place. */
export function read(text: string): Study {
  if (text.length > LIMITS.characters) throw new StudyError(`this is too long to be a study: at most ${LIMITS.characters} characters are read`)
  const reader = new Reader(text.replace(/^\uFEFF/, ''))
  const study: Study = { title: '', author: '', language: '', chapters: [] }
  while (reader.skip()) {
    if (study.chapters.length === LIMITS.chapters) reader.fail(`a study has at most ${LIMITS.chapters} chapters`)
    study.chapters.push(readChapter(reader, study))
  }
  if (!study.chapters.length) reader.fail('there is no chapter in this text: a study is an SGF collection, (;…)(;…)')
  return study
}

function readChapter(reader: Reader, study: Study): Chapter {
  reader.expect('(')
  reader.expect(';')
  const first = reader.properties()
  const chapter = header(reader, study, first)
  const open: Node[] = [chapter.root]
  let at = stone(reader, chapter, chapter.root, first)
  for (;;) {
    if (!reader.skip()) reader.fail("')' is missing: the file seems cut short")
    if (reader.eat(';')) at = stone(reader, chapter, at, reader.properties())
    else if (reader.eat('(')) {
      if (open.length > LIMITS.nodes) reader.fail('variations are nested too deep')
      open.push(at)
    } else if (reader.eat(')')) {
      at = open.pop()!
      if (!open.length) return chapter
    } else reader.fail("expected ';' for a node, '(' for a variation or ')'")
  }
}

const line = (text: string | undefined) => (text ?? '').replace(/\p{Cc}+/gu, ' ').trim().slice(0, LIMITS.line)

/** What only the first node says. */
function header(reader: Reader, study: Study, first: Properties): Chapter {
  const value = (name: string) => first.get(name)?.[0]
  const size = value('SZ')?.trim()
  const [, width, height] = /^(\d{1,2})(?::(\d{1,2}))?$/.exec(size ?? '') ?? []
  const game = value('GM')?.trim()
  const usual = game === '4' || (game === undefined && size === '15') ? `${width ?? 15}x${height ?? width ?? 15},k=5` : null
  const named = value('XRU') ?? usual
  if (named === null) reader.fail('this game names no rules that a study knows (XRU, or GM[4] for Gomoku): open it on the board first, and make a chapter of it there')
  const rules = readRules(named)
  if (!rules) return reader.fail(`${JSON.stringify(named.slice(0, 40))} are no rules on a board of at most ${LIMITS.most}×${LIMITS.most}`)
  if (!study.chapters.length) {
    study.title = line(value('EV'))
    study.author = line(value('AN') ?? value('US'))
    study.language = /^[a-z]{2,3}(-[A-Za-z]{2,4})?$/.exec(line(value('XLG')))?.[0] ?? ''
  }
  const chapter = chapterOf(rules, line(value('GN')))
  const guess = value('XGU')?.trim()
  chapter.guess = guess === 'B' ? 'black' : guess === 'W' ? 'white' : null
  const set = (name: string) => (first.get(name) ?? []).map((text) => {
    const cell = readPoint(rules, text.trim())
    return cell ?? reader.fail(`${name}[${text.slice(0, 12)}] is not on the board`)
  })
  chapter.black = set('AB')
  chapter.white = set('AW')
  const all = [...chapter.black, ...chapter.white]
  const taken = new Set(all)
  if (taken.size < all.length) reader.fail('a cell is set up twice')
  if (rules.gravity && all.some((cell) => cell >= rules.width && !taken.has(cell - rules.width))) reader.fail('a stone set up hangs in the air')
  // Without words on it the number of stones says whose turn it is.
  const later = all.length - rules.q
  chapter.toMove = later < 0 || Math.floor(later / rules.p) % 2 === 1 ? 'black' : 'white'
  chapter.left = later < 0 ? -later : rules.p - (later % rules.p)
  const player = value('PL')?.trim().toLowerCase()
  if (player !== undefined) {
    chapter.toMove = player === 'w' || player === 'white' ? 'white' : 'black'
    chapter.left = rules.p
  }
  const left = Number(value('XSL') ?? chapter.left)
  if (!Number.isInteger(left) || left < 1 || left > Math.max(rules.p, rules.q)) reader.fail('XSL is not a number of stones of a turn')
  chapter.left = left
  return chapter
}

/** The stone of a node with its words and drawings, and the node it leads to. */
function stone(reader: Reader, chapter: Chapter, from: Node, properties: Properties): Node {
  const { rules } = chapter
  let at = from
  for (const name of ['B', 'W'] as const) {
    for (const text of properties.get(name) ?? []) {
      const position = reader.shown(chapter, at)
      const cell = readPoint(rules, text.trim())
      if (cell === null || playable(chapter, position, cell) !== cell) reader.fail(`${name}[${text.slice(0, 12)}] cannot be played here`)
      if (sideLetter(position.toMove) !== name) reader.fail(`${name}[${text}]: it is the other side's turn`)
      at = reader.play(at, cell)
    }
  }
  const text = (properties.get('C')?.[0] ?? '').replace(/[^\P{Cc}\n\t]/gu, ' ').slice(0, LIMITS.text)
  if (text) at.text = text
  if (properties.has('BM')) at.bad = true
  const marks: Mark[] = []
  for (const [name, shape] of SHAPE_OF) {
    for (const value of properties.get(name) ?? []) {
      const [place, rest] = split(value)
      const cell = readPoint(rules, place)
      const to = shape === 'arrow' || shape === 'line' ? readPoint(rules, rest ?? '') : undefined
      // What no board has is left out, as other programs do.
      if (cell === null || to === null || cell === to) continue
      const mark: Mark = { shape, cell, ink: 'plain' }
      if (to !== undefined) mark.to = to
      if (shape === 'label') mark.label = [...line(rest)].slice(0, LIMITS.label).join('')
      if (shape !== 'label' || mark.label) marks.push(mark)
    }
  }
  for (const value of properties.get('XHU') ?? []) {
    const [ink, name, from, to] = value.split(':')
    const is = (mark: Mark) => NAMES[mark.shape] === name && point(rules, mark.cell) === from &&
      (mark.to === undefined ? to === undefined : point(rules, mark.to) === to)
    const mark = marks.find(is)
    if (mark && INKS.includes(ink as Ink)) mark.ink = ink as Ink
  }
  if (marks.length) at.marks = marks.slice(0, LIMITS.marks)
  return at
}

/** A value of two parts at its first `:`; the text is unescaped already, and points have none. */
function split(value: string): [string, string | undefined] {
  const at = value.indexOf(':')
  return at < 0 ? [value, undefined] : [value.slice(0, at), value.slice(at + 1)]
}

/** The text with a place in it. */
class Reader {
  #text: string
  #at = 0
  #nodes = 0
  /** The position that was asked for last: most stones follow the one before. */
  #last: { chapter: Chapter; at: Node; position: ReturnType<typeof shown> } | null = null

  constructor(text: string) {
    this.#text = text
  }

  fail(what: string): never {
    const before = this.#text.slice(0, this.#at)
    const row = before.split('\n').length
    throw new StudyError(`line ${row}, column ${this.#at - before.lastIndexOf('\n')}: ${what}`)
  }

  /** Skips blanks; whether anything is left. */
  skip(): boolean {
    while (this.#at < this.#text.length && /\s/.test(this.#text[this.#at]!)) this.#at++
    return this.#at < this.#text.length
  }

  eat(sign: string): boolean {
    const is = this.skip() && this.#text[this.#at] === sign
    if (is) this.#at++
    return is
  }

  expect(sign: string) {
    if (!this.eat(sign)) this.fail(`expected '${sign}'`)
  }

  properties(): Properties {
    const properties: Properties = new Map()
    while (this.skip() && /[A-Za-z]/.test(this.#text[this.#at]!)) {
      const begin = this.#at
      while (/[A-Za-z]/.test(this.#text[this.#at] ?? '')) this.#at++
      const name = this.#text.slice(begin, this.#at).replace(/[a-z]/g, '')
      const values = properties.get(name) ?? []
      this.expect('[')
      do values.push(this.#value())
      while (this.eat('['))
      if (values.length > 5000) this.fail('over 5,000 values in a node')
      properties.set(name, values)
    }
    return properties
  }

  #value(): string {
    let text = ''
    for (let from = this.#at; ; ) {
      const end = this.#at
      const sign = this.#text[this.#at++]
      if (sign === undefined) this.fail("']' is missing: the file seems cut short")
      if (sign === ']') return (text + this.#text.slice(from, end)).replace(/\r\n?/g, '\n')
      if (sign !== '\\') continue
      text += this.#text.slice(from, end)
      // A line break behind a backslash is none.
      const broken = /^(?:\r\n|\n\r|\n|\r)/.exec(this.#text.slice(this.#at, this.#at + 2))
      if (broken) this.#at += broken[0].length
      from = this.#at
      if (!broken) this.#at++
    }
  }

  shown(chapter: Chapter, at: Node) {
    if (this.#last?.chapter === chapter && this.#last.at === at) return this.#last.position
    const position = shown(chapter, at)
    this.#last = { chapter, at, position }
    return position
  }

  play(from: Node, cell: number): Node {
    const there = from.children.find((child) => child.cell === cell)
    if (there) return there
    if (++this.#nodes > LIMITS.nodes) this.fail(`a study has at most ${LIMITS.nodes} moves`)
    const next = node(from, cell)
    from.children.push(next)
    return next
  }
}

/** The SGF of a text: the text itself, or what an exported file carries. */
export function sgfOf(text: string): string {
  const data = /<script type="application\/json" id="study-data">([^<]*)<\/script>/.exec(text)?.[1]
  if (data === undefined) return text
  try {
    const { sgf } = JSON.parse(data) as { sgf?: unknown }
    return typeof sgf === 'string' ? sgf : text
  } catch {
    return text
  }
}
