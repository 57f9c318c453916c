/**
 * `<collinear-board game="gomoku" moves="h8 i9" play="sextant:level=4">`: a position or a record on any page, to step
 * through and, with `play`, to play on against an agent or (`play=""`) for both sides.
 */

import { columnName } from '../lib/cells.ts'
import { MARGIN, PAD, picture, U } from '../lib/picture.ts'
import type { RulesView } from '../wire.ts'
import { Agent, Board, readRecord } from './index.ts'

const STYLE = `
  :host { display: inline-block; max-width: 100%; font-family: system-ui, sans-serif; color: inherit; }
  svg { display: block; width: 100%; height: auto; cursor: default; }
  .playable svg { cursor: pointer; }
  .board:focus-visible { outline: 3px solid currentColor; outline-offset: 2px; }
  .bar { display: flex; gap: 0.3rem; align-items: center; padding: 0.3rem 0; flex-wrap: wrap; }
  button { font: inherit; min-width: 2.2rem; padding: 0.2rem 0.5rem; }
  .words { margin-inline-start: auto; font-size: 0.9rem; }
`

export class CollinearBoard extends HTMLElement {
  static observedAttributes = ['game', 'moves', 'record', 'play', 'numbers']

  #root = this.attachShadow({ mode: 'open' })
  #moves: string[] = []
  #game = 'gomoku'
  #shown = 0
  #board: Board | undefined
  #words = ''
  /** Counts what was asked: an answer to an older question is dropped. */
  #turn = 0

  connectedCallback() {
    void this.#load()
  }

  attributeChangedCallback() {
    if (this.isConnected) void this.#load()
  }

  /** The position shown. */
  get board(): Board | undefined {
    return this.#board
  }

  /** Against whom; empty for both sides, null where nobody plays. */
  get #opponent(): string | null {
    return this.getAttribute('play')
  }

  async #load() {
    try {
      const text = this.getAttribute('record') ?? ((this.textContent ?? '').trim() || null)
      if (text) {
        const record = await readRecord(text)
        this.#game = record.game
        this.#moves = record.moves
      } else {
        this.#game = this.getAttribute('game') ?? 'gomoku'
        this.#moves = (this.getAttribute('moves') ?? '').split(/\s+/).filter(Boolean)
      }
      await this.#show(this.#moves.length)
    } catch (error) {
      this.#say((error as Error).message)
    }
  }

  async #show(shown: number) {
    const turn = ++this.#turn
    const board = await Board.create(this.#game, this.#moves.slice(0, shown))
    if (turn !== this.#turn) return
    this.#shown = shown
    this.#board = board
    this.#words = board.over ? (board.winner ? `${this.#side(board.winner)} wins` : 'Draw') : `${this.#side(board.toMove)} to move`
    this.#draw()
    this.dispatchEvent(new CustomEvent('position', { detail: board }))
  }

  #side(colour: 'black' | 'white'): string {
    const names = this.#board?.gravity ? ['Red', 'Yellow'] : ['Black', 'White']
    return names[colour === 'black' ? 0 : 1]!
  }

  #say(words: string) {
    this.#words = words
    this.#draw()
  }

  /** Plays a stone where the position shown is; what came after it is dropped. */
  async #play(move: string) {
    this.#moves = [...this.#moves.slice(0, this.#shown), move]
    const mover = this.#board!.toMove
    await this.#show(this.#moves.length)
    const board = this.#board!
    if (!this.#opponent || board.over || board.toMove === mover) return
    this.#say(`${this.#side(board.toMove)} is thinking…`)
    const turn = this.#turn
    try {
      const { turn: stones } = await new Agent(this.#opponent).choose(board)
      if (turn !== this.#turn) return
      this.#moves = [...this.#moves.slice(0, this.#shown), ...stones]
      await this.#show(this.#moves.length)
    } catch (error) {
      this.#say((error as Error).message)
    }
  }

  #clicked(event: MouseEvent, svg: SVGElement) {
    const board = this.#board!
    const box = svg.getBoundingClientRect()
    const scale = (board.width * U + MARGIN + PAD) / box.width
    const column = Math.floor(((event.clientX - box.left) * scale - MARGIN) / U)
    const row = board.height - 1 - Math.floor(((event.clientY - box.top) * scale - PAD) / U)
    const name = columnName(column)
    const move = board.legal.find((legal) => board.gravity ? legal.replace(/\d+$/, '') === name : legal === `${name}${row + 1}`)
    if (move) void this.#play(move)
  }

  #draw() {
    const board = this.#board
    const bar = (label: string, sign: string, to: number) =>
      `<button part="button" aria-label="${label}" data-to="${to}" ${to === this.#shown || to < 0 || to > this.#moves.length ? 'disabled' : ''}>${sign}</button>`
    const playable = this.#opponent !== null && board !== undefined && !board.over
    const stones = board?.stones.map((stone, at) => ({ ...stone, number: at + 1 })) ?? []
    const svg = board ? picture(board as unknown as RulesView, stones as never, board.rows, this.hasAttribute('numbers')).svg : ''
    this.#root.innerHTML = `<style>${STYLE}</style>
      <div class="board ${playable ? 'playable' : ''}" role="img" aria-label="${board ? `${board.width} by ${board.height}, ${board.moves.join(' ')}` : ''}">${svg}</div>
      <div class="bar">${bar('First position', '⏮', 0)}${bar('Back', '◀', this.#shown - 1)}${bar('Forward', '▶', this.#shown + 1)}${bar('Last position', '⏭', this.#moves.length)}
        <span class="words" role="status"></span></div>`
    this.#root.querySelector('.words')!.textContent = this.#words
    for (const button of this.#root.querySelectorAll('button')) {
      button.addEventListener('click', () => void this.#show(Number(button.dataset.to)))
    }
    const drawn = this.#root.querySelector('svg')
    if (playable && drawn) drawn.addEventListener('click', (event) => this.#clicked(event, drawn))
  }
}

if (!customElements.get('collinear-board')) customElements.define('collinear-board', CollinearBoard)
