/** Everything the page knows: what the server told, and what it expects the server to tell. */

import type {
  AgentInfo, BoardView, BookView, ColumnsView, EngineLine, FormCheck, GameView, NodeView, PresetInfo,
  Purpose, RulesForm, RunInfo, RunView, SearchView, ShapesView, StoredGame, ThreatsView, ToPage,
  ToServer,
} from '../wire.ts'
import { t } from '../texts.ts'
import { landing, lastTurn, turnAfter, type Stone } from './cells.ts'
import { Connection } from './connection.ts'
import { Settings } from './settings.svelte.ts'

const GAME_KEY = 'collinear.game'
const NOTICE_MS = 6000

export class Page {
  version = $state('')
  presets = $state.raw<PresetInfo[]>([])
  agents = $state.raw<AgentInfo[]>([])
  game = $state.raw<GameView | null>(null)
  nodes = $state.raw<NodeView[]>([])
  board = $state.raw<BoardView | null>(null)
  /** When the board was told: clocks run on from there. */
  boardAt = $state(0)
  searches = $state<Partial<Record<Purpose, SearchView>>>({})
  stored = $state.raw<StoredGame[] | null>(null)
  check = $state.raw<{ form: RulesForm; check: FormCheck } | null>(null)
  connected = $state(false)
  everConnected = $state(false)
  notice = $state('')
  analysing = $state(false)
  showThreats = $state(false)
  showColumns = $state(false)
  showShapes = $state(false)
  showBook = $state(false)
  threats = $state.raw<ThreatsView | null>(null)
  columns = $state.raw<ColumnsView | null>(null)
  book = $state.raw<BookView | null>(null)
  shapes = $state.raw<ShapesView | null>(null)
  review = $state.raw<{ done: number; of: number } | null>(null)
  /** A line of the analyst that is laid over the board. */
  preview = $state.raw<EngineLine | null>(null)
  /** A record with several games, and their titles. */
  choices = $state.raw<{ text: string; titles: string[] } | null>(null)
  runs = $state.raw<RunInfo[] | null>(null)
  run = $state.raw<RunView | null>(null)
  /** Whether the address named a game when the page was opened. */
  linked = window.location.hash.length > 1
  settings = new Settings()

  /** Stones drawn before the server has confirmed them. */
  pending = $state.raw<number[]>([])

  stones = $derived.by(() => this.#stones())
  taken = $derived(new Set(this.stones.map((stone) => stone.cell)))
  last = $derived(lastTurn(this.stones))
  turn = $derived(
    this.board && this.game
      ? turnAfter(this.board, this.game.rules, this.pending.length)
      : { toMove: 'black' as const, left: 1, of: 1 },
  )
  /** Whether a person may place a stone now. */
  mayPlay = $derived.by(() => {
    if (!this.board || !this.game || this.board.ending || !this.connected) return false
    const seat = this.game.seats[this.turn.toMove === 'black' ? 0 : 1]
    const agentsTurn = seat.type === 'agent' && this.board.live && !this.board.paused
    return !agentsTurn || this.board.trouble !== null
  })
  hint = $derived(
    this.searches.hint?.done && this.searches.hint.node === this.board?.node && !this.pending.length
      ? this.searches.hint.turn
      : [],
  )

  #importing = ''
  #next: { game: GameView; nodes: NodeView[] } | null = null
  #connection: Connection
  #noticeTimer: ReturnType<typeof setTimeout> | undefined

  constructor() {
    this.#connection = new Connection(
      (message) => this.#hear(message),
      (connected) => {
        this.connected = connected
        if (connected) {
          this.everConnected = true
          this.#open()
        }
      },
    )
    window.addEventListener('hashchange', () => {
      const link = linkInAddress()
      if (link && link !== this.board?.link) this.send({ type: 'open', link })
    })
  }

  send(message: ToServer) {
    if (!this.#connection.send(message)) this.tell(t.status.lost)
  }

  /** Shows a sentence for a while. */
  tell(text: string) {
    this.notice = text
    clearTimeout(this.#noticeTimer)
    this.#noticeTimer = setTimeout(() => (this.notice = ''), NOTICE_MS)
  }

  /** Draws a stone at once and asks the server for it. */
  play(cell: number): boolean {
    const { board, game } = this
    if (!board || !game || !this.mayPlay) return false
    const at = landing(game.rules, this.taken, cell)
    if (at === null) return false
    const ply = board.moves.length + this.pending.length
    this.pending = [...this.pending, at]
    this.send({ type: 'play', ply, cell: at })
    return true
  }

  type(text: string) {
    if (this.board) this.send({ type: 'type', ply: this.board.moves.length, text })
  }

  setAnalysing(on: boolean) {
    this.analysing = on
    if (!on) delete this.searches.analysis
    this.send({ type: 'analyse', on, lines: this.settings.data.analysisLines })
  }

  /** Tells the server which overlays are wanted. */
  setOverlays() {
    if (!this.showThreats) this.threats = null
    if (!this.showColumns) this.columns = null
    if (!this.showShapes) this.shapes = null
    if (!this.showBook) this.book = null
    this.send({ type: 'overlays', threats: this.showThreats, columns: this.showColumns, book: this.showBook })
  }

  /** Opens a record; one with several games is offered for choice. */
  import(text: string, index?: number) {
    this.#importing = text
    this.choices = null
    this.send({ type: 'import', text, ...(index !== undefined && { index }) })
  }

  saveSettings() {
    this.send({ type: 'settings', text: this.settings.text })
  }

  #open() {
    const id = sessionStorage.getItem(GAME_KEY) ?? undefined
    const link = linkInAddress()
    this.send({ type: 'open', ...(id && { id }), ...(link && { link }) })
  }

  #stones(): Stone[] {
    const { board, game } = this
    if (!board || !game) return []
    const stones: Stone[] = []
    game.setup.forEach((cells, at) => {
      for (const cell of cells) {
        stones.push({ cell, colour: at === 0 ? 'black' : 'white', number: 0 })
      }
    })
    board.moves.forEach((cell, at) => {
      stones.push({ cell, colour: board.colours[at] === 'b' ? 'black' : 'white', number: at + 1 })
    })
    this.pending.forEach((cell, at) => {
      const { toMove } = turnAfter(board, game.rules, at)
      stones.push({ cell, colour: toMove, number: board.moves.length + at + 1 })
    })
    return stones
  }

  #hear(message: ToPage) {
    switch (message.type) {
      case 'hello':
        this.version = message.version
        this.presets = message.presets
        this.agents = message.agents
        this.settings.read(message.settings)
        break
      case 'game':
        // Shown with its board, which follows at once: never a board of other rules.
        this.#next = { game: message.game, nodes: [] }
        break
      case 'tree':
        if (this.#next) this.#next.nodes = message.nodes
        else this.nodes = [...this.nodes.slice(0, message.from), ...message.nodes]
        break
      case 'board':
        if (this.#next) this.#enter(this.#next)
        this.#showBoard(message.board)
        break
      case 'search':
        this.searches[message.search.purpose] = message.search
        break
      case 'checked':
        this.check = { form: message.form, check: message.check }
        break
      case 'stored':
        this.stored = message.games
        break
      case 'threats':
        this.threats = message.threats
        break
      case 'columns':
        this.columns = message.columns
        break
      case 'book':
        this.book = message.book
        break
      case 'shapes':
        this.shapes = message.shapes
        break
      case 'reviewed':
        this.review = message.done < message.of ? message : null
        break
      case 'choices':
        this.choices = { text: this.#importing, titles: message.titles }
        break
      case 'exported':
        download(message.name, new Blob([message.text], { type: 'text/plain;charset=utf-8' }))
        if (message.losses.length) this.tell(t.record.losses(message.losses))
        break
      case 'runs':
        this.runs = message.runs
        break
      case 'run':
        this.run = message.view
        break
      case 'refused':
        this.pending = []
        this.tell(message.text)
        break
    }
  }

  /** Goes over to another game. */
  #enter({ game, nodes }: { game: GameView; nodes: NodeView[] }) {
    this.#next = null
    this.game = game
    this.nodes = nodes
    this.board = null
    this.pending = []
    this.searches = {}
    this.threats = this.columns = this.book = this.shapes = this.review = this.preview = null
    this.showColumns &&= game.columns
    this.showShapes &&= game.shapes
    this.showBook &&= game.book
    sessionStorage.setItem(GAME_KEY, game.id)
    if (this.analysing) this.setAnalysing(true)
    if (this.showThreats || this.showColumns || this.showBook) this.setOverlays()
  }

  #showBoard(board: BoardView) {
    const before = this.board?.moves.length ?? 0
    const grown = board.moves.length - before
    // Confirmed stones leave the waiting list; anything unexpected clears it.
    const confirmed = this.pending.slice(0, Math.max(grown, 0))
    const asExpected =
      grown >= 0 && confirmed.every((cell, at) => board.moves[before + at] === cell)
    this.pending = asExpected ? this.pending.slice(grown) : []
    this.board = board
    this.boardAt = performance.now()
    for (const purpose of ['turn', 'hint', 'analysis'] as const) {
      if (this.searches[purpose] && this.searches[purpose].node !== board.node) {
        delete this.searches[purpose]
      }
    }
    this.preview = null
    if (this.threats?.node !== board.node) this.threats = null
    if (this.columns?.node !== board.node) this.columns = null
    if (this.book?.node !== board.node) this.book = null
    this.shapes = null
    if (linkInAddress() !== board.link) {
      history.replaceState(null, '', `#${board.link}`)
    }
  }
}

/** Hands a file to the browser's downloads. */
export function download(name: string, blob: Blob) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

function linkInAddress(): string | undefined {
  const text = window.location.hash.slice(1)
  try {
    return decodeURIComponent(text) || undefined
  } catch {
    return text
  }
}
