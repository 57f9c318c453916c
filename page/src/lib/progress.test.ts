import { describe, expect, it } from 'vitest'
import type { MistakeKind, TurnReview } from '../wire.ts'
import { KINDS, MAX_STEPS, byLevel, frequencies, mean, merged, noted, type Step } from './progress.ts'

const turn = (kind: MistakeKind | null) => ({ kind }) as TurnReview
const game = (id: string, at: number, kinds: (MistakeKind | null)[] = [], level = 'Level 1') =>
  ({ id, at, game: 'gomoku', level, result: 1 as const, side: 71.6, turns: kinds.map(turn) })

describe('progress', () => {
  it('counts the kinds of mistakes of a game, and a second review takes the place of the first', () => {
    const once = noted([], game('a', 10, ['leftRow', null, 'leftRow', 'worse']))
    expect(once).toEqual([['a', 10, 'gomoku', 'Level 1', 1, 72, 4, KINDS.map((kind) => ({ leftRow: 2, worse: 1 } as Record<string, number>)[kind] ?? 0)]])
    const twice = noted(once, game('a', 99, ['worse']))
    expect(twice.length).toBe(1)
    expect([twice[0]![1], twice[0]![6]]).toEqual([10, 1])
    expect(frequencies(once)).toEqual([{ kind: 'leftRow', count: 2, per: 50 }, { kind: 'worse', count: 1, per: 25 }])
  })
  it('keeps the latest games, those of two devices in the order of their times', () => {
    let steps: Step[] = []
    for (let at = 0; at < MAX_STEPS + 5; at++) steps = noted(steps, game(`g${at}`, at))
    expect([steps.length, steps[0]![0]]).toEqual([MAX_STEPS, 'g5'])
    expect(merged([...noted([], game('b', 2))], noted([], game('a', 1))).map(([id]) => id)).toEqual(['a', 'b'])
  })
  it('leaves out what is no step', () => {
    const whole = noted([], game('a', 1))
    const broken = [null, 7, [], ['a'], [...whole[0]!.slice(0, 7), 'x'], ['a', NaN, 'g', 'l', 1, 1, 1, [0, 0, 0, 0, 0, 0, 0]], ['a', 1, 'g'.repeat(99), 'l', 1, 1, 1, [0, 0, 0, 0, 0, 0, 0]]]
    expect(merged(broken, whole)).toEqual(whole)
  })
  it('is grouped by game and opponent, the latest first', () => {
    const steps = [game('a', 1), game('b', 2, [], 'Level 2'), game('c', 3)].reduce<Step[]>(noted, [])
    expect(byLevel(steps).map(({ level, steps }) => [level, steps.length])).toEqual([['Level 1', 2], ['Level 2', 1]])
    expect(mean(steps)).toBe(72)
    expect(mean([])).toBe(0)
  })
})
