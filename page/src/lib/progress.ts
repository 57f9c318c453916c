/**
 * How a person's games went, over time: accuracy and kinds of mistakes of each reviewed game against a computer. It is
 * part of the settings, so every browser keeps its own, and a backup has it.
 */

import type { MistakeKind, TurnReview } from '../wire.ts'

export const KINDS: readonly MistakeKind[] = ['missedRow', 'missedWin', 'leftRow', 'madeRow', 'leftThreat', 'letWin', 'worse']

/** One game, short because many are kept: id, time, game, opponent, result, accuracy, turns, mistakes by kind. */
export type Step = [id: string, at: number, game: string, level: string, result: -1 | 0 | 1, accuracy: number, turns: number, kinds: number[]]

/** The most games that are kept: the latest. */
export const MAX_STEPS = 200

export interface Reviewed {
  id: string
  at: number
  game: string
  level: string
  result: -1 | 0 | 1
  side: number
  /** The person's own turns. */
  turns: TurnReview[]
}

/** The steps with one more; a game that was reviewed before has its newer review. */
export function noted(steps: readonly Step[], { id, at, game, level, result, side, turns }: Reviewed): Step[] {
  const kinds = KINDS.map((kind) => turns.filter((turn) => turn.kind === kind).length)
  const step: Step = [id, at, game, level, result, Math.round(side), turns.length, kinds]
  const before = steps.find(([known]) => known === id)
  if (before) step[1] = before[1]
  return merged(steps.filter(([known]) => known !== id), [step])
}

/** Steps of two places, the oldest first. What does not look like one is left out. */
export function merged(one: readonly unknown[], two: readonly unknown[]): Step[] {
  const byId = new Map<string, Step>()
  for (const step of [...one, ...two]) if (isStep(step)) byId.set(step[0], step)
  return [...byId.values()].sort((a, b) => a[1] - b[1]).slice(-MAX_STEPS)
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

function isStep(value: unknown): value is Step {
  if (!Array.isArray(value) || value.length !== 8) return false
  const [id, at, game, level, result, accuracy, turns, kinds] = value as unknown[]
  return [id, game, level].every((text) => typeof text === 'string' && text.length <= 80)
    && [at, result, accuracy, turns].every(isNumber)
    && Array.isArray(kinds) && kinds.length === KINDS.length && kinds.every(isNumber)
}

/** Mistakes by kind in some games, for each hundred turns, the most frequent first; kinds that never happened are left out. */
export function frequencies(steps: readonly Step[]): { kind: MistakeKind; count: number; per: number }[] {
  const turns = steps.reduce((sum, step) => sum + step[6], 0)
  return KINDS
    .map((kind, at) => ({ kind, count: steps.reduce((sum, step) => sum + step[7][at]!, 0) }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => ({ kind, count, per: turns ? (100 * count) / turns : 0 }))
    .sort((a, b) => b.count - a.count)
}

/** Games of one opponent. */
export interface OfLevel { game: string; level: string; steps: Step[] }

/** The games by game and opponent, the latest first. */
export function byLevel(steps: readonly Step[]): OfLevel[] {
  const found = new Map<string, OfLevel>()
  for (const step of steps.toReversed()) {
    const key = `${step[2]} ${step[3]}`
    const of = found.get(key) ?? { game: step[2], level: step[3], steps: [] }
    of.steps.unshift(step)
    found.set(key, of)
  }
  return [...found.values()]
}

export const mean = (steps: readonly Step[]): number =>
  (steps.length ? steps.reduce((sum, step) => sum + step[5], 0) / steps.length : 0)
