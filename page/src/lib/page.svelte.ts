/** The game on the screen: what the server told of it, and what it is expected to tell next. */

import {
  OF_A_GAME, type AgentInfo, type BoardView, type Colour, type FormCheck, type GameView, type NewGame, type NodeView,
  type PresetInfo, type RulesForm, type RulesView, type ToPage, type ToServer,
} from '../wire.ts'
import { colourName, t } from '../texts.ts'
import { Address } from './address.svelte.ts'
import { ArenaState } from './arena.svelte.ts'
import { isBackup, withStudies } from './backup.ts'
import { lastTurn, stonesOf, turnAfter } from './cells.ts'
import { dated, download, exported } from './download.ts'
import { Friends } from './friends.svelte.ts'
import { CoachState } from './coach.svelte.ts'
import { Exchange } from './exchange.svelte.ts'
import { EXPECTED, expectedBoard, expectedGame } from './expected.ts'
import { ExplainState } from './explain.svelte.ts'
import { Hand } from './hand.svelte.ts'
import { Insights } from './insights.svelte.ts'
import { inColours } from './naming.ts'
import { Notices } from './notices.svelte.ts'
import { Opening } from './opening.svelte.ts'
import { Practice } from './practice.svelte.ts'
import { Puzzles } from './puzzles.svelte.ts'
import { room } from './room.ts'
import { ReviewState } from './review.svelte.ts'
import { Settings } from './settings.svelte.ts'
import { MoveTree, type Step } from './tree.svelte.ts'
import { WinPlay } from './win.svelte.ts'

/** The games that people know come first; the rest as the program lists them. */
const FIRST = ['connect4', 'gomoku', 'renju', 'connect6']
function inOrder(presets: readonly PresetInfo[]): PresetInfo[] {
  const rank = ({ name }: PresetInfo) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length)
  return presets.toSorted((a, b) => rank(a) - rank(b))
}

/** What is said to a room. */
const OF_A_ROOM: ReadonlySet<ToServer['type']> = new Set(['play', 'type', 'choose', 'resign', 'goto', 'export', 'friend'])

export class Page {
  version = $state('')
  presets = $state.raw<PresetInfo[]>([])
  agents = $state.raw<AgentInfo[]>([])
  game = $state.raw<GameView | null>(null)
  /** The position shown; its node is an index into `nodes`, as all nodes are on this side of the wire. */
  board = $state.raw<BoardView | null>(null)
  /** When the board was told: clocks run on from there. */
  boardAt = $state(0)
  check = $state.raw<{ form: RulesForm; check: FormCheck } | null>(null)
  review = new ReviewState(this)
  /** The games entered so far. */
  entered = $state(0)
  /** Games that came back from a file so far. */
  restoring = 0
  /** Takes the text of the export asked for, instead of the browser's downloads. */
  takeExport: ((text: string) => void) | null = null
  /** Hears what is said of openings, while their explorer is shown. */
  hearOpenings: ((message: Extract<ToPage, { type: 'openings' | 'ownOpenings' | 'glanced' | 'refused' }>) => void) | null = null
  /** The last thing that happened besides stones, for those who listen. */
  said = $state('')

  tree = new MoveTree()
  hand = new Hand(this)
  settings = new Settings()
  notices = new Notices()
  insights = new Insights(this)
  win = new WinPlay(this)
  coach = new CoachState(this)
  practice = new Practice(this)
  arena = new ArenaState(this)
  puzzles = new Puzzles(this)
  explain = new ExplainState(this)
  opening = new Opening(this)
  friends = new Friends(this)
  address = new Address((place) => this.opening.goTo(place))
  #exchange = new Exchange((message) => this.#hear(message), (connected) => this.#connected(connected))

  connected = $derived(this.#exchange.connected)
  everConnected = $derived(this.#exchange.everConnected)
  /** Whether the board shown is an old one, since a change of it is under way. */
  changing = $derived(this.#exchange.changing)
  /** Stones on the board that the game does not have: on their way, or of a win that is played against. */
  more = $derived<readonly number[]>(this.win.open ? this.win.line : this.practice.open ? this.practice.line : this.hand.pending)
  stones = $derived(this.board && this.game ? stonesOf(this.game, this.board, this.more) : [])
  /** Stones of the path that the server knows. */
  confirmed = $derived((this.board?.moves.length ?? 0) + (this.win.open || this.practice.open ? this.more.length : 0))
  taken = $derived(new Set(this.stones.map((stone) => stone.cell)))
  last = $derived(lastTurn(this.stones))
  turn = $derived(
    this.board && this.game
      ? turnAfter(this.board, this.game.rules, this.more.length)
      : { toMove: 'black' as const, left: 1, of: 1 },
  )
  /** What is to be done before the colours are settled. */
  openingStep = $derived(this.board?.opening?.step ?? null)
  /** Whose seat acts: that of the colour to move, or of the side whose step of an opening it is. */
  acting = $derived<Colour>(this.openingStep ? (this.openingStep.side === 'opener' ? 'black' : 'white') : this.turn.toMove)
  /** Whether a player at this page acts now. */
  mayAct = $derived.by(() => {
    if (!this.board || !this.game || this.board.ending || !this.connected || !this.friends.mayAct(this.acting)) return false
    const seat = this.game.seats[this.acting === 'black' ? 0 : 1]
    return seat.type === 'person' || !this.board.live || this.board.paused
  })
  /** Whether a player at this page may place a stone now. */
  mayPlay = $derived(this.win.open ? this.win.mayPlay : this.practice.open ? this.practice.mayPlay : this.mayAct && (!this.openingStep || (this.openingStep.type === 'place' && this.hand.pending.length < this.openingStep.stones)))
  /** The rows that are complete on the board. */
  rows = $derived(this.win.open ? (this.win.over ? this.win.view!.rows : []) : (this.board?.rows ?? []))
  canUndo = $derived((this.board?.canUndo ?? false) || this.hand.pending.length > 0)
  canRedo = $derived(this.board?.canRedo ?? false)

  /** Where the last `goto` leads that is not answered yet. */
  #heading: number | null = null
  #next: { game: GameView; nodes: NodeView[] } | null = null

  send(message: ToServer) {
    // The other things need more than a room.
    if (room && !OF_A_ROOM.has(message.type)) return
    if (!this.#exchange.send(message)) return this.tell(t.status.lost)
    if (this.changing && message.type !== 'goto') this.#heading = null
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

  /** A sentence of the server in the colours on the board. */
  words(text: string): string {
    return inColours(text, this.game?.rules.gravity ?? false)
  }

  /** Goes through the line shown turn by turn, from where the last step leads even if it is not answered yet. */
  step(to: Step) {
    if (this.win.open) return to === 'back' ? this.win.back() : undefined
    if (this.practice.open) return to === 'back' ? this.practice.back() : undefined
    const current = this.#heading ?? this.tree.current
    const target = this.tree.target(to, current)
    if (target !== current) this.goto(target)
  }

  /** Goes to a node, and on from there with the stones of a turn. */
  goto(node: number, cells: readonly number[] = []) {
    if (!this.friends.mayStep) return
    this.send({ type: 'goto', node: this.tree.idOf(node) })
    if (this.changing) this.#heading = node
    // They wait until the node is shown.
    this.hand.playTurn(cells)
  }

  comment(node: number, text: string) {
    this.send({ type: 'comment', node: this.tree.idOf(node), text })
  }

  promote(node: number) {
    this.send({ type: 'promote', node: this.tree.idOf(node) })
  }

  /** Takes back a stone of the turn under way, or the last turn. Nothing is lost: what was taken back can be redone. */
  undo() {
    if (this.friends.view) return
    if (this.win.open) return this.win.back()
    if (this.practice.open) return this.practice.back()
    if (this.board?.live && this.mayPlay && this.turn.left < this.turn.of) this.send({ type: 'retract' })
    else this.send({ type: 'undo' })
  }

  redo() {
    if (!this.win.open && !this.practice.open) this.send({ type: 'redo' })
  }

  /** Removes a move and what follows it; for a while they can be brought back. */
  prune(node: number) {
    this.send({ type: 'prune', node: this.tree.idOf(node) })
    this.notices.offerUndo(t.moves.pruned, () => this.send({ type: 'restore' }))
  }

  /** Shows the empty board of a game that the server will confirm in a moment. */
  expect(game: NewGame, rules: RulesView) {
    if (!this.connected) return
    this.game = null
    this.#enter({ game: expectedGame(game, rules), nodes: [] })
    this.board = expectedBoard(rules)
  }

  saveSettings() {
    this.send({ type: 'settings', text: this.settings.keep() })
  }

  #connected(connected: boolean) {
    this.hand.forget()
    this.#heading = null
    this.opening.disconnected()
    if (connected) this.opening.resume()
  }

  #hear(message: ToPage) {
    // Still of the game before.
    if (this.game?.id === EXPECTED && !this.#next && OF_A_GAME.has(message.type)) return
    switch (message.type) {
      case 'hello':
        this.version = message.version
        this.presets = inOrder(message.presets)
        this.agents = message.agents
        this.settings.read(message.settings)
        this.friends.welcome(message.invitation)
        break
      case 'game':
        // Shown with its board, which follows at once: never a board of other rules.
        this.#next = { game: message.game, nodes: [] }
        break
      case 'invited':
        this.friends.invited(message.room)
        break
      case 'friends':
        this.friends.hear(message.friends)
        break
      case 'seats':
        if (this.game) this.game = { ...this.game, seats: message.seats, info: message.info }
        break
      case 'tree':
        if (this.#next) this.#next.nodes = message.nodes
        else this.#grow(message.from, message.nodes)
        break
      case 'board':
        if (this.#next) this.#enter(this.#next)
        this.#show(message.board)
        break
      case 'synced':
        if (this.#exchange.settle(message.number)) {
          this.#heading = null
          // The game was refused: back to the one before.
          if (this.game?.id === EXPECTED) this.opening.resume()
          this.hand.playWaiting()
        }
        break
      case 'search': case 'threats': case 'columns': case 'book': case 'policy': case 'shapes': case 'parity':
        this.insights.hear(message)
        break
      case 'win':
        this.win.hear(message.win)
        break
      case 'coach': case 'danger':
        this.coach.hear(message)
        break
      case 'tried':
        this.practice.hear(message.tried)
        break
      case 'runs': case 'run': case 'live': case 'matchStarted': case 'engineAdded':
        this.arena.hear(message)
        break
      case 'puzzles': case 'puzzleState': case 'foundPuzzles':
        this.puzzles.hear(message)
        break
      case 'explained':
        this.explain.hear(message)
        break
      case 'openings': case 'ownOpenings': case 'glanced':
        this.hearOpenings?.(message)
        break
      case 'checked':
        this.check = { form: message.form, check: message.check }
        break
      case 'stored': case 'choices':
        this.opening.hear(message)
        break
      case 'reviewed':
      case 'review':
        this.review.hear(message)
        break
      case 'exported':
        if (this.takeExport) {
          this.takeExport(message.text)
          this.takeExport = null
          break
        }
        if (isBackup(message.text)) {
          void withStudies(message.text).then((text) => download(dated(message.name), exported(message.name, text)))
          break
        }
        download(dated(message.name), exported(message.name, message.text))
        if (message.losses.length) this.tell(t.record.losses(message.losses))
        break
      case 'restored':
        this.restoring += message.games
        this.settings.read(message.settings)
        break
      case 'refused':
        this.takeExport = null
        this.hand.drop()
        this.opening.refused()
        this.explain.forget()
        this.hearOpenings?.(message)
        this.practice.refused()
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
      this.hand.forget()
    }
    this.game = game
    this.tree.enter(game, nodes)
    this.board = null
    this.hand.drop()
    this.insights.clear()
    this.win.close()
    this.practice.close()
    this.coach.clear()
    this.review.clear()
    if (game.id === EXPECTED) {
      this.insights.analysing = false
      if (this.address.place.view !== 'board') this.address.go({ view: 'board' })
      return
    }
    this.opening.entered(game)
    this.insights.enter()
    this.coach.enter()
  }

  #grow(from: number, nodes: readonly NodeView[]) {
    const before = this.tree.nodes.length
    this.tree.grow(from, nodes)
    if (before !== this.tree.nodes.length) this.opening.grown()
  }

  #show(told: BoardView) {
    const board = { ...told, node: this.tree.indexOf(told.node) }
    this.hand.confirm(board)
    this.board = board
    this.boardAt = performance.now()
    this.tree.show(board.node)
    this.insights.moveTo(told.node)
    this.win.moveTo(told.node)
    this.practice.moveTo(told.node)
    this.coach.shown(board)
    this.said = this.opening.shown(this.game!, board) ?? this.said
  }
}
