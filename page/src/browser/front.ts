/** The front worker: the lobby and the room of its page. It never searches, so it always answers. */

import { Kept, type KeptGame } from './kept.ts'
import { Module } from './module.ts'
import { Parts } from './parts.ts'
import { Pool, type Start } from './pool.ts'
import { searcher } from './variants.ts'

type Said =
  | { type: 'page'; text: string }
  | ({ type: 'start' } & Start)
  | { type: 'cancel'; ticket: number }
  | { type: 'save'; game: KeptGame }
  | { type: 'forget'; id: string }
  | { type: 'settings'; text: string }
  | { type: 'log'; text: string }

const scope = self as unknown as Worker
/** What the page said before the module was there. */
const early: string[] = []
let front: Module | undefined
let pool: Pool
let kept: Kept
let timer: ReturnType<typeof setTimeout> | undefined

function hear(message: object) {
  clearTimeout(timer)
  const wait = front!.hear(message)
  if (wait >= 0) timer = setTimeout(() => hear({ type: 'time' }), wait)
}

function said(text: string) {
  const message = JSON.parse(text) as Said
  switch (message.type) {
    case 'page': return scope.postMessage(message.text)
    // Afterwards: the module is in the middle of a step.
    case 'start': return queueMicrotask(() => pool.start(message))
    case 'cancel': return queueMicrotask(() => pool.cancel(message.ticket))
    case 'save': return void kept.save(message.game).catch(notKept)
    case 'forget': return void kept.forget(message.id).catch(notKept)
    case 'settings': return void kept.keepSettings(message.text).catch(notKept)
    case 'log': return console.warn(message.text)
  }
}

function notKept(error: unknown) {
  scope.postMessage(JSON.stringify({ type: 'refused', text: `this browser does not keep it: ${String(error)}` }))
}

scope.onmessage = ({ data }) => {
  const text = String(data)
  if (front) hear({ type: 'page', text })
  else early.push(text)
}

const parts = new Parts(new URL(/* @vite-ignore */ '../', import.meta.url), (loading) => scope.postMessage({ loading }))
const openSearch = () => new Worker(new URL('./search.ts', import.meta.url), { type: 'module' })
const [bytes, opened] = await Promise.all([parts.get('front.wasm'), Kept.open()])
kept = opened
pool = new Pool({
  parts,
  compile: async () => (await searcher(parts)).compiled,
  open: openSearch,
  tell: hear,
  away: (away) => scope.postMessage({ away }),
})
const module = await Module.start(await WebAssembly.compile(bytes), said)
const [games, settings] = await Promise.all([kept.games(), kept.settings()])
const seed = crypto.getRandomValues(new Uint32Array(1))[0]
front = module
hear({ type: 'open', seed, games, settings })
if (!kept.keeps) notKept('it has no IndexedDB here')
for (const text of early) hear({ type: 'page', text })
