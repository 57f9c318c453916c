/** A search worker of the site, asked without the page around it. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { Site } from '../src/browser/parts.ts'
import { site } from './harness.ts'

export type Answer = { type: string } & Record<string, unknown>
type Asking = { ask(message: object, names: string[]): Promise<Answer[]> }

/** What the site knows of its parts. */
export const known = (): Site => JSON.parse(readFileSync(join(site!, 'site.json'), 'utf8')) as Site
/** The parts that work may need. */
export const lent = (): string[] => Object.keys(known().packed).filter((name) => !name.endsWith('.wasm'))

/**
 * Opens a worker with one of the modules; asks it something, and hears all that it says until it has answered. Parts
 * are lent with the first question.
 */
export async function openSearcher(page: Page, url: string, module: string): Promise<(message: object) => Promise<Answer[]>> {
  // Any document of the site's origin will do.
  await page.goto(new URL('site.json', url).href)
  await page.evaluate(async (module) => {
    const bytes = async (name: string) => {
      const { body } = await fetch(`${name}.gz`)
      return new Uint8Array(await new Response(body!.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer())
    }
    const worker = new Worker('assets/search.js', { type: 'module' })
    worker.postMessage({ compiled: await WebAssembly.compile(await bytes(module)) })
    const ends = new Set(['signature', 'answer', 'refused', 'gone', 'log'])
    const has = new Set<string>()
    const ask = async (message: object, names: string[]) => {
      const fresh = names.filter((name) => !has.has(name))
      fresh.forEach((name) => has.add(name))
      const parts = await Promise.all(fresh.map(async (name) => ({ name, bytes: await bytes(name) })))
      const heard: Answer[] = []
      return new Promise<Answer[]>((resolve) => {
        worker.onmessage = ({ data }) => {
          const said = JSON.parse(String(data)) as Answer
          heard.push(said)
          if (ends.has(said.type)) resolve(heard)
        }
        worker.postMessage({ question: message, parts })
      })
    }
    Object.assign(window, { ask })
  }, module)
  const names = lent()
  return (message) => page.evaluate(({ message, names }) => (window as unknown as Asking).ask(message, names), { message, names })
}
