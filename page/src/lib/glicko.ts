/**
 * Glicko-2: how strong a player is, how sure that is, and how steady (M. E. Glickman, "Example of the Glicko-2
 * system", 2022). Each puzzle is a rating period of one game; the puzzle's own rating stays.
 */

export interface Rating {
  rating: number
  /** One standard deviation. */
  deviation: number
  volatility: number
}

export interface Result {
  rating: number
  deviation: number
  /** 1 won, 0 lost. */
  score: number
}

/** Somebody of whom nothing is known. */
export const UNKNOWN: Rating = { rating: 1500, deviation: 350, volatility: 0.06 }
/** How much the volatility may change: the paper's τ. */
const TAU = 0.5
/** A unit of the paper's inner scale in rating points. */
const SCALE = 400 / Math.LN10
const CENTRE = 1500
/** Where the iteration for the volatility ends. */
const CLOSE = 1e-6

const weight = (deviation: number) => 1 / Math.sqrt(1 + (3 * deviation ** 2) / Math.PI ** 2)

/** The chance to win against somebody, both known this well. */
export function expected(player: Rating, other: { rating: number; deviation: number }): number {
  const g = weight(other.deviation / SCALE)
  return 1 / (1 + Math.exp((-g * (player.rating - other.rating)) / SCALE))
}

/** What is known after a rating period. */
export function rated(player: Rating, results: readonly Result[]): Rating {
  const mu = (player.rating - CENTRE) / SCALE
  const phi = player.deviation / SCALE
  if (results.length === 0) {
    return { ...player, deviation: SCALE * Math.hypot(phi, player.volatility) }
  }
  let [information, surplus] = [0, 0]
  for (const result of results) {
    const g = weight(result.deviation / SCALE)
    const chance = expected(player, result)
    information += g ** 2 * chance * (1 - chance)
    surplus += g * (result.score - chance)
  }
  const variance = 1 / information
  const volatility = steadiness(phi, player.volatility, variance, variance * surplus)
  const before = Math.hypot(phi, volatility)
  const after = 1 / Math.sqrt(1 / before ** 2 + information)
  return { rating: SCALE * (mu + after ** 2 * surplus) + CENTRE, deviation: SCALE * after, volatility }
}

/** Step 5 of the paper: the new volatility, by the Illinois variant of the rule of false position. */
function steadiness(phi: number, volatility: number, variance: number, delta: number): number {
  const start = Math.log(volatility ** 2)
  const f = (x: number) => {
    const grown = phi ** 2 + variance + Math.exp(x)
    return (Math.exp(x) * (delta ** 2 - grown)) / (2 * grown ** 2) - (x - start) / TAU ** 2
  }
  let a = start
  let b: number
  if (delta ** 2 > phi ** 2 + variance) {
    b = Math.log(delta ** 2 - phi ** 2 - variance)
  } else {
    let steps = 1
    while (f(start - steps * TAU) < 0) steps += 1
    b = start - steps * TAU
  }
  let [fa, fb] = [f(a), f(b)]
  while (Math.abs(b - a) > CLOSE) {
    const c = a + ((a - b) * fa) / (fb - fa)
    const fc = f(c)
    if (fc * fb <= 0) [a, fa] = [b, fb]
    else fa /= 2
    ;[b, fb] = [c, fc]
  }
  return Math.exp(a / 2)
}
