/** The evaluation graph: which turns of a line were evaluated, and where nothing is known. */

export interface Point {
  /** The node, as an index. */
  node: number
  /** Its place in the line. */
  at: number
  chance: number
}

/**
 * The evaluated ends of turns, in stretches without a gap: between two stretches nothing is known, and nothing may be
 * drawn. `ends` are the nodes where turns end.
 */
export function evaluated(
  line: readonly number[], chanceOf: (node: number) => number | null, isEnd: (node: number) => boolean,
): Point[][] {
  const stretches: Point[][] = []
  let open = false
  line.forEach((node, at) => {
    const chance = chanceOf(node)
    if (chance === null) {
      // Within a turn there is nothing to evaluate.
      if (isEnd(node)) open = false
      return
    }
    if (!open) stretches.push([])
    open = true
    stretches.at(-1)!.push({ node, at, chance })
  })
  return stretches
}
