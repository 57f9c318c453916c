/**
 * The search workers. One piece of work runs on one of them; short work has a worker of its own, so that it
 * never waits behind a search. A worker cannot hear while it works, so work that nobody wants any more ends with
 * its worker, and a new one takes its place.
 *
 * Workers share the compiled module and nothing else: they serve the analysis and the opponent apart, and several
 * positions of a review at once.
 */

import type { Parts } from './parts.ts'
import { searcher } from './variants.ts'

export type Start = { ticket: number; work: string; parts: string[]; glance: boolean; yields: boolean; limit: number }
type News = { type: 'news'; ticket: number; news: string; done: boolean }
type Gone = { type: 'gone'; ticket: number; words: string }
type Log = { type: 'log'; text: string }

/** The most search workers, besides the one for short work. */
const MAX_SEARCHES = 4
/** How much later than its own limit work is given up. */
const PATIENCE_MS = 1000

class Place {
  job: Start | undefined
  worker: Worker
  timer: ReturnType<typeof setTimeout> | undefined
  /** The parts that this worker has. */
  has = new Set<string>()

  constructor(readonly glance: boolean, readonly open: () => Worker) {
    this.worker = open()
  }

  /** Ends what is done here, and makes the place ready for something else. */
  renew() {
    this.worker.terminate()
    this.free()
    this.has.clear()
    this.worker = this.open()
  }

  free() {
    clearTimeout(this.timer)
    this.job = undefined
  }
}

export class Pool {
  #places: Place[] = []
  #opening: Promise<void> | undefined
  #waiting: Start[] = []
  #parts: Parts
  #tell: (message: object) => void
  #open: () => Worker

  constructor(parts: Parts, open: () => Worker, tell: (message: object) => void) {
    this.#parts = parts
    this.#open = open
    this.#tell = tell
  }

  /** Starts work, once what it needs is there. */
  start(job: Start) {
    this.#waiting.push(job)
    void this.#prepare(job)
  }

  cancel(ticket: number) {
    this.#waiting = this.#waiting.filter((job) => job.ticket !== ticket)
    this.#places.find((place) => place.job?.ticket === ticket)?.renew()
    this.#next()
  }

  #ready = new Map<Start, { name: string; bytes: Uint8Array }[]>()

  async #prepare(job: Start) {
    try {
      const [, ...bytes] = await Promise.all([this.#opened(), ...job.parts.map((name) => this.#parts.get(name))])
      if (!this.#waiting.includes(job)) return
      this.#ready.set(job, job.parts.map((name, at) => ({ name, bytes: bytes[at]! })))
    } catch (error) {
      if (!this.#waiting.includes(job)) return
      this.#waiting.splice(this.#waiting.indexOf(job), 1)
      this.#tell({ type: 'gone', ticket: job.ticket, words: `a part of the program cannot be loaded: ${String(error)}` })
      return
    }
    this.#next()
    if (!this.#waiting.includes(job) || job.glance || job.yields) return
    // A person waits for it: what may be begun anew later makes way.
    const yielding = this.#places.find((place) => place.job?.yields)
    if (yielding) {
      const { job: late } = yielding
      yielding.renew()
      this.#next()
      this.start(late!)
    }
  }

  #opened(): Promise<void> {
    return this.#opening ??= this.#openAll().catch((error) => {
      this.#opening = undefined
      throw error
    })
  }

  async #openAll() {
    const { compiled } = await searcher(this.#parts)
    const searches = Math.max(1, Math.min(MAX_SEARCHES, navigator.hardwareConcurrency - 1))
    const place = (glance: boolean): Place => {
      const made: Place = new Place(glance, () => {
        const worker = this.#open()
        worker.postMessage({ compiled })
        worker.onmessage = ({ data }) => this.#hear(made, JSON.parse(String(data)) as News | Gone | Log)
        worker.onerror = (event) => this.#gone(made, event.message)
        return worker
      })
      return made
    }
    this.#places = [place(true), ...Array.from({ length: searches }, () => place(false))]
  }

  #next() {
    for (const job of [...this.#waiting]) {
      const parts = this.#ready.get(job)
      const place = this.#places.find((place) => !place.job && place.glance === job.glance)
      if (!place || !parts) continue
      this.#waiting.splice(this.#waiting.indexOf(job), 1)
      this.#ready.delete(job)
      place.job = job
      place.timer = setTimeout(() => this.#gone(place, 'it did not answer in time'), job.limit + PATIENCE_MS)
      const lent = parts.filter(({ name }) => !place.has.has(name))
      lent.forEach(({ name }) => place.has.add(name))
      place.worker.postMessage({ ticket: job.ticket, work: job.work, parts: lent })
    }
    this.#waiting.filter((job) => !job.glance && this.#ready.has(job)).forEach((job, ahead) => {
      this.#tell({ type: 'news', ticket: job.ticket, news: JSON.stringify({ Queued: ahead }) })
    })
  }

  #hear(place: Place, said: News | Gone | Log) {
    if (said.type === 'log') console.warn(said.text)
    else if (said.ticket !== place.job?.ticket) return
    else if (said.type === 'gone') this.#gone(place, said.words)
    else {
      if (said.done) place.free()
      this.#tell({ type: 'news', ticket: said.ticket, news: said.news })
      if (said.done) this.#next()
    }
  }

  #gone(place: Place, words: string) {
    const ticket = place.job?.ticket
    place.renew()
    if (ticket !== undefined) this.#tell({ type: 'gone', ticket, words })
    this.#next()
  }
}
