/** The game on the screen: what the server told of it, and what it is expected to tell next. */

import type {
  AgentInfo, BoardView, Colour, FormCheck, GameView, NewGame, NodeView, PresetInfo, RulesForm, RulesView,
  StoredGame, ToPage, ToServer,
} from '../wire.ts'
import { colourName, t } from '../texts.ts'
import { Address, type Place } from './address.svelte.ts'
import { ArenaState } from './arena.svelte.ts'
import { cellName, landing, lastTurn, stonesOf, turnAfter } from './cells.ts'
import { download } from './download.ts'
import { Exchange } from './exchange.svelte.ts'
import { EXPECTED, expectedBoard, expectedGame } from './expected.ts'
import { Insights } from './insights.svelte.ts'
import { Notices } from './notices.svelte.ts'
import { Settings } from './settings.svelte.ts'
import { pathTo, placed, tipOf, turnStep } from './turns.ts'

const GAME_KEY = 'collinear.game'

/** What is told of one game; between two games it may be of the one that is gone. */
const OF_A_GAME: ReadonlySet<ToPage['type']> = new Set([
  'tree', 'board', 'search', 'threats', 'columns', 'book', 'shapes', 'reviewed',
])

export class Page {
  version = $state('')
  presets = $state.raw<PresetInfo[]>([])
  agents = $state.raw<AgentInfo[]>([])
  game = $state.raw<GameView | null>(null)
  nodes = $state.raw<NodeView[]>([])
  board = $state.raw<BoardView | null>(null)
  /** When the board was told: clocks run on from there. */
  boardAt = $state(0)
  stored = $state.raw<StoredGame[] | null>(null)
  check = $state.raw<{ form: RulesForm; check: FormCheck } | null>(null)
  review = $state.raw<{ done: number; of: number } | null>(null)
  /** A record with several games, and their titles. */
  choices = $state.raw<{ text: string; titles: string[] } | null>(null)
  /** Stones drawn before the server has confirmed them. */
  pending = $state.raw<number[]>([])
  /** The games entered so far. */
  entered = $state(0)
  /** The last thing that happened besides stones, for those who listen. */
  said = $state('')

  settings = new Settings()
  notices = new Notices()
  insights = new Insights(this)
  arena = new ArenaState()
  address = new Address((place) => this.#goTo(place))
  #exchange = new Exchange((message) => this.#hear(message), (connected) => this.#connected(connected))

  connected = $derived(this.#exchange.connected)
  everConnected = $derived(this.#exchange.everConnected)
  /** Whether the board shown is an old one, since a change of it is under way. */
  changing = $derived(this.#exchange.changing)
  stones = $derived(this.board && this.game ? stonesOf(this.game, this.board, this.pending) : [])
  /** Stones of the path that the server knows. */
  confirmed = $derived(this.board?.moves.length ?? 0)
  taken = $derived(new Set(this.stones.map((stone) => stone.cell)))
  last = $derived(lastTurn(this.stones))
  placed = $derived(this.game ? placed(this.game, this.nodes) : [])
  turn = $derived(
    this.board && this.game
      ? turnAfter(this.board, this.game.rules, this.pending.length)
      : { toMove: 'black' as const, left: 1, of: 1 },
  )
  /** Whether a player at this page may place a stone now. */
  mayPlay = $derived.by(() => {
    if (!this.board || !this.game || this.board.ending || !this.connected) return false
    const seat = this.game.seats[this.turn.toMove === 'black' ? 0 : 1]
    const agentsTurn = seat.type === 'agent' && this.board.live && !this.board.paused
    return !agentsTurn || this.board.trouble !== null
  })
  /** The line shown: through the node on the board to the end where it came from. */
  line = $derived.by(() => {
    const node = this.board?.node ?? 0
    const known = pathTo(this.nodes, this.#tip)
    return known.includes(node) ? known : pathTo(this.nodes, tipOf(this.nodes, node))
  })
  /** Whether moves follow the one shown. */
  ahead = $derived((this.board?.node ?? 0) !== (this.line.at(-1) ?? 0))

  canUndo = $derived(this.ahead ? (this.board?.node ?? 0) > 0 : (this.board?.canUndo ?? false) || this.pending.length > 0)
  canRedo = $derived(this.ahead)

  /** The end of the line shown last. */
  #tip = $state(0)
  #importing: string | null = null
  /** Stones and typed moves that wait for the board they are meant for. */
  #queue: (number | string)[] = []
  /** Where the last `goto` leads that is not answered yet. */
  #heading: number | null = null
  #next: { game: GameView; nodes: NodeView[] } | null = null
  /** The game of a run on the board, as long as nothing was added to it. */
  #replayed: string | null = null

  send(message: ToServer) {
    if (!this.#exchange.send(message)) return this.tell(t.status.lost)
    this.#heading = message.type === 'goto' ? message.node : this.changing ? null : this.#heading
  }

  /** Waits until everything asked so far is answered, or the server is gone. */
  answered(): Promise<void> {
    return this.#exchange.answered()
  }

  tell(text: string) {
    this.notices.tell(text)
  }

  /** What the stones of a side are called: Connect Four is played in red and yellow. */
  side(colour: Colour): string {
    return colourName(colour, this.game?.rules.gravity ?? false)
  }

  /** Goes through the line shown turn by turn, from where the last step leads even if it is not answered yet. */
  step(to: 'back' | 'forward' | 'first' | 'last') {
    const current = this.#heading ?? this.board?.node ?? 0
    const target = {
      back: () => turnStep(this.line, this.placed, current, -1),
      forward: () => turnStep(this.line, this.placed, current, 1),
      first: () => 0,
      last: () => this.line.at(-1) ?? 0,
    }[to]()
    if (target !== current) this.goto(target)
  }

  goto(node: number) {
    this.send({ type: 'goto', node })
  }

  /** Takes back a stone of the turn under way, or the last turn; where moves follow, it only steps back. */
  undo() {
    if (this.ahead) this.step('back')
    else if (this.mayPlay && this.turn.left < this.turn.of) this.send({ type: 'retract' })
    else this.send({ type: 'undo' })
  }

  redo() {
    this.step('forward')
  }

  /** Removes a move and what follows it. */
  prune(node: number) {
    this.send({ type: 'prune', node })
  }

  /** Begins a game. Its empty board is shown at once, so that the first stone can be clicked. */
  begin(game: NewGame, rules: RulesView) {
    this.send({ type: 'new', game })
    if (!this.connected) return
    this.game = null
    this.#enter({ game: expectedGame(game, rules), nodes: [] })
    this.board = expectedBoard(rules)
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

  /** Plays the stones of a turn one after the other. */
  playTurn(cells: readonly number[]) {
    for (const cell of cells) if (!this.play(cell)) return
  }

  type(text: string) {
    if (this.changing) this.#queue.push(text)
    else if (this.board) this.send({ type: 'type', ply: this.board.moves.length + this.pending.length, text })
  }

  /** Opens a record; one with several games is offered for choice. */
  import(text: string, index?: number) {
    this.#importing = text
    this.choices = null
    this.send({ type: 'import', text, ...(index !== undefined && { index }) })
  }

  /** Shows a game of a run on the board; games count from 1. */
  replay(run: string, game: number) {
    this.address.go({ view: 'replay', run, game })
    this.#goTo(this.address.place)
  }

  /** Back to the board, whatever it shows. */
  showBoard() {
    this.address.go({ view: 'board', ...(this.board && { link: this.board.link }) })
  }

  saveSettings() {
    this.send({ type: 'settings', text: this.settings.text })
  }

  #connected(connected: boolean) {
    this.#queue = []
    this.#heading = null
    this.#replayed = null
    if (connected) this.#open()
  }

  #open() {
    const { place } = this.address
    if (place.view === 'replay') return this.#goTo(place)
    const id = sessionStorage.getItem(GAME_KEY) ?? undefined
    const link = place.view === 'board' ? place.link : undefined
    this.send({ type: 'open', ...(id && { id }), ...(link && { link }) })
  }

  /** Asks for what an address names, unless it is on the board already. */
  #goTo(place: Place) {
    if (place.view === 'replay') {
      const name = `${place.run}/${place.game}`
      if (this.#replayed === name) return
      this.#replayed = name
      this.send({ type: 'replay', run: place.run, number: place.game - 1 })
    } else if (place.view === 'board' && place.link && place.link !== this.board?.link) {
      this.send({ type: 'open', link: place.link })
    }
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
        else this.#grow([...this.nodes.slice(0, message.from), ...message.nodes])
        break
      case 'board':
        if (this.#next) this.#enter(this.#next)
        this.#show(message.board)
        break
      case 'synced':
        if (this.#exchange.settle(message.number)) {
          this.#heading = null
          // The game was refused: back to the one before.
          if (this.game?.id === EXPECTED) this.#open()
          this.#playQueue()
        }
        break
      case 'search': case 'threats': case 'columns': case 'book': case 'shapes':
        this.insights.hear(message)
        break
      case 'runs': case 'run':
        this.arena.hear(message)
        break
      case 'checked':
        this.check = { form: message.form, check: message.check }
        break
      case 'stored':
        this.stored = message.games
        break
      case 'reviewed':
        this.review = message.done < message.of ? message : null
        break
      case 'choices':
        this.choices = { text: this.#importing ?? '', titles: message.titles }
        break
      case 'exported':
        download(message.name, new Blob([message.text], { type: 'text/plain;charset=utf-8' }))
        if (message.losses.length) this.tell(t.record.losses(message.losses))
        break
      case 'refused':
        this.pending = []
        this.#importing = null
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
    this.#tip = 0
    this.insights.clear()
    this.review = null
    if (game.id === EXPECTED) {
      if (this.address.place.view !== 'board') this.address.go({ view: 'board' })
      return
    }
    sessionStorage.setItem(GAME_KEY, game.id)
    this.insights.enter()
  }

  #grow(nodes: NodeView[]) {
    // Something was added to the game of a run: now it is the player's own.
    if (this.#replayed && nodes.length !== this.nodes.length) this.#replayed = null
    this.nodes = nodes
  }

  #show(board: BoardView) {
    const before = this.board?.moves.length ?? 0
    const grown = board.moves.length - before
    // Confirmed stones leave the waiting list; anything unexpected clears it.
    const confirmed = this.pending.slice(0, Math.max(grown, 0))
    const asExpected =
      grown >= 0 && confirmed.every((cell, at) => board.moves[before + at] === cell)
    this.pending = asExpected ? this.pending.slice(grown) : []
    const line = this.line
    this.board = board
    this.boardAt = performance.now()
    this.#tip = tipOf(this.nodes, line.includes(board.node) ? line.at(-1)! : board.node)
    this.insights.moveTo(board.node)
    if (this.#importing !== null) {
      this.said = t.announce.opened(this.game!, board)
      this.#importing = null
    }
    const { view } = this.address.place
    if (view === 'board' || (view === 'replay' && !this.#replayed)) this.address.keep({ view: 'board', link: board.link })
  }
}
