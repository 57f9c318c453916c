import { expect, it } from 'vitest'
import { en } from '../texts.ts'
import { cellsOf, fits, longest, PICTURES, stonesOf, TOPICS } from './lessons.ts'

const all = TOPICS.flatMap((topic) => PICTURES[topic].map((picture, at) => ({ name: `${topic} ${at + 1}`, picture })))

it('has six pictures of each game, and a text for each', () => {
  for (const topic of TOPICS) {
    expect(PICTURES[topic].length, topic).toBe(topic === 'tutorial' ? 8 : 6)
    expect(en.learn.pictures[topic].length, topic).toBe(PICTURES[topic].length)
  }
})

it.each(all)('$name asks for free cells, and for a row where it says so', ({ picture }) => {
  const stones = { black: cellsOf(picture, picture.black), white: cellsOf(picture, picture.white) }
  expect(new Set([...stones.black, ...stones.white]).size).toBe(stones.black.length + stones.white.length)
  const other = picture.turn === 'black' ? 'white' : 'black'
  picture.steps.forEach((step, at) => {
    const last = at === picture.steps.length - 1
    for (const set of step.right) {
      const cells = cellsOf(picture, set.replaceAll('*', '').trim())
      for (const cell of cells) expect([...stones.black, ...stones.white]).not.toContain(cell)
      const row = longest(picture, [...stones[picture.turn], ...cells]).length
      if (picture.row && last) expect(row, set).toBeGreaterThanOrEqual(picture.row)
      else if (!picture.forbidden) expect(row, set).toBeLessThan(picture.gravity ? 4 : picture.width === 11 ? 6 : 5)
    }
    if (!last) {
      stones[picture.turn].push(...cellsOf(picture, step.right[0]!))
      stones[other].push(...cellsOf(picture, step.reply!))
    }
  })
})

it.each(all.filter(({ picture }) => picture.gravity))('$name hangs nothing in the air', ({ picture }) => {
  const stones = new Set([...cellsOf(picture, picture.black), ...cellsOf(picture, picture.white)])
  const asked = picture.steps[0]!.right.flatMap((set) => cellsOf(picture, set))
  for (const cell of [...stones, ...asked]) if (cell >= picture.width) expect(stones).toContain(cell - picture.width)
})

it('knows a right turn in any order, and any cell for a star', () => {
  const [picture] = [PICTURES.connect6[5]!]
  const [g6, a1, a2] = cellsOf(picture, 'g6 a1 a2')
  const step = picture.steps[0]!
  expect(stonesOf(step)).toBe(2)
  expect(fits(picture, step, [a1!])).toBe(true)
  expect(fits(picture, step, [a1!, g6!])).toBe(true)
  expect(fits(picture, step, [a1!, a2!])).toBe(false)
})
