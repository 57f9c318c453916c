/**
 * The search workers. One piece of work runs on one of them; short work has a worker of its own, so that it
 * never waits behind a search. A worker cannot hear while it works, so work that nobody wants any more ends with
 * its worker, and a new one takes its place.
 *
 * Workers share the compiled module and nothing else: they serve the analysis, a review and the opponent apart. Each
 * is opened when there is work for it.
 */

import { Unreachable, type Parts } from './parts.ts'

export type Start = { ticket: number; work: string; parts: string[]; glance: boolean; yields: boolean; limit: number }
type News = { type: 'news'; ticket: number; news: string; done: boolean }
type Gone = { type: 'gone'; ticket: number; words: string }
type Log = { type: 'log'; text: string }

/** The most search workers, besides the one for short work. */
const MAX_SEARCHES = 4
/** How much later than its own limit work is given up. */
const PATIENCE_MS = 1000
/** How long until parts that could not be fetched are asked for again. */
export const RETRY_MS = 3000

class Place {
  job: Start | undefined
  worker: Worker | undefined
  timer: ReturnType<typeof setTimeout> | undefined
  /** The parts that its worker has. */
  has = new Set<string>()

  constructor(readonly glance: boolean) {}

  /** Ends its worker with what that does. */
  end() {
    this.worker?.terminate()
    this.worker = undefined
    this.has.clear()
    this.free()
  }

  free() {
    clearTimeout(this.timer)
    this.job = undefined
  }
}

type Ways = {
  parts: Parts
  /** The module of the searchers. */
  compile: () => Promise<WebAssembly.Module>
  open: () => Worker
  tell: (message: object) => void
  /** Whether work waits for parts that cannot be fetched. */
  away: (away: boolean) => void
}

export class Pool {
  #ways: Ways
  #places: Place[]
  #compiled: Promise<WebAssembly.Module> | undefined
  #waiting: Start[] = []
  /** What those that wait need, where it is there. */
  #ready = new Map<Start, { compiled: WebAssembly.Module; parts: { name: string; bytes: Uint8Array }[] }>()

  constructor(ways: Ways, searches = Math.max(1, Math.min(MAX_SEARCHES, navigator.hardwareConcurrency - 1))) {
    this.#ways = ways
    this.#places = [new Place(true), ...Array.from({ length: searches }, () => new Place(false))]
  }

  /** Starts work, once what it needs is there. */
  start(job: Start) {
    this.#waiting.push(job)
    void this.#prepare(job)
  }

  cancel(ticket: number) {
    const job = this.#waiting.find((job) => job.ticket === ticket)
    if (job) this.#leave(job)
    const place = this.#places.find((place) => place.job?.ticket === ticket)
    if (place) {
      place.end()
      // Something else follows soon.
      void this.#compiled?.then((compiled) => this.#open(place, compiled))
    }
    this.#next()
  }

  #leave(job: Start) {
    this.#waiting.splice(this.#waiting.indexOf(job), 1)
    this.#ready.delete(job)
  }

  async #prepare(job: Start) {
    try {
      const needs = await this.#fetched(job)
      if (!needs || !this.#waiting.includes(job)) return
      this.#ready.set(job, needs)
    } catch (error) {
      if (!this.#waiting.includes(job)) return
      this.#leave(job)
      this.#ways.tell({ type: 'gone', ticket: job.ticket, words: `a part of the program cannot be loaded: ${String(error)}` })
      return
    }
    this.#next()
    if (!this.#waiting.includes(job) || job.glance || job.yields) return
    // A person waits for it: what may be begun anew later makes way.
    const yielding = this.#places.find((place) => place.job?.yields)
    if (yielding) {
      const { job: late } = yielding
      yielding.end()
      this.#next()
      this.start(late!)
    }
  }

  /** What a job needs, as soon as the network gives it; nothing when nobody wants the job any more. */
  async #fetched(job: Start) {
    while (this.#waiting.includes(job)) {
      try {
        const [compiled, ...bytes] = await Promise.all([this.#compile(), ...job.parts.map((name) => this.#ways.parts.get(name))])
        this.#ways.away(false)
        return { compiled, parts: job.parts.map((name, at) => ({ name, bytes: bytes[at]! })) }
      } catch (error) {
        if (!(error instanceof Unreachable)) throw error
        this.#ways.away(true)
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
    this.#ways.away(false)
    return undefined
  }

  #compile(): Promise<WebAssembly.Module> {
    return this.#compiled ??= this.#ways.compile().catch((error) => {
      this.#compiled = undefined
      throw error
    })
  }

  #open(place: Place, compiled: WebAssembly.Module): Worker {
    if (place.worker) return place.worker
    const worker = this.#ways.open()
    place.worker = worker
    worker.postMessage({ compiled })
    worker.onmessage = ({ data }) => {
      if (place.worker === worker) this.#hear(place, JSON.parse(String(data)) as News | Gone | Log)
    }
    worker.onerror = (event) => {
      if (place.worker === worker) this.#gone(place, event.message ?? 'a worker could not be opened')
    }
    return worker
  }

  #next() {
    for (const job of [...this.#waiting]) {
      const needs = this.#ready.get(job)
      const place = this.#places.find((place) => !place.job && place.glance === job.glance)
      if (!place || !needs) continue
      this.#leave(job)
      const worker = this.#open(place, needs.compiled)
      place.job = job
      place.timer = setTimeout(() => this.#gone(place, 'it did not answer in time'), job.limit + PATIENCE_MS)
      const lent = needs.parts.filter(({ name }) => !place.has.has(name))
      lent.forEach(({ name }) => place.has.add(name))
      worker.postMessage({ ticket: job.ticket, work: job.work, parts: lent })
    }
    this.#waiting.filter((job) => !job.glance && this.#ready.has(job)).forEach((job, ahead) => {
      this.#ways.tell({ type: 'news', ticket: job.ticket, news: JSON.stringify({ Queued: ahead }) })
    })
  }

  #hear(place: Place, said: News | Gone | Log) {
    if (said.type === 'log') console.warn(said.text)
    else if (said.ticket !== place.job?.ticket) return
    else if (said.type === 'gone') this.#gone(place, said.words)
    else {
      if (said.done) place.free()
      this.#ways.tell({ type: 'news', ticket: said.ticket, news: said.news })
      if (said.done) this.#next()
    }
  }

  #gone(place: Place, words: string) {
    const ticket = place.job?.ticket
    place.end()
    if (ticket !== undefined) this.#ways.tell({ type: 'gone', ticket, words })
    this.#next()
  }
}
