/** Which turns threw chances away, told from the evaluations along a line. */

import type { GameView, NodeView } from '../wire.ts'
import { placed } from './turns.ts'

export type Mistake = 'slip' | 'mistake' | 'blunder'

export const SIGNS: Record<Mistake, string> = { slip: '?!', mistake: '?', blunder: '??' }

/** So much of the chance to win must be lost. */
const LIMITS: [Mistake, number][] = [['blunder', 0.35], ['mistake', 0.2], ['slip', 0.1]]

export function judge(lost: number): Mistake | null {
  return LIMITS.find(([, limit]) => lost >= limit)?.[0] ?? null
}

/** The mistakes of all turns whose positions before and after are evaluated, by their last node. */
export function mistakes(game: GameView, nodes: readonly NodeView[]): Map<number, Mistake> {
  const found = new Map<number, Mistake>()
  const of = placed(game, nodes)
  nodes.forEach((node, at) => {
    if (node.chance === null || node.parent === null) return
    const mover = of[at]!.colour
    // Back over the stones of the same turn to the last position that was evaluated.
    let before: number | null = node.parent
    while (before !== null && nodes[before]!.chance === null && of[before]!.turn === of[at]!.turn) {
      before = nodes[before]!.parent
    }
    const chance = before === null ? null : nodes[before]!.chance
    if (chance === null) return
    const lost = mover === 'black' ? chance - node.chance : node.chance - chance
    const mistake = judge(lost)
    if (mistake) found.set(at, mistake)
  })
  return found
}
