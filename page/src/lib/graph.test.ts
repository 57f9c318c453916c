import { expect, it } from 'vitest'
import { evaluated } from './graph.ts'

const places = (chances: (number | null)[], ends = chances.map(() => true)) =>
  evaluated(chances.map((_, at) => at), (node) => chances[node]!, (node) => ends[node]!)
    .map((stretch) => stretch.map(({ at }) => at))

it('leaves out what was not evaluated, before, between and after', () => {
  expect(places([null, 0.5, 0.6, null, 0.7, null])).toEqual([[1, 2], [4]])
  expect(places([null, null])).toEqual([])
})

it('needs no value within a turn', () => {
  expect(places([0.5, 0.4, null, 0.6, null, null], [true, true, false, true, false, true])).toEqual([[0, 1, 3]])
})
