/**
 * Sets of puzzles as `collinear puzzles make` writes them, and how puzzles are chosen from them. Nothing here is
 * random but by a seed, so that a day's puzzle is the same for everybody.
 */

export type Theme = 'v' | 'f' | 'q' | 'd' | 'z' | 'x' | 'l'
/** Continuous fours, four-three, quiet, defence, zugzwang, double threat, long. */
export const THEMES: readonly Theme[] = ['v', 'f', 'q', 'd', 'z', 'x', 'l']
/** The games that have puzzles, by their names in links. */
export const GAMES = ['connect4', 'gomoku', 'connect6', 'renju'] as const
export type Game = (typeof GAMES)[number]
export const isGame = (text: string): text is Game => (GAMES as readonly string[]).includes(text)

export interface Puzzle {
  id: string
  game: Game
  /** Whether it asks for a defence instead of a win. */
  hold: boolean
  turns: number
  /** First turns that are right. */
  right: number
  rating: number
  themes: string
  /** The stones, joined: `h8i9g7`. */
  stones: string
}

/** How sure the rating of a puzzle is, as a deviation: the levels that tried it are few. */
export const PUZZLE_DEVIATION = 90
/** The most puzzles that a link names. */
const MAX_LINKED = 60
/** Puzzles nearest to a rating from which one is drawn. */
const NEAREST = 12

const LINE = /^([a-z0-9]{6}) ([wh])(\d{1,2}) (\d{1,3}) (\d{1,4}) ([a-z-]{1,8}) ((?:[a-z]\d{1,2})+)$/

/** Reads a set; what is no puzzle is left out. */
export function readSet(game: Game, text: string): Puzzle[] {
  const puzzles: Puzzle[] = []
  for (const line of text.split('\n')) {
    const found = LINE.exec(line.trim())
    if (!found) continue
    const [, id, goal, turns, right, rating, themes, stones] = found as unknown as string[]
    puzzles.push({
      id: id!, game, hold: goal === 'h', turns: Number(turns), right: Number(right), rating: Number(rating),
      themes: themes === '-' ? '' : themes!, stones: stones!,
    })
  }
  return puzzles
}

/** By what a room opens it: the link of its position. */
export const linkOf = ({ hold, game, stones }: Puzzle): string =>
  `${hold ? 'hold/' : ''}${game}/${stones.match(/[a-z]\d+/g)!.join('.')}`

/** Numbers from 0 to 1 that follow from a seed (mulberry32). */
export function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A puzzle near a rating, of a theme if one is asked for, and none of those seen unless all are. */
export function near(set: readonly Puzzle[], rating: number, theme: Theme | null, seen: ReadonlySet<string>, seed: number): Puzzle | null {
  const fitting = set.filter((puzzle) => theme === null || puzzle.themes.includes(theme))
  const fresh = fitting.filter(({ id }) => !seen.has(id))
  const nearest = (fresh.length ? fresh : fitting)
    .toSorted((a, b) => Math.abs(a.rating - rating) - Math.abs(b.rating - rating) || (a.id < b.id ? -1 : 1))
    .slice(0, NEAREST)
  return nearest[Math.floor(random(seed)() * nearest.length)] ?? null
}

/** The days since 1970 of a date on this device. */
export const dayOf = (date: Date): number => Math.floor(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000)

/** The puzzle of a day: neither too easy nor too hard, another game each day. */
export const gameOfDay = (day: number): Game => GAMES[day % GAMES.length]!
export function daily(set: readonly Puzzle[], day: number): Puzzle | null {
  const fitting = set.filter(({ rating }) => rating >= 1200 && rating <= 1800)
  const from = fitting.length ? fitting : set
  return from[Math.floor(random(day)() * from.length)] ?? null
}

/** Puzzles that get harder, for a run against the clock or without a mistake. */
export function ladder(set: readonly Puzzle[], seed: number): Puzzle[] {
  const draw = random(seed)
  const easy = set.filter(({ turns }) => turns <= 4)
  const drawn = easy.map((puzzle) => ({ puzzle, at: draw() })).sort((a, b) => a.at - b.at).slice(0, 80)
  return drawn.map(({ puzzle }) => puzzle).sort((a, b) => a.rating - b.rating || (a.id < b.id ? -1 : 1))
}

/** Puzzles for a class as the part of a link: `gomoku/abc234.def567`. */
export const classLink = (game: Game, puzzles: readonly Puzzle[]): string =>
  `${game}/${puzzles.slice(0, MAX_LINKED).map(({ id }) => id).join('.')}`

/** What such a part names; nothing where it names no game. */
export function readClassLink(text: string): { game: Game; ids: string[] } | null {
  const [game, ids] = text.split('/')
  if (!game || !isGame(game)) return null
  const named = (ids ?? '').split('.').filter((id) => /^[a-z0-9]{6}$/.test(id)).slice(0, MAX_LINKED)
  return named.length ? { game, ids: [...new Set(named)] } : null
}
