import { expect, it } from 'vitest'
import { takesKey } from './keys.ts'

const input = (type: string) => ({ tagName: 'INPUT', type })
const select = { tagName: 'SELECT', type: 'select-one' }

it('leaves letters to the page where nothing is written', () => {
  for (const type of ['checkbox', 'radio', 'range']) expect(takesKey(input(type), 'u', false), type).toBe(false)
  for (const type of ['text', 'number']) expect(takesKey(input(type), 'u', true), type).toBe(true)
  expect(takesKey({ tagName: 'TEXTAREA' }, 'u', true)).toBe(true)
  expect(takesKey({ tagName: 'BUTTON' }, 'u', false)).toBe(false)
})

it('leaves a field the keys that set it', () => {
  expect(takesKey(input('checkbox'), ' ', true)).toBe(true)
  expect(takesKey(input('range'), 'ArrowLeft', true)).toBe(true)
  expect(takesKey(input('checkbox'), 'ArrowLeft', true)).toBe(false)
})

it('lets letters choose in a list that was reached by keys, and not in one that was clicked', () => {
  expect(takesKey(select, 'a', false)).toBe(true)
  expect(takesKey(select, 'a', true)).toBe(false)
  expect(takesKey(select, 'ArrowDown', true)).toBe(true)
})
