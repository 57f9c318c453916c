/** Questions to the server and the order of its answers: what is asked is followed by `sync`, which comes back last. */

import { CHANGES_BOARD, type ToPage, type ToServer } from '../wire.ts'
import { Connection } from './connection.ts'

export class Exchange {
  connected = $state(false)
  everConnected = $state(false)
  /** Whether the board shown is an old one, since a change of it is under way. */
  changing = $state(false)

  #syncs = 0
  #waiting = new Map<number, () => void>()
  #connection: Connection

  constructor(onMessage: (message: ToPage) => void, onState: (connected: boolean) => void) {
    this.#connection = new Connection(onMessage, (connected) => {
      this.connected = connected
      this.everConnected ||= connected
      this.changing = false
      for (const resolve of this.#waiting.values()) resolve()
      this.#waiting.clear()
      onState(connected)
    })
  }

  /** Whether the message left. */
  send(message: ToServer): boolean {
    if (!this.#connection.send(message)) return false
    if (CHANGES_BOARD.has(message.type)) {
      this.changing = true
      this.#sync()
    }
    return true
  }

  /** Hears `synced`; tells whether everything asked so far is answered. */
  settle(number: number): boolean {
    this.#waiting.get(number)?.()
    this.#waiting.delete(number)
    if (number !== this.#syncs) return false
    this.changing = false
    return true
  }

  /** Waits until everything asked so far is answered, or the server is gone. */
  async answered(): Promise<void> {
    if (!this.connected) return
    const number = this.#sync()
    await new Promise<void>((resolve) => this.#waiting.set(number, resolve))
  }

  #sync(): number {
    this.#connection.send({ type: 'sync', number: ++this.#syncs })
    return this.#syncs
  }
}
