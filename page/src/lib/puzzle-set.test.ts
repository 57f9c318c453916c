import { expect, it } from 'vitest'
import { classLink, daily, dayOf, gameOfDay, ladder, linkOf, near, random, readClassLink, readSet, GAMES, type Puzzle } from './puzzle-set.ts'

const LINES = `# game 15x15,k=5
# collinear puzzles make --game gomoku
7kq2mv w4 1 1540 vf h8i9g7
abcdef h1 2 900 d h8i9
not a puzzle
ghijkm w2 1 2000 - a1b10`

const set = readSet('gomoku', LINES)
const many: Puzzle[] = Array.from({ length: 200 }, (_, at) => ({
  ...set[0]!, id: `aa${String(at).padStart(4, '0')}`, rating: 600 + 9 * at, turns: 2 + (at % 5), themes: at % 2 ? 'v' : 'q',
}))

it('reads a set and leaves out what is no puzzle', () => {
  expect(set.map(({ id }) => id)).toEqual(['7kq2mv', 'abcdef', 'ghijkm'])
  expect(set[0]).toEqual({ id: '7kq2mv', game: 'gomoku', hold: false, turns: 4, right: 1, rating: 1540, themes: 'vf', stones: 'h8i9g7' })
  expect(set.map(linkOf)).toEqual(['gomoku/h8.i9.g7', 'hold/gomoku/h8.i9', 'gomoku/a1.b10'])
})

it('chooses near a rating, by theme, and nothing seen as long as there is more', () => {
  const seen = new Set<string>()
  for (let seed = 0; seed < 20; seed++) {
    const found = near(many, 1500, 'q', seen, seed)!
    expect(found.themes).toBe('q')
    expect(seen.has(found.id)).toBe(false)
    expect(Math.abs(found.rating - 1500)).toBeLessThan(320)
    seen.add(found.id)
  }
  expect(near(many, 1500, null, new Set(many.map(({ id }) => id)), 1)).not.toBeNull()
  expect(near(many, 1500, 'z', new Set(), 1)).toBeNull()
})

it('has one puzzle a day, the same for everybody on it', () => {
  const day = dayOf(new Date(2026, 10, 19, 23, 59))
  expect(dayOf(new Date(2026, 10, 19, 0, 1))).toBe(day)
  expect(dayOf(new Date(2026, 10, 20, 0, 1))).toBe(day + 1)
  expect(daily(many, day)).toEqual(daily([...many], day))
  expect(new Set([0, 1, 2, 3, 4, 5, 6].map((more) => daily(many, day + more)!.id)).size).toBeGreaterThan(4)
  expect(new Set([0, 1, 2, 3].map((more) => gameOfDay(day + more))).size).toBe(GAMES.length)
})

it('makes runs that get harder, the same for the same seed', () => {
  const run = ladder(many, 5)
  expect(run.length).toBeGreaterThan(50)
  expect(run.every((puzzle, at) => at === 0 || puzzle.rating >= run[at - 1]!.rating)).toBe(true)
  expect(ladder(many, 5)).toEqual(run)
  expect(ladder(many, 6)).not.toEqual(run)
})

it('names a class’s puzzles in a link, and reads no other', () => {
  expect(readClassLink(classLink('gomoku', many.slice(0, 20)))).toEqual({ game: 'gomoku', ids: many.slice(0, 20).map(({ id }) => id) })
  for (const text of ['chess/aa0001', 'gomoku', 'gomoku/<script>', 'gomoku/..', '']) expect(readClassLink(text)).toBeNull()
  expect(readClassLink(`gomoku/${'aaaaaa.'.repeat(5000)}`)!.ids.length).toBe(1)
})

it('draws evenly', () => {
  const draw = random(1)
  const drawn = Array.from({ length: 4000 }, draw)
  expect(Math.min(...drawn)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...drawn)).toBeLessThan(1)
  expect(drawn.reduce((sum, x) => sum + x, 0) / drawn.length).toBeCloseTo(0.5, 1)
})
