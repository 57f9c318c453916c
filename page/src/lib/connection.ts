/** One WebSocket to the server, opened again when it breaks. */

import type { ToPage, ToServer } from '../wire.ts'

const FIRST_WAIT_MS = 300
const LONGEST_WAIT_MS = 5000

export class Connection {
  #socket: WebSocket | null = null
  #wait = FIRST_WAIT_MS
  #onMessage: (message: ToPage) => void
  #onState: (connected: boolean) => void

  constructor(onMessage: (message: ToPage) => void, onState: (connected: boolean) => void) {
    this.#onMessage = onMessage
    this.#onState = onState
    this.#open()
  }

  send(message: ToServer): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false
    this.#socket.send(JSON.stringify(message))
    return true
  }

  #open() {
    const { protocol, host } = window.location
    const socket = new WebSocket(`${protocol === 'https:' ? 'wss' : 'ws'}://${host}/socket`)
    this.#socket = socket
    socket.onopen = () => {
      this.#wait = FIRST_WAIT_MS
      this.#onState(true)
    }
    socket.onmessage = (event) => this.#onMessage(JSON.parse(String(event.data)) as ToPage)
    socket.onclose = () => {
      this.#onState(false)
      setTimeout(() => this.#open(), this.#wait)
      this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT_MS)
    }
  }
}
