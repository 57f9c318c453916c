/**
 * Where the page is, as its address says: the part after `#`.
 *
 * | address | shows |
 * |---|---|
 * | `#gomoku/h8.i9` | the board with this game |
 * | `#arena` | the arena |
 * | `#arena/run/ID` | one run |
 * | `#arena/run/ID/game/3` | a game of a run on the board, counted from 1 |
 * | `#arena/report/NAME` | one report |
 * | `#puzzles` | the puzzles |
 * | `#puzzles/ID` | one puzzle on the board; one of your own has its link as ID |
 * | `#puzzles/daily`, `#puzzles/storm`, `#puzzles/streak` | the puzzle of the day, a run of puzzles |
 * | `#puzzles/set/gomoku/abc234.def567` | a set of puzzles for a class |
 * | `#openings` | the explorer of openings |
 * | `#openings/renju/h8.h9` | the same at a position |
 * | `#editor` | setting up a position |
 * | `#explain/IDEA` | an idea explained |
 * | `#explain/windows/..XXXX..` | the same of a line; of a position `#explain/minimax/tictactoe/b2.a1` |
 * | `#studies` | the studies |
 * | `#studies/ID` | one of them; `#studies/ID/edit` its editor; `#studies/link/DATA` one that comes with its link |
 * | `#progress` | accuracy and mistakes over time |
 * | `#learn` | the games by picture |
 * | `#learn/gomoku` | the rules of one game; `#learn/tutorial` the tutorial |
 */

import { isIdea, type Idea } from './explain.svelte.ts'
import { room } from './room.ts'

/** What training can be begun with by an address. */
const TASKS = ['daily', 'storm', 'streak', 'set']

export type Place =
  | { view: 'board'; link?: string }
  | { view: 'arena' }
  | { view: 'run'; run: string }
  | { view: 'report'; report: string }
  | { view: 'replay'; run: string; game: number }
  | { view: 'puzzles'; task?: string }
  | { view: 'puzzle'; puzzle: string }
  | { view: 'editor' }
  | { view: 'openings'; link?: string }
  | { view: 'progress' }
  | { view: 'explain'; idea: Idea; input?: string }
  | { view: 'learn'; topic?: string }
  | { view: 'studies'; study?: string; edit?: boolean; data?: string }

export function read(hash: string): Place {
  const text = decoded(hash.replace(/^#/, ''))
  const [head, kind, name, sub, number] = text.split('/')
  // A puzzle of one's own is named by its link, which has slashes.
  if (head === 'puzzles' && kind && TASKS.includes(kind)) return { view: 'puzzles', task: text.slice('puzzles/'.length) }
  if (head === 'puzzles') return kind ? { view: 'puzzle', puzzle: text.slice('puzzles/'.length) } : { view: 'puzzles' }
  if (head === 'openings') return kind ? { view: 'openings', link: text.slice('openings/'.length) } : { view: 'openings' }
  if (text === 'editor') return { view: 'editor' }
  if (text === 'progress') return { view: 'progress' }
  if (head === 'explain') {
    const idea = kind && isIdea(kind) ? kind : 'windows'
    const input = text.slice(`explain/${kind}/`.length)
    return { view: 'explain', idea, ...(input && { input }) }
  }
  if (head === 'studies') {
    if (kind === 'link' && name) return { view: 'studies', data: name }
    return { view: 'studies', ...(kind && { study: kind }), ...(kind && name === 'edit' && { edit: true }) }
  }
  if (head === 'learn') return { view: 'learn', ...(kind && { topic: kind }) }
  if (head !== 'arena') return { view: 'board', ...(text && { link: text }) }
  const game = Number(number)
  if (kind === 'run' && name && sub === 'game' && Number.isInteger(game) && game > 0) return { view: 'replay', run: name, game }
  if (kind === 'run' && name) return { view: 'run', run: name }
  if (kind === 'report' && name) return { view: 'report', report: name }
  return { view: 'arena' }
}

export function write(place: Place): string {
  switch (place.view) {
    case 'board':
      return `#${place.link ?? ''}`
    case 'arena':
      return '#arena'
    case 'run':
      return `#arena/run/${encodeURIComponent(place.run)}`
    case 'puzzles':
      return place.task ? `#puzzles/${place.task}` : '#puzzles'
    case 'puzzle':
      return `#puzzles/${place.puzzle}`
    case 'openings':
      return place.link ? `#openings/${place.link}` : '#openings'
    case 'editor':
      return '#editor'
    case 'explain':
      return `#explain/${place.idea}${place.input ? `/${place.input}` : ''}`
    case 'progress':
      return '#progress'
    case 'learn':
      return place.topic ? `#learn/${place.topic}` : '#learn'
    case 'studies':
      return place.data ? `#studies/link/${place.data}` : place.study ? `#studies/${place.study}${place.edit ? '/edit' : ''}` : '#studies'
    case 'report':
      return `#arena/report/${encodeURIComponent(place.report)}`
    case 'replay':
      return `#arena/run/${encodeURIComponent(place.run)}/game/${place.game}`
  }
}

export class Address {
  place = $state.raw<Place>(read(window.location.hash))

  /** `changed` hears of Back, Forward and addresses that were typed, not of `go` and `keep`. */
  constructor(changed: (place: Place) => void) {
    // The token has done its work, and is nothing to be shared with a link.
    const { pathname, search, hash } = window.location
    if (search) history.replaceState(null, '', pathname + (room ? `?room=${room}` : '') + hash)
    window.addEventListener('hashchange', () => {
      this.place = read(window.location.hash)
      changed(this.place)
    })
  }

  /** Goes somewhere; Back leads here again. */
  go(place: Place) {
    if (write(place) !== window.location.hash) history.pushState(null, '', write(place))
    this.place = place
  }

  /** Writes what is shown into the address without a new step in the history. */
  keep(place: Place) {
    if (write(place) !== window.location.hash) history.replaceState(null, '', write(place))
    this.place = place
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
