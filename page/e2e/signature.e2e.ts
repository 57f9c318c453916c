/** Every agent plays the same in Node and in the browser as the program does: the lines of `crates/browser/tests`. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { expect } from 'vitest'
import { Module } from '../src/browser/module.ts'
import { paired, type Site } from '../src/browser/parts.ts'
import { knowsRelaxed } from '../src/browser/variants.ts'
import { itOnSite, openPage, site } from './harness.ts'
import { browser, program } from './stage.ts'

const native = readFileSync(fileURLToPath(new URL('../../crates/browser/tests/signature.txt', import.meta.url)), 'utf8').trim().split('\n')
const known = (): Site => JSON.parse(readFileSync(join(site!, 'site.json'), 'utf8')) as Site
const part = (name: string): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(gunzipSync(readFileSync(join(site!, `${name}.gz`))))
  return known().packed[name]!.pairs ? paired(bytes) : bytes
}
const names = () => Object.keys(known().packed).filter((name) => !name.endsWith('.wasm'))

itOnSite('in Node', async () => {
  const modules = knowsRelaxed() ? ['simd.wasm', 'relaxed.wasm'] : ['simd.wasm']
  for (const name of modules) {
    const said: string[] = []
    const module = await Module.start(await WebAssembly.compile(part(name)), (text) => said.push(text))
    // Node 20 knows relaxed SIMD only behind a switch.
    expect(module.fits(), name).toBe(true)
    for (const file of names()) expect(module.lend(file, part(file)), file).toBe(true)
    module.hear({ type: 'signature' })
    expect((JSON.parse(said.at(-1)!) as { lines: string[] }).lines, name).toEqual(native)
  }
})

itOnSite('in Chromium, in a search worker, with each of its modules', async () => {
  const { page } = await openPage(browser, program.url)
  const asked = { names: names(), pairs: names().filter((name) => known().packed[name]!.pairs) }
  for (const module of ['simd.wasm', 'relaxed.wasm']) {
    const lines = await page.evaluate(async ({ names, pairs, module }) => {
      const bytes = async (name: string) => {
        const { body } = await fetch(`${name}.gz`)
        const halves = new Uint8Array(await new Response(body!.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer())
        if (!pairs.includes(name)) return halves
        const low = Math.ceil(halves.length / 2)
        return Uint8Array.from(halves, (_, at) => halves[(at >> 1) + (at & 1 ? low : 0)]!)
      }
      const worker = new Worker('assets/search.js', { type: 'module' })
      worker.postMessage({ compiled: await WebAssembly.compile(await bytes(module)) })
      const parts = await Promise.all(names.map(async (name) => ({ name, bytes: await bytes(name) })))
      const answer = new Promise<string[]>((resolve, reject) => {
        worker.onmessage = ({ data }) => {
          const said = JSON.parse(String(data)) as { type: string; lines: string[] }
          if (said.type === 'signature') resolve(said.lines)
          else reject(new Error(String(data)))
        }
      })
      worker.postMessage({ question: { type: 'signature' }, parts })
      return answer
    }, { ...asked, module })
    expect(lines, module).toEqual(native)
  }
})
