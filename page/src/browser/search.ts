/** A search worker: does one piece of work after the other. Who wants it to stop ends it. */

import { Module } from './module.ts'

type Asked = { compiled: WebAssembly.Module } | { ticket: number; work: string }

const scope = self as unknown as Worker
let module: Promise<Module> | undefined

scope.onmessage = async ({ data }: MessageEvent<Asked>) => {
  if ('compiled' in data) {
    module = Module.start(data.compiled, (text) => scope.postMessage(text))
    return
  }
  const { ticket, work } = data
  try {
    (await module)!.hear({ type: 'work', ticket, work })
  } catch (error) {
    // A trap leaves the module in any state: the front ends this worker.
    scope.postMessage(JSON.stringify({ type: 'gone', ticket, words: String(error) }))
  }
}
