/** The studies kept in this browser (IndexedDB), as the text of their files. Where it has none, they last until the page is closed. */

import { example } from './example.ts'
import type { Study } from './model.ts'
import { read, sgfOf, StudyError, write } from './sgf.ts'

export interface Kept {
  id: string
  title: string
  updated: number
  sgf: string
}

const NAME = 'collinear-studies'
const STUDIES = 'studies'
const MAX_STUDIES = 500

const done = <T>(request: IDBRequest<T>) => new Promise<T>((resolve, reject) => {
  request.onsuccess = () => resolve(request.result)
  request.onerror = () => reject(request.error as Error)
})

async function open(): Promise<IDBDatabase | null> {
  try {
    const request = indexedDB.open(NAME, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(STUDIES, { keyPath: 'id' })
    return await done(request)
  } catch (error) {
    console.warn('studies are not kept in this browser', error)
    return null
  }
}

const newId = () => Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) => (byte % 36).toString(36)).join('')

class Studies {
  /** The latest first. */
  list = $state.raw<Kept[]>([])
  ready: Promise<void>
  #database: IDBDatabase | null = null

  constructor() {
    this.ready = this.#begin()
  }

  async #begin() {
    this.#database = await open()
    const kept = await this.#ask<Kept[]>('readonly', (store) => store.getAll()) ?? []
    this.list = kept.sort((a, b) => b.updated - a.updated)
  }

  /** A study by its name: one that is kept, or the example. */
  async find(id: string): Promise<Study | null> {
    if (id === example.id) return read(await example.sgf())
    await this.ready
    const kept = this.list.find((study) => study.id === id)
    return kept ? read(kept.sgf) : null
  }

  /** Keeps a study, as a new one where it has no name yet. Returns its name. */
  async save(study: Study, id: string = newId()): Promise<string> {
    await this.ready
    if (this.list.length >= MAX_STUDIES && !this.list.some((kept) => kept.id === id)) {
      throw new StudyError(`this browser keeps at most ${MAX_STUDIES} studies: delete one, or save it as a file`)
    }
    const kept: Kept = { id, title: study.title, updated: Date.now(), sgf: write(study) }
    this.list = [kept, ...this.list.filter((other) => other.id !== id)]
    await this.#ask('readwrite', (store) => store.put(kept))
    return id
  }

  async forget(id: string): Promise<Kept | null> {
    const kept = this.list.find((study) => study.id === id) ?? null
    this.list = this.list.filter((study) => study.id !== id)
    await this.#ask('readwrite', (store) => store.delete(id))
    return kept
  }

  /** Puts back what a backup has; what is there already stays. Returns how many came. */
  async restore(texts: readonly unknown[]): Promise<number> {
    await this.ready
    let came = 0
    for (const text of texts.slice(0, MAX_STUDIES)) {
      if (typeof text !== 'string' || this.list.some(({ sgf }) => sgf === text)) continue
      await this.save(read(sgfOf(text)))
      came += 1
    }
    return came
  }

  async #ask<T>(mode: IDBTransactionMode, ask: (store: IDBObjectStore) => IDBRequest): Promise<T | undefined> {
    if (!this.#database) return undefined
    const transaction = this.#database.transaction(STUDIES, mode)
    const answer = done<T>(ask(transaction.objectStore(STUDIES)) as IDBRequest<T>)
    // At once: a page that goes takes what is not committed with it.
    transaction.commit()
    return answer
  }
}

export const studies = new Studies()
