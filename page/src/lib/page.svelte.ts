/** Everything the page knows: what the server told, and what it expects the server to tell. */

import type {
  AgentInfo, BoardView, BookView, ColumnsView, EngineLine, FormCheck, GameView, NodeView, PresetInfo,
  NewGame, Purpose, ReportInfo, RulesForm, RulesView, RunInfo, RunView, SearchView, ShapesView, StoredGame, ThreatsView, ToPage,
  ToServer,
} from '../wire.ts'
import { t } from '../texts.ts'
import { cellName, landing, lastTurn, turnAfter, type Stone } from './cells.ts'
import { Connection } from './connection.ts'
import { tipOf } from './moves.ts'
import { Settings } from './settings.svelte.ts'

const GAME_KEY = 'collinear.game'
const NOTICE_MS = 6000

/** What changes the position shown: until it is answered, the board on the screen is an old one. */
const CHANGES: ReadonlySet<ToServer['type']> = new Set([
  'open', 'new', 'type', 'retract', 'undo', 'goto', 'continue', 'import', 'prune', 'promote', 'replay',
])

/** What is told of one game; between two games it may be of the one that is gone. */
const OF_A_GAME: ReadonlySet<ToPage['type']> = new Set([
  'tree', 'board', 'search', 'threats', 'columns', 'book', 'shapes', 'reviewed',
])

/** The name of a game that the server has not confirmed yet. */
const EXPECTED = 'expected'

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
  /** What was told of a position, shown only while that position is. */
  threats = $derived.by(() => this.#ifHere(this.toldThreats))
  columns = $derived.by(() => this.#ifHere(this.toldColumns))
  book = $derived.by(() => this.#ifHere(this.toldBook))
  shapes = $derived.by(() => this.#ifHere(this.toldShapes))
  toldThreats = $state.raw<ThreatsView | null>(null)
  toldColumns = $state.raw<ColumnsView | null>(null)
  toldBook = $state.raw<BookView | null>(null)
  toldShapes = $state.raw<ShapesView | null>(null)
  review = $state.raw<{ done: number; of: number } | null>(null)
  /** A line of the analyst that is laid over the board. */
  preview = $state.raw<EngineLine | null>(null)
  /** A record with several games, and their titles. */
  choices = $state.raw<{ text: string; titles: string[] } | null>(null)
  runs = $state.raw<RunInfo[] | null>(null)
  reports = $state.raw<ReportInfo[]>([])
  run = $state.raw<RunView | null>(null)
  /** Whether the address named a game when the page was opened. */
  linked = window.location.hash.length > 1
  settings = new Settings()

  /** Stones drawn before the server has confirmed them. */
  pending = $state.raw<number[]>([])
  /** Whether the board shown is an old one, since a change of it is under way. */
  changing = $state(false)
  /** The games entered so far. */
  entered = $state(0)

  stones = $derived.by(() => this.#stones())
  /** Stones of the path that the server knows. */
  confirmed = $derived(this.board?.moves.length ?? 0)
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
  hint = $derived.by(() => {
    const hint = this.#ifHere(this.searches.hint)
    return hint?.done ? hint.turn : []
  })
  analysis = $derived.by(() => this.#ifHere(this.searches.analysis))

  #importing = ''
  /** Stones and typed moves that wait for the board they are meant for. */
  #queue: (number | string)[] = []
  #syncs = 0
  #waiting = new Map<number, () => void>()
  /** Where the last `goto` leads that is not answered yet. */
  #heading: number | null = null
  #next: { game: GameView; nodes: NodeView[] } | null = null
  #connection: Connection
  #noticeTimer: ReturnType<typeof setTimeout> | undefined

  constructor() {
    this.#connection = new Connection(
      (message) => this.#hear(message),
      (connected) => {
        this.connected = connected
        this.changing = false
        this.#queue = []
        this.#heading = null
        for (const resolve of this.#waiting.values()) resolve()
        this.#waiting.clear()
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
    if (!this.#connection.send(message)) return this.tell(t.status.lost)
    if (CHANGES.has(message.type)) {
      this.changing = true
      this.#heading = message.type === 'goto' ? message.node : null
      this.#sync()
    }
  }

  #sync(): number {
    this.#connection.send({ type: 'sync', number: ++this.#syncs })
    return this.#syncs
  }

  /** Waits until everything asked so far is answered, or the server is gone. */
  async answered(): Promise<void> {
    if (!this.connected) return
    const number = this.#sync()
    await new Promise<void>((resolve) => this.#waiting.set(number, resolve))
  }

  /** Goes through the line shown, from where the last step leads even if it is not answered yet. */
  step(to: 'back' | 'forward' | 'first' | 'last') {
    const current = this.#heading ?? this.board?.node ?? 0
    const target = {
      back: this.nodes[current]?.parent ?? null,
      forward: this.nodes.findIndex((node) => node.parent === current),
      first: 0,
      last: tipOf(this.nodes, current),
    }[to]
    if (target !== null && target >= 0 && target !== current) this.send({ type: 'goto', node: target })
  }

  /** Begins a game. Its empty board is shown at once, so that the first stone can be clicked. */
  begin(game: NewGame, rules: RulesView) {
    this.send({ type: 'new', game })
    if (!this.connected) return
    this.game = null
    this.#enter({ game: expectedGame(game, rules), nodes: [] })
    this.board = expectedBoard(rules)
  }

  /** Shows a sentence for a while. */
  tell(text: string) {
    this.notice = text
    clearTimeout(this.#noticeTimer)
    this.#noticeTimer = setTimeout(() => (this.notice = ''), NOTICE_MS)
  }

  /** Draws a stone at once and asks the server for it; while the board changes, the stone waits. */
  play(cell: number): boolean {
    const { board, game } = this
    if (this.changing) {
      this.#queue.push(cell)
      return true
    }
    if (!board || !game || !this.mayPlay) return false
    const at = landing(game.rules, this.taken, cell)
    if (at === null) return false
    const ply = board.moves.length + this.pending.length
    this.pending = [...this.pending, at]
    this.send({ type: 'play', ply, cell: at })
    return true
  }

  type(text: string) {
    if (this.changing) this.#queue.push(text)
    else if (this.board) this.send({ type: 'type', ply: this.board.moves.length + this.pending.length, text })
  }

  /** Plays what waited for the board. */
  #playQueue() {
    const waiting = this.#queue
    this.#queue = []
    for (const move of waiting) {
      // A typed move changes the board: what follows it waits again.
      if (typeof move === 'string') this.type(move)
      else if (!this.play(move)) {
        if (this.game) this.tell(t.status.dropped(cellName(this.game.rules, move)))
        return
      }
    }
  }

  /** Something that was told of a position, if that is the one shown. */
  #ifHere<View extends { node: number }>(view: View | null | undefined): View | null {
    const here = !this.changing && !this.pending.length && view?.node === this.board?.node
    return (here && view) || null
  }

  setAnalysing(on: boolean) {
    this.analysing = on
    if (!on) delete this.searches.analysis
    this.send({ type: 'analyse', on, lines: this.settings.data.analysisLines })
  }

  /** Tells the server which overlays are wanted. */
  setOverlays() {
    if (!this.showThreats) this.toldThreats = null
    if (!this.showColumns) this.toldColumns = null
    if (!this.showShapes) this.toldShapes = null
    if (!this.showBook) this.toldBook = null
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
    // Still of the game before.
    if (this.game?.id === EXPECTED && !this.#next && OF_A_GAME.has(message.type)) return
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
      case 'synced':
        this.#waiting.get(message.number)?.()
        this.#waiting.delete(message.number)
        if (message.number === this.#syncs) {
          this.changing = false
          this.#heading = null
          // The game was refused: back to the one before.
          if (this.game?.id === EXPECTED) this.#open()
          this.#playQueue()
        }
        break
      case 'search':
        // The last words of an analysis that was just switched off.
        if (message.search.purpose === 'analysis' && !this.analysing) break
        this.searches[message.search.purpose] = message.search
        break
      case 'checked':
        this.check = { form: message.form, check: message.check }
        break
      case 'stored':
        this.stored = message.games
        break
      case 'threats':
        this.toldThreats = message.threats
        break
      case 'columns':
        this.toldColumns = message.columns
        break
      case 'book':
        this.toldBook = message.book
        break
      case 'shapes':
        this.toldShapes = message.shapes
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
        this.reports = message.reports
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
    if (this.game?.id !== EXPECTED) {
      this.entered += 1
      // Clicked on a board that is gone.
      this.#queue = []
    }
    this.game = game
    this.nodes = nodes
    this.board = null
    this.pending = []
    this.searches = {}
    this.toldThreats = this.toldColumns = this.toldBook = this.toldShapes = null
    this.review = this.preview = null
    if (game.id === EXPECTED) return
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
    // Numbers of nodes are given again after an undo: what is old goes.
    if (this.toldThreats?.node !== board.node) this.toldThreats = null
    if (this.toldColumns?.node !== board.node) this.toldColumns = null
    if (this.toldBook?.node !== board.node) this.toldBook = null
    this.toldShapes = null
    if (linkInAddress() !== board.link) {
      history.replaceState(null, '', `#${board.link}`)
    }
  }
}

/** A game as the server will confirm it in a moment; what it offers besides stones is not known yet. */
const expectedGame = ({ black, white, timing }: NewGame, rules: RulesView): GameView => ({
  id: EXPECTED, rules, seats: [black, white], timing, setup: [[], []], firstToMove: 'black', firstStones: rules.q,
  info: [], levels: [], analyst: null, formats: [], columns: false, shapes: false, book: false,
})

const expectedBoard = ({ q }: RulesView): BoardView => ({
  node: 0, moves: [], colours: '', toMove: 'black', stonesLeft: q, turnStones: q, ending: null, rows: [],
  live: true, paused: false, paceMs: 0, clock: null, trouble: null, link: '', canUndo: false,
})

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
