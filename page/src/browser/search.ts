/** A search worker: does one piece of work after the other. Who wants it to stop ends it. */

import { Module } from './module.ts'

type Part = { name: string; bytes: Uint8Array }
type Asked = { compiled: WebAssembly.Module } | { ticket: number; work: string; parts: Part[] } | { question: object; parts: Part[] }

const scope = self as unknown as Worker
let module: Promise<Module> | undefined

scope.onmessage = async ({ data }: MessageEvent<Asked>) => {
  if ('compiled' in data) {
    module = Module.start(data.compiled, (text) => scope.postMessage(text))
    return
  }
  const ticket = 'ticket' in data ? data.ticket : 0
  try {
    const searcher = (await module)!
    for (const { name, bytes } of data.parts) searcher.lend(name, bytes)
    searcher.hear('ticket' in data ? { type: 'work', ticket, work: data.work } : data.question)
  } catch (error) {
    // A trap leaves the module in any state: the front ends this worker.
    scope.postMessage(JSON.stringify({ type: 'gone', ticket, words: String(error) }))
  }
}
