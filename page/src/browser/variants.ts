/**
 * Which module of the searchers runs here: the one with relaxed SIMD, where the browser knows it and computes the
 * golden evaluation rightly with it, else the one with plain SIMD.
 */

import { Module } from './module.ts'
import type { Parts } from './parts.ts'

/** A function that returns v128: `i32.const 0, i8x16.splat` and what follows. */
const withCode = (...code: number[]) => new Uint8Array([
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
  1, 5, 1, 0x60, 0, 1, 0x7b,
  3, 2, 1, 0,
  10, code.length + 4, 1, code.length + 2, 0, ...code, 0x0b,
])
const SPLAT = [0x41, 0, 0xfd, 0x0f]
/** `i8x16.popcnt`, of SIMD. */
const PLAIN = withCode(...SPLAT, 0xfd, 0x62)
/** `i8x16.relaxed_swizzle`. */
const RELAXED = withCode(...SPLAT, ...SPLAT, 0xfd, 0x80, 0x02)

/** What a person reads where nothing runs. */
export const NO_SIMD = 'This browser is too old: the page needs WebAssembly with SIMD and workers of modules (Chrome 91, Firefox 114, Safari 16.4 or later).'

export const knowsSimd = (): boolean => typeof WebAssembly === 'object' && WebAssembly.validate(PLAIN)
/** Whether the page runs here. Firefox got `DecompressionStream` one version before workers of modules. */
export const runsHere = (): boolean => knowsSimd() && typeof DecompressionStream === 'function'
export const knowsRelaxed = (): boolean => WebAssembly.validate(RELAXED)

/** The names of the modules to try, the fastest first. */
export function candidates(): string[] {
  if (!runsHere()) throw new Error(NO_SIMD)
  return knowsRelaxed() ? ['relaxed.wasm', 'simd.wasm'] : ['simd.wasm']
}

/** The first module that computes what it must. */
export async function searcher(parts: Parts, names = candidates()): Promise<{ name: string; compiled: WebAssembly.Module }> {
  for (const name of names) {
    const compiled = await WebAssembly.compile(await parts.get(name))
    if ((await Module.start(compiled, () => undefined)).fits()) return { name, compiled }
    console.warn(`${name} does not compute in this browser what it should`)
  }
  throw new Error(NO_SIMD)
}
