import { expect, it } from 'vitest'
import { expected, rated, UNKNOWN, type Rating } from './glicko.ts'
import { random } from './puzzle-set.ts'

/** M. E. Glickman, "Example of the Glicko-2 system", http://www.glicko.net/glicko/glicko2.pdf */
it('follows the published example', () => {
  const after = rated({ rating: 1500, deviation: 200, volatility: 0.06 }, [
    { rating: 1400, deviation: 30, score: 1 },
    { rating: 1550, deviation: 100, score: 0 },
    { rating: 1700, deviation: 300, score: 0 },
  ])
  expect(after.rating).toBeCloseTo(1464.06, 1)
  expect(after.deviation).toBeCloseTo(151.52, 1)
  expect(after.volatility).toBeCloseTo(0.05999, 4)
})

it('knows less of somebody who does not play', () => {
  const after = rated({ rating: 1500, deviation: 200, volatility: 0.06 }, [])
  // The example's step 6: φ* = √(1.1513² + 0.06²).
  expect(after.deviation).toBeCloseTo(173.7178 * Math.hypot(1.1513, 0.06), 1)
  expect(after.rating).toBe(1500)
})

it('is bounded and goes the right way whatever happens', () => {
  let player: Rating = { ...UNKNOWN }
  for (let game = 0; game < 300; game++) {
    const before = player.rating
    player = rated(player, [{ rating: 2400, deviation: 60, score: 0 }])
    expect(player.rating).toBeLessThanOrEqual(before)
  }
  expect(player.rating).toBeGreaterThan(0)
  expect(Number.isFinite(player.volatility)).toBe(true)
})

/** One who solves with the chance that the true rating gives, on puzzles near the rating of the moment. */
function solver(truth: number, seed: number): number {
  const draw = random(seed)
  let player: Rating = { ...UNKNOWN }
  for (let puzzle = 0; puzzle < 30; puzzle++) {
    const rating = Math.min(2400, Math.max(600, player.rating + 120 * (draw() - 0.5)))
    const other = { rating, deviation: 60 }
    const chance = expected({ rating: truth, deviation: 0, volatility: 0.06 }, { rating, deviation: 0 })
    player = rated(player, [{ ...other, score: draw() < chance ? 1 : 0 }])
  }
  return player.rating
}

it('finds simulated solvers within 100 points after 30 puzzles, on average and in most cases', () => {
  const misses: number[] = []
  for (const truth of [900, 1100, 1300, 1500, 1700, 1900, 2100]) {
    for (let seed = 0; seed < 100; seed++) misses.push(Math.abs(solver(truth, 1000 * truth + seed) - truth))
  }
  const mean = misses.reduce((sum, miss) => sum + miss, 0) / misses.length
  const within = misses.filter((miss) => miss <= 100).length / misses.length
  console.log(`mean miss ${mean.toFixed(1)} points, ${(100 * within).toFixed(1)} % within 100`)
  expect(mean).toBeLessThan(100)
  expect(within).toBeGreaterThan(0.6)
})
