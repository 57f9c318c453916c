/** The way to the program: a WebSocket to a server, opened again when it breaks, or a worker of this browser. */

import type { ToPage, ToServer } from '../wire.ts'
import { room } from './room.ts'
import type { Loading } from '../browser/parts.ts'
import { NO_SIMD, runsHere } from '../browser/variants.ts'
import { inBrowser, site } from './site.svelte.ts'

const FIRST_WAIT_MS = 300
const LONGEST_WAIT_MS = 5000

/** One way to the program, as long as it holds. */
interface Way {
  /** Whether the message left. */
  send(text: string): boolean
}

type Events = { opened(): void; heard(text: string): void; closed(): void }

/** What the worker says besides the program's messages. */
type Aside = { loading: Loading } | { away: boolean }

function overSocket(events: Events): Way {
  const address = new URL('socket', window.location.href)
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
  address.hash = ''
  if (room) address.searchParams.set('room', room)
  const socket = new WebSocket(address)
  socket.onopen = () => events.opened()
  socket.onmessage = (event) => events.heard(String(event.data))
  socket.onclose = () => events.closed()
  return {
    send(text) {
      if (socket.readyState !== WebSocket.OPEN) return false
      socket.send(text)
      return true
    },
  }
}

function toWorker(events: Events): Way {
  if (!runsHere()) {
    site.failed = NO_SIMD
    return { send: () => false }
  }
  const worker = new Worker(new URL('../browser/front.ts', import.meta.url), { type: 'module' })
  let open = false
  worker.onmessage = ({ data }: MessageEvent<string | Aside>) => {
    if (typeof data === 'object') {
      if ('loading' in data) site.loading = data.loading
      else site.away = data.away
      return
    }
    if (!open) {
      open = true
      events.opened()
    }
    events.heard(data)
  }
  worker.onerror = (event) => {
    worker.terminate()
    console.error(event.message)
    events.closed()
  }
  return {
    send(text) {
      if (open) worker.postMessage(text)
      return open
    },
  }
}

export class Connection {
  #way: Way | null = null
  #wait = FIRST_WAIT_MS
  #onMessage: (message: ToPage) => void
  #onState: (connected: boolean) => void

  constructor(onMessage: (message: ToPage) => void, onState: (connected: boolean) => void) {
    this.#onMessage = onMessage
    this.#onState = onState
    this.#open()
  }

  send(message: ToServer): boolean {
    return this.#way?.send(JSON.stringify(message)) ?? false
  }

  #open() {
    const events = {
      opened: () => {
        this.#wait = FIRST_WAIT_MS
        this.#onState(true)
      },
      heard: (text: string) => this.#onMessage(JSON.parse(text) as ToPage),
      closed: () => {
        this.#way = null
        this.#onState(false)
        setTimeout(() => this.#open(), this.#wait)
        this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT_MS)
      },
    }
    this.#way = inBrowser ? toWorker(events) : overSocket(events)
  }
}
