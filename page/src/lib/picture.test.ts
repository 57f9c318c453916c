import { expect, it } from 'vitest'
import { picture } from './picture.ts'

const rules = { width: 7, height: 6, k: 4, p: 1, q: 1, gravity: true, exact: false, fouls: 'none' as const, name: 'connect4' }

it('draws every stone, numbered on demand, without any style or script', () => {
  const stones = [
    { cell: 3, colour: 'black' as const, number: 1 },
    { cell: 10, colour: 'white' as const, number: 2 },
  ]
  const { svg } = picture(rules, stones, [[3, 10]], true)
  expect(svg.match(/r="14"/g)).toHaveLength(2)
  expect(svg).toContain('>2</text>')
  expect(svg).toContain('stroke-width="5"')
  expect(svg).not.toMatch(/<style|<script|style=|href/)
  expect(picture(rules, stones, [], false).svg).toContain('r="10"')
})
