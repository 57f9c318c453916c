/** Games and settings in this browser (IndexedDB). Where it has none, nothing is kept. */

const NAME = 'collinear'
const GAMES = 'games'
const SETTINGS = 'settings'

export type KeptGame = { updated: number; row: { id: string } }

const done = <T>(request: IDBRequest<T>) => new Promise<T>((resolve, reject) => {
  request.onsuccess = () => resolve(request.result)
  request.onerror = () => reject(request.error)
})

export class Kept {
  #database: IDBDatabase | undefined

  static async open(): Promise<Kept> {
    const kept = new Kept()
    try {
      const request = indexedDB.open(NAME, 1)
      request.onupgradeneeded = () => {
        request.result.createObjectStore(GAMES)
        request.result.createObjectStore(SETTINGS)
      }
      kept.#database = await done(request)
    } catch (error) {
      console.warn('nothing is kept in this browser', error)
    }
    return kept
  }

  /** Whether anything is kept here. */
  get keeps(): boolean {
    return this.#database !== undefined
  }

  /** The games, the oldest first. */
  async games(): Promise<KeptGame[]> {
    const games = await this.#ask<KeptGame[]>(GAMES, 'readonly', (store) => store.getAll()) ?? []
    return games.sort((a, b) => a.updated - b.updated)
  }

  async settings(): Promise<string | null> {
    return await this.#ask<string>(SETTINGS, 'readonly', (store) => store.get('page')) ?? null
  }

  async save(game: KeptGame) {
    await this.#ask(GAMES, 'readwrite', (store) => store.put(game, game.row.id))
  }

  async forget(id: string) {
    await this.#ask(GAMES, 'readwrite', (store) => store.delete(id))
  }

  async keepSettings(text: string) {
    await this.#ask(SETTINGS, 'readwrite', (store) => store.put(text, 'page'))
  }

  async #ask<T>(name: string, mode: IDBTransactionMode, ask: (store: IDBObjectStore) => IDBRequest) {
    if (!this.#database) return undefined
    const transaction = this.#database.transaction(name, mode)
    const answer = done<T>(ask(transaction.objectStore(name)) as IDBRequest<T>)
    // At once: a page that goes takes what is not committed with it.
    transaction.commit()
    return answer
  }
}
