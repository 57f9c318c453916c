import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Unreachable, type Parts } from './parts.ts'
import { Pool, RETRY_MS, type Start } from './pool.ts'

/** A search worker that hears, and says what the test has it say. */
class FakeWorker {
  static all: FakeWorker[] = []
  heard: { ticket?: number; parts?: { name: string }[] }[] = []
  ended = false
  onmessage: (event: { data: string }) => void = () => undefined
  onerror: (event: { message?: string }) => void = () => undefined

  constructor() {
    FakeWorker.all.push(this)
  }

  postMessage(message: object) {
    this.heard.push(message)
  }

  terminate() {
    this.ended = true
  }

  say(message: object) {
    this.onmessage({ data: JSON.stringify(message) })
  }

  get tickets(): number[] {
    return this.heard.flatMap(({ ticket }) => ticket ?? [])
  }
}

let told: { type: string; ticket: number; words?: string }[]
let aways: boolean[]
let reachable: boolean

const open = (searches = 1) => new Pool({
  parts: {
    get: async (name: string) => {
      if (!reachable) throw new Unreachable(name)
      return new Uint8Array()
    },
  } as unknown as Parts,
  compile: async () => ({}) as WebAssembly.Module,
  open: () => new FakeWorker() as unknown as Worker,
  tell: (message) => told.push(message as never),
  away: (away) => aways.push(away),
}, searches)

const job = (ticket: number, more: Partial<Start> = {}): Start =>
  ({ ticket, work: '', parts: ['net'], glance: false, yields: false, limit: 1000, ...more })
const settled = () => vi.advanceTimersByTimeAsync(0)
const alive = () => FakeWorker.all.filter(({ ended }) => !ended)
const gone = () => told.filter(({ type }) => type === 'gone')

beforeEach(() => {
  vi.useFakeTimers()
  FakeWorker.all = []
  told = []
  aways = []
  reachable = true
})
afterEach(() => vi.useRealTimers())

it('work runs one after the other, and a worker gets a part once', async () => {
  const pool = open()
  pool.start(job(1))
  pool.start(job(2))
  await settled()
  const [worker] = FakeWorker.all
  expect(worker!.tickets).toEqual([1])
  worker!.say({ type: 'news', ticket: 1, news: '', done: true })
  expect(worker!.tickets).toEqual([1, 2])
  expect(worker!.heard.map(({ parts }) => parts?.length)).toEqual([undefined, 1, 0])
  expect(FakeWorker.all).toHaveLength(1)
})

it('short work does not wait behind a search', async () => {
  const pool = open()
  pool.start(job(1))
  pool.start(job(2, { glance: true }))
  await settled()
  expect(FakeWorker.all.map(({ tickets }) => tickets)).toEqual([[1], [2]])
})

it('what nobody wants any more ends with its worker, and the next one has its parts', async () => {
  const pool = open()
  pool.start(job(1))
  await settled()
  pool.cancel(1)
  expect(FakeWorker.all[0]!.ended).toBe(true)
  pool.start(job(2))
  await settled()
  expect(alive()).toHaveLength(1)
  expect(alive()[0]!.heard.at(-1)).toMatchObject({ ticket: 2, parts: [{ name: 'net' }] })
  // What the old worker still says is not heard.
  FakeWorker.all[0]!.say({ type: 'news', ticket: 2, news: '', done: true })
  expect(told).toEqual([])
})

it('work that may begin anew makes way, and comes back', async () => {
  const pool = open()
  pool.start(job(1, { yields: true }))
  await settled()
  pool.start(job(2))
  await settled()
  expect(alive()[0]!.tickets).toEqual([2])
  alive()[0]!.say({ type: 'news', ticket: 2, news: '', done: true })
  expect(alive()[0]!.tickets).toEqual([2, 1])
})

it('a trap is told as the end of its work, and the next work gets a new worker', async () => {
  const pool = open()
  pool.start(job(1))
  await settled()
  FakeWorker.all[0]!.say({ type: 'gone', ticket: 1, words: 'RuntimeError: unreachable' })
  expect(gone()).toEqual([{ type: 'gone', ticket: 1, words: 'RuntimeError: unreachable' }])
  expect(alive()).toHaveLength(0)
  pool.start(job(2))
  await settled()
  expect(alive()[0]!.tickets).toEqual([2])
})

it('a worker that does not open is tried once for each piece of work', async () => {
  const pool = open()
  pool.start(job(1))
  await settled()
  FakeWorker.all[0]!.onerror({})
  await vi.advanceTimersByTimeAsync(60_000)
  expect(gone()).toMatchObject([{ ticket: 1 }])
  expect(FakeWorker.all).toHaveLength(1)
})

it('work that answers too late is given up', async () => {
  const pool = open()
  pool.start(job(1))
  await settled()
  await vi.advanceTimersByTimeAsync(5000)
  expect(gone()).toMatchObject([{ ticket: 1 }])
})

it('without a network work waits, and begins when its parts can be had', async () => {
  reachable = false
  const pool = open()
  pool.start(job(1))
  await vi.advanceTimersByTimeAsync(2.5 * RETRY_MS)
  expect(told).toEqual([])
  expect(aways.at(-1)).toBe(true)
  reachable = true
  await vi.advanceTimersByTimeAsync(RETRY_MS)
  expect(aways.at(-1)).toBe(false)
  expect(FakeWorker.all[0]!.tickets).toEqual([1])
})

it('work that is cancelled while it waits for the network is forgotten', async () => {
  reachable = false
  const pool = open()
  pool.start(job(1))
  await settled()
  pool.cancel(1)
  await vi.advanceTimersByTimeAsync(2 * RETRY_MS)
  expect(aways.at(-1)).toBe(false)
  expect(FakeWorker.all).toHaveLength(0)
})
