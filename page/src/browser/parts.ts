/**
 * What is fetched when it is needed: the modules, networks, line patterns, the book of Connect Four. Each comes packed,
 * since few static hosts pack such files themselves, and once.
 */

/** What `site.json` says of a packed file. */
type Packed = { bytes: number }
export type Site = { version: string; packed: Record<string, Packed> }
/** Bytes on their way; null when all are there. */
export type Loading = { loaded: number; total: number } | null

/** Unpacks what gzip packed; a host that has unpacked it already is fine too. */
async function unpacked(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

/** A part that the network does not give now, and perhaps gives later. */
export class Unreachable extends Error {}

/** Fetches a file of the site. */
async function reach(address: URL): Promise<Response> {
  const answer = await fetch(address).catch((error) => {
    throw new Unreachable(`${address.pathname}: ${String(error)}`)
  })
  if (!answer.ok) throw new Unreachable(`${address.pathname}: ${answer.status}`)
  return answer
}

export class Parts {
  #site: Promise<Site> | undefined
  #fetched = new Map<string, Promise<Uint8Array<ArrayBuffer>>>()
  #under = new Map<string, { loaded: number; total: number }>()
  #tell: (loading: Loading) => void
  #base: URL

  constructor(base: URL, tell: (loading: Loading) => void = () => undefined) {
    this.#base = base
    this.#tell = tell
  }

  /** The bytes of a part; what failed is tried again when it is asked for again. */
  get(name: string): Promise<Uint8Array<ArrayBuffer>> {
    const known = this.#fetched.get(name)
    if (known) return known
    const part = this.#fetch(name)
    this.#fetched.set(name, part)
    part.catch(() => this.#fetched.delete(name)).finally(() => {
      this.#under.delete(name)
      this.#sum()
    })
    return part
  }

  async #fetch(name: string): Promise<Uint8Array<ArrayBuffer>> {
    this.#site ??= reach(new URL('site.json', this.#base)).then((answer) => answer.json() as Promise<Site>)
    const site = await this.#site.catch((error) => {
      this.#site = undefined
      throw error
    })
    const packed = site.packed[name]
    if (!packed) throw new Error(`${name} is not a part of this site`)
    const answer = await reach(new URL(`${name}.gz`, this.#base))
    const chunks: Uint8Array<ArrayBuffer>[] = []
    const progress = { loaded: 0, total: packed.bytes }
    this.#under.set(name, progress)
    const reader = answer.body!.getReader()
    for (;;) {
      const { done, value } = await reader.read().catch((error) => {
        throw new Unreachable(`${name}: ${String(error)}`)
      })
      if (done) break
      chunks.push(value)
      progress.loaded = Math.min(progress.loaded + value.length, progress.total)
      this.#sum()
    }
    return unpacked(new Uint8Array(await new Blob(chunks).arrayBuffer()))
  }

  #sum() {
    const all = [...this.#under.values()]
    this.#tell(all.length ? {
      loaded: all.reduce((sum, { loaded }) => sum + loaded, 0),
      total: all.reduce((sum, { total }) => sum + total, 0),
    } : null)
  }
}
