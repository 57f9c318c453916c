/**
 * Reads a study, presents it, and lets the reader guess moves. Plain elements and no framework: the page shows it, and
 * exported files carry it.
 */

import { cellName } from '../lib/cells.ts'
import type { Colour } from '../wire.ts'
import { board, cellAt, cells, stepped } from './draw.ts'
import { Guess } from './guess.ts'
import { render } from './markup.ts'
import { lastOf, path, shown, type Chapter, type Node as StudyNode, type Shown, type Study } from './model.ts'
import { STYLE } from './style.ts'
import { fill, type StudyTexts } from './texts.ts'

export interface PlayerOptions {
  texts: StudyTexts
  chapter?: number
  /** Puts the position on the board of the page. */
  onBoard?: (chapter: Chapter, node: StudyNode) => void
}

const make = <K extends keyof HTMLElementTagNameMap>(tag: K, name: string, ...inner: (Node | string)[]): HTMLElementTagNameMap[K] => {
  const element = document.createElement(tag)
  if (name) element.className = name
  element.append(...inner)
  return element
}

/** The style, once per page; no element, which the page's policy would refuse. */
let sheet: CSSStyleSheet | undefined
function dress() {
  if (sheet) return
  sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLE)
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
}

export class Player {
  #study: Study
  #texts: StudyTexts
  #options: PlayerOptions
  #root: HTMLElement
  #frame = make('div', 'study-player')
  #dialog = make('dialog', 'study-dialog')
  #at = 0
  #node!: StudyNode
  /** The continuation that Forward takes. */
  #choice = 0
  #numbers = false
  #hide = false
  #revealed = false
  #guess: Guess | null = null
  #cursor = 0

  #chapters = make('select', 'chapters')
  #of = make('span', 'of')
  #title = make('h2', '')
  #board = make('div', 'board')
  #state = make('p', 'state')
  #text = make('div', 'text')
  #said = make('div', 'said')
  #next = make('div', 'next')
  #bar = make('div', 'bar')
  #tools = make('div', 'tools')

  constructor(root: HTMLElement, study: Study, options: PlayerOptions) {
    this.#root = root
    this.#study = study
    this.#options = options
    this.#texts = options.texts
    const t = this.#texts
    this.#chapters.setAttribute('aria-label', t.chapters)
    study.chapters.forEach(({ title }, at) => this.#chapters.append(new Option(`${at + 1}. ${title || t.untitled}`, String(at))))
    this.#chapters.addEventListener('change', () => this.go(Number(this.#chapters.value)))
    this.#text.setAttribute('aria-live', 'polite')
    this.#said.setAttribute('role', 'status')
    const head = make('div', 'head', this.#chapters, this.#of)
    const side = make('div', 'side', head, this.#title, this.#state, this.#said, this.#text, this.#next, this.#bar, this.#tools)
    if (study.language) this.#title.lang = this.#text.lang = study.language
    dress()
    this.#frame.append(this.#board, side)
    this.#dialog.setAttribute('aria-label', study.title || t.untitled)
    this.#dialog.addEventListener('close', () => this.#left())
    this.#board.addEventListener('click', (event) => this.#clicked(event))
    this.#board.addEventListener('keydown', (event) => this.#keyOnBoard(event))
    root.append(this.#frame, this.#dialog)
    document.addEventListener('keydown', this.#keydown)
    this.go(Math.min(options.chapter ?? 0, study.chapters.length - 1))
  }

  destroy() {
    document.removeEventListener('keydown', this.#keydown)
    this.#dialog.remove()
    this.#frame.remove()
  }

  get #chapter(): Chapter {
    return this.#study.chapters[this.#at]!
  }
  get #presenting(): boolean {
    return this.#dialog.open
  }

  /** Opens a chapter at its beginning. */
  go(at: number) {
    if (!this.#study.chapters[at]) return
    this.#at = at
    this.#guess = null
    this.#show(this.#chapter.root)
  }

  #show(node: StudyNode) {
    this.#node = node
    this.#choice = 0
    this.#revealed = false
    this.#draw()
  }

  #forward() {
    const next = this.#node.children[this.#choice]
    if (next) this.#show(next)
    else if (this.#presenting) this.go(this.#at + 1)
  }
  #back() {
    if (this.#node.parent) this.#show(this.#node.parent)
    else if (this.#presenting) this.go(this.#at - 1)
  }

  /** Large, with nothing around it, in a dialog of its own: keys and focus stay in it. */
  present() {
    this.#guess = null
    this.#dialog.append(this.#frame)
    this.#dialog.showModal()
    this.#draw()
  }
  #left() {
    this.#root.insertBefore(this.#frame, this.#dialog)
    if (document.fullscreenElement) void document.exitFullscreen()
    this.#draw()
    this.#frame.querySelector<HTMLElement>('[data-tool=present]')?.focus()
  }
  #fullScreen() {
    if (document.fullscreenElement) void document.exitFullscreen()
    else void this.#dialog.requestFullscreen?.().catch(() => undefined)
  }
  #cover() {
    if (this.#hide) this.#revealed = !this.#revealed
    else this.#hide = true
    this.#draw()
  }

  #keydown = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || (target.closest?.('dialog[open]') ?? this.#dialog) !== this.#dialog) return
    if (document.querySelector('dialog[open]') && !this.#presenting) return
    if (event.key === ' ' && (!this.#presenting || target.tagName === 'BUTTON')) return
    const keys: Record<string, () => void> = {
      ArrowRight: () => this.#forward(), ArrowLeft: () => this.#back(),
      ArrowDown: () => this.#choose(1), ArrowUp: () => this.#choose(-1),
      PageDown: () => this.go(this.#at + 1), PageUp: () => this.go(this.#at - 1),
      Home: () => this.#show(this.#chapter.root), End: () => this.#show(lastOf(this.#node)),
      h: () => this.#cover(),
      ...(this.#presenting ? { ' ': () => this.#forward(), f: () => this.#fullScreen() } : {}),
    }
    const action = this.#guess && event.key !== 'PageDown' && event.key !== 'PageUp' ? undefined : keys[event.key]
    if (!action) return
    event.preventDefault()
    action()
  }

  #choose(by: number) {
    const count = this.#node.children.length
    if (count < 2) return
    this.#choice = (this.#choice + by + count) % count
    this.#draw()
  }

  #startGuess() {
    this.#guess = new Guess(this.#chapter)
    const { width, height, gravity } = this.#chapter.rules
    this.#cursor = (gravity ? height - 1 : Math.floor(height / 2)) * width + Math.floor(width / 2)
    this.#show(this.#guess.from)
    this.#board.querySelector<SVGElement>('svg')?.focus()
  }
  #try(cell: number) {
    if (!this.#guess || this.#guess.over) return
    this.#guess.try(cell)
    this.#told()
  }
  #told() {
    this.#node = this.#guess!.from
    this.#draw()
  }
  #clicked(event: MouseEvent) {
    const svg = this.#board.querySelector('svg')
    const cell = this.#guess && svg ? cellAt(this.#chapter.rules, svg, event) : null
    if (cell === null) return
    this.#cursor = cell
    this.#try(cell)
  }
  #keyOnBoard(event: KeyboardEvent) {
    if (!this.#guess) return
    const next = stepped(this.#chapter.rules, this.#cursor, event.key)
    if (next !== null) {
      this.#cursor = next
      this.#draw()
    } else if (event.key === 'Enter' || event.key === ' ') this.#try(this.#cursor)
    else return
    event.preventDefault()
  }

  #side(colour: Colour): string {
    const t = this.#texts
    return this.#chapter.rules.gravity ? (colour === 'black' ? t.red : t.yellow) : colour === 'black' ? t.black : t.white
  }
  #name = (cell: number) => cellName(this.#chapter.rules, cell)

  #draw() {
    const t = this.#texts
    const { title } = this.#chapter
    const count = this.#study.chapters.length
    this.#chapters.value = String(this.#at)
    this.#of.textContent = fill(t.chapterOf, this.#at + 1, count)
    this.#title.textContent = title || t.untitled
    const covered = this.#hide && !this.#revealed && this.#node.parent !== null && !this.#guess
    const position = this.#position()
    this.#drawBoard(position, covered)
    this.#state.textContent = position.rows.length ? '' : fill(t.toMove, this.#side(position.toMove))
    this.#text.replaceChildren()
    if (covered) {
      const show = this.#button(t.showAnswer, () => this.#cover(), 'show')
      this.#text.append(make('p', 'covered', t.hidden), show)
    } else if (!this.#guess) this.#text.append(render(this.#node.text))
    this.#drawGuess()
    this.#drawNext(covered)
    this.#drawBar()
  }

  /** With the stones of a turn that is being guessed. */
  #position(): Shown {
    const position = shown(this.#chapter, this.#node)
    const placed = this.#guess?.placed ?? []
    const stones = [...position.stones, ...placed.map((cell) => ({ cell, colour: this.#guess!.side, number: 0 }))]
    return { ...position, stones }
  }

  #drawBoard(position: Shown, covered: boolean) {
    const { rules } = this.#chapter
    const focused = this.#board.contains(document.activeElement)
    const colours = new Map(position.stones.map(({ cell, colour }) => [cell, colour]))
    const name = (cell: number) => {
      const colour = colours.get(cell)
      return colour ? fill(this.#texts.stone, this.#name(cell), this.#side(colour)) : fill(this.#texts.empty, this.#name(cell))
    }
    const over = this.#guess ? cells(rules, this.#cursor, name) : ''
    this.#board.innerHTML = board(rules, position, covered || this.#guess ? [] : this.#node.marks, this.#numbers, over)
    const svg = this.#board.querySelector('svg')!
    svg.removeAttribute('width')
    svg.removeAttribute('height')
    this.#frame.style.setProperty('--shape', String(Number(svg.viewBox.baseVal.width) / svg.viewBox.baseVal.height))
    this.#board.classList.toggle('asks', this.#guess !== null && !this.#guess.over)
    if (this.#guess) {
      svg.setAttribute('role', 'grid')
      svg.setAttribute('tabindex', '0')
      svg.setAttribute('aria-activedescendant', `study-cell-${this.#cursor}`)
      if (focused) svg.focus()
    } else svg.setAttribute('role', 'img')
    const drawn = covered ? [] : this.#node.marks.map(({ cell, to, label, shape }) =>
      [label ?? shape, this.#name(cell), ...(to === undefined ? [] : [this.#name(to)])].join(' '))
    const moves = path(this.#node).flatMap(({ cell }) => (cell === null ? [] : [this.#name(cell)]))
    svg.setAttribute('aria-label', [this.#texts.board, moves.join(' '), drawn.length ? fill(this.#texts.drawn, drawn.join(', ')) : '']
      .filter(Boolean).join('. '))
  }

  #drawGuess() {
    const t = this.#texts
    this.#said.replaceChildren()
    if (!this.#guess) return
    const { verdict, over, side, asked, found } = this.#guess
    const say = (text: string, kind = '') => this.#said.append(make('p', kind, text))
    const quote = (node: StudyNode | null) => {
      if (node?.text) this.#text.append(render(node.text))
    }
    switch (verdict.type) {
      case 'asked': quote(this.#node); break
      case 'more': say(fill(t.moreStones, verdict.left), 'right'); break
      case 'wrong': say(verdict.node ? t.wrongShown : t.wrong, 'wrong'); quote(verdict.node); break
      default:
        if (verdict.type !== 'shown') say(verdict.type === 'right' ? t.right : t.alternative, 'right')
        quote(verdict.node)
        quote(verdict.reply)
    }
    if (!over) return say(fill(t.yourMove, this.#side(side)))
    say(asked ? fill(t.done, found, asked) : t.nothing, 'right')
  }

  #drawNext(covered: boolean) {
    this.#next.replaceChildren()
    const { children } = this.#node
    if (this.#guess || covered || children.length < 2) return
    this.#next.append(make('span', 'muted', this.#texts.goesOn))
    for (const [at, child] of children.entries()) {
      const words = this.#name(child.cell!) + (child.bad ? ` (${this.#texts.mistake})` : '')
      const button = this.#button(words, () => this.#show(child))
      button.setAttribute('aria-pressed', String(at === this.#choice))
      this.#next.append(button)
    }
  }

  #drawBar() {
    const t = this.#texts
    const had = (document.activeElement as HTMLElement | null)?.dataset?.tool
    const root = this.#chapter.root
    const [first, last] = [this.#node === root, !this.#node.children.length]
    const tool = (name: string, label: string, sign: string, act: () => void, off = false) => {
      const button = this.#button(sign, act, name)
      button.setAttribute('aria-label', label)
      button.title = label
      button.disabled = off
      return button
    }
    const chapters = this.#study.chapters.length
    this.#bar.replaceChildren(...(this.#guess ? [] : [
      tool('first', t.first, '«', () => this.#show(root), first),
      tool('back', t.back, '◀', () => this.#back(), first && !(this.#presenting && this.#at > 0)),
      tool('forward', t.forward, '▶', () => this.#forward(), last && !(this.#presenting && this.#at + 1 < chapters)),
      tool('last', t.last, '»', () => this.#show(lastOf(this.#node)), last),
    ]),
      tool('previousChapter', t.previousChapter, '⇤', () => this.go(this.#at - 1), this.#at === 0),
      tool('nextChapter', t.nextChapter, '⇥', () => this.go(this.#at + 1), this.#at + 1 === chapters))
    const tools: HTMLElement[] = []
    if (this.#presenting) {
      tools.push(this.#button(t.fullScreen, () => this.#fullScreen(), 'fullScreen'))
    } else if (this.#guess) {
      if (!this.#guess.over) tools.push(this.#button(t.giveUp, () => { this.#guess!.show(); this.#told() }, 'giveUp'))
      tools.push(this.#button(t.again, () => this.#startGuess(), 'again'), this.#button(t.endGuess, () => this.go(this.#at), 'endGuess'))
    } else {
      tools.push(this.#button(t.present, () => this.present(), 'present'))
      const { onBoard } = this.#options
      if (onBoard) tools.push(this.#button(t.toBoard, () => onBoard(this.#chapter, this.#node), 'toBoard'))
      if (root.children.length) tools.push(this.#button(t.guess, () => this.#startGuess(), 'guess'))
    }
    const toggle = (name: string, label: string, on: boolean, act: () => void) => {
      const button = this.#button(label, act, name)
      button.setAttribute('aria-pressed', String(on))
      tools.push(button)
    }
    if (!this.#guess) {
      toggle('hide', t.hideAnswers, this.#hide, () => { this.#hide = !this.#hide; this.#revealed = false; this.#draw() })
      toggle('numbers', t.numbers, this.#numbers, () => { this.#numbers = !this.#numbers; this.#draw() })
    }
    if (this.#presenting) tools.push(this.#button(t.leave, () => this.#dialog.close(), 'leave'))
    this.#tools.replaceChildren(...tools)
    this.#tools.title = this.#presenting ? t.keys : ''
    const again = had ? this.#frame.querySelector<HTMLButtonElement>(`[data-tool=${had}]`) : null
    if (again && !again.disabled) again.focus()
    else if (had) this.#frame.querySelector<HTMLButtonElement>('.bar button:not(:disabled)')?.focus()
  }

  #button(words: string, act: () => void, tool = ''): HTMLButtonElement {
    const button = make('button', '', words)
    button.type = 'button'
    if (tool) button.dataset.tool = tool
    button.addEventListener('click', act)
    return button
  }
}
