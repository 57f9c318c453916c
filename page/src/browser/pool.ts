/**
 * The search workers. One piece of work runs on one of them; short work has a worker of its own, so that it
 * never waits behind a search. A worker cannot hear while it works, so work that nobody wants any more ends with
 * its worker, and a new one takes its place.
 */

export type Start = { ticket: number; work: string; glance: boolean; yields: boolean; limit: number }
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

  constructor(readonly glance: boolean, readonly open: () => Worker) {
    this.worker = open()
  }

  /** Ends what is done here, and makes the place ready for something else. */
  renew() {
    this.worker.terminate()
    this.free()
    this.worker = this.open()
  }

  free() {
    clearTimeout(this.timer)
    this.job = undefined
  }
}

export class Pool {
  #places: Place[]
  #waiting: Start[] = []
  #tell: (message: object) => void

  constructor(compiled: WebAssembly.Module, tell: (message: object) => void) {
    this.#tell = tell
    const searches = Math.max(1, Math.min(MAX_SEARCHES, navigator.hardwareConcurrency - 1))
    const place = (glance: boolean): Place => {
      const made: Place = new Place(glance, () => {
        const worker = new Worker(new URL('./search.ts', import.meta.url), { type: 'module' })
        worker.postMessage({ compiled })
        worker.onmessage = ({ data }) => this.#hear(made, JSON.parse(String(data)) as News | Gone | Log)
        worker.onerror = (event) => this.#gone(made, event.message)
        return worker
      })
      return made
    }
    this.#places = [place(true), ...Array.from({ length: searches }, () => place(false))]
  }

  start(job: Start) {
    this.#waiting.push(job)
    this.#next()
    if (!this.#waiting.includes(job) || job.glance || job.yields) return
    // A person waits for it: what may be begun anew later makes way.
    const yielding = this.#places.find((place) => place.job?.yields)
    if (yielding) {
      this.#waiting.push(yielding.job!)
      yielding.renew()
      this.#next()
    }
  }

  cancel(ticket: number) {
    this.#waiting = this.#waiting.filter((job) => job.ticket !== ticket)
    this.#places.find((place) => place.job?.ticket === ticket)?.renew()
    this.#next()
  }

  #next() {
    for (const job of [...this.#waiting]) {
      const place = this.#places.find((place) => !place.job && place.glance === job.glance)
      if (!place) continue
      this.#waiting.splice(this.#waiting.indexOf(job), 1)
      place.job = job
      place.timer = setTimeout(() => this.#gone(place, 'it did not answer in time'), job.limit + PATIENCE_MS)
      place.worker.postMessage({ ticket: job.ticket, work: job.work })
    }
    this.#waiting.filter((job) => !job.glance).forEach((job, ahead) => {
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
