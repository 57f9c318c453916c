/** Every agent plays the same in Node and in the browser as the program does: the lines of `crates/browser/tests`. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { expect } from 'vitest'
import { Module } from '../src/browser/module.ts'
import { knowsRelaxed } from '../src/browser/variants.ts'
import { itOnSite, site } from './harness.ts'
import { lent, openSearcher } from './searcher.ts'
import { browser, program } from './stage.ts'

const native = readFileSync(fileURLToPath(new URL('../../crates/browser/tests/signature.txt', import.meta.url)), 'utf8').trim().split('\n')
const part = (name: string): Uint8Array<ArrayBuffer> => new Uint8Array(gunzipSync(readFileSync(join(site!, `${name}.gz`))))

itOnSite('in Node', async () => {
  const modules = knowsRelaxed() ? ['simd.wasm', 'relaxed.wasm'] : ['simd.wasm']
  for (const name of modules) {
    const said: string[] = []
    const module = await Module.start(await WebAssembly.compile(part(name)), (text) => said.push(text))
    // Node 20 knows relaxed SIMD only behind a switch.
    expect(module.fits(), name).toBe(true)
    for (const file of lent()) expect(module.lend(file, part(file)), file).toBe(true)
    module.hear({ type: 'signature' })
    expect((JSON.parse(said.at(-1)!) as { lines: string[] }).lines, name).toEqual(native)
  }
})

itOnSite('in Chromium, in a search worker, with each of its modules', async () => {
  const page = await (await browser.newContext()).newPage()
  for (const module of ['simd.wasm', 'relaxed.wasm']) {
    const ask = await openSearcher(page, program.url, module)
    expect(await ask({ type: 'signature' }), module).toEqual([{ type: 'signature', lines: native }])
  }
})
