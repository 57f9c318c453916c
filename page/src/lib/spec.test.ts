import { expect, it } from 'vitest'
import type { OptionInfo } from '../wire.ts'
import { readSpec, writeSpec } from './spec.ts'

const options: OptionInfo[] = [
  { name: 'depth', help: '', kind: { type: 'int', min: 1, max: 9, default: 2 } },
  { name: 'then', help: '', kind: { type: 'text', default: '' } },
  { name: 'fast', help: '', kind: { type: 'bool', default: false } },
]

it('reads options, nested specs and bare keys', () => {
  expect(readSpec('random')).toEqual({ name: 'random', options: {} })
  expect(readSpec('book:then=(sequences:depth=2,width=8),depth=3,fast')).toEqual({
    name: 'book',
    options: { then: 'sequences:depth=2,width=8', depth: '3', fast: 'true' },
  })
})

it('writes what differs from the defaults, and reads it back', () => {
  const text = writeSpec('book', { depth: '2', then: 'a:b=1,c=2', fast: 'true' }, options)
  expect(text).toBe('book:then=(a:b=1,c=2),fast=true')
  expect(readSpec(text).options.then).toBe('a:b=1,c=2')
  expect(writeSpec('book', { depth: '2' }, options)).toBe('book')
})
