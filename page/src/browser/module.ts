/** A module of the program as WebAssembly: texts in, texts out. */

type Exports = {
  memory: WebAssembly.Memory
  buffer(length: number): number
  hear(): number
  /** Of a searcher. */
  lend?(): number
  fits?(): number
}

export class Module {
  #exports: Exports
  #encoder = new TextEncoder()

  private constructor(exports: Exports) {
    this.#exports = exports
  }

  /** Starts a compiled module; `said` hears every text of it. */
  static async start(compiled: WebAssembly.Module, said: (text: string) => void): Promise<Module> {
    const decoder = new TextDecoder()
    const encoder = new TextEncoder()
    const instance = await WebAssembly.instantiate(compiled, {
      env: {
        now: () => performance.now(),
        seconds: () => Date.now() / 1000,
        decode: (nameAt: number, nameLength: number, at: number, length: number) => {
          const { memory, buffer } = instance.exports as unknown as Exports
          const bytes = (at: number, length: number) => new Uint8Array(memory.buffer, at, length)
          const text = encoder.encode(new TextDecoder(decoder.decode(bytes(nameAt, nameLength))).decode(bytes(at, length)))
          bytes(buffer(text.length), text.length).set(text)
          return text.length
        },
        said: (at: number, length: number) => {
          const { memory } = instance.exports as unknown as Exports
          said(decoder.decode(new Uint8Array(memory.buffer, at, length)))
        },
      },
    })
    return new Module(instance.exports as unknown as Exports)
  }

  /** Says something to it; milliseconds until it wants to hear the time, never if negative. */
  hear(message: object): number {
    this.#write(this.#encoder.encode(JSON.stringify(message)))
    return this.#exports.hear()
  }

  /** Hands a part over; false where it knows none of that name. */
  lend(name: string, bytes: Uint8Array): boolean {
    this.#write(this.#encoder.encode(`${name}\n`), bytes)
    return this.#exports.lend?.() === 1
  }

  /** Whether this browser computes what the module was made for. */
  fits(): boolean {
    return this.#exports.fits?.() === 1
  }

  #write(...parts: Uint8Array[]) {
    let at = this.#exports.buffer(parts.reduce((sum, part) => sum + part.length, 0))
    for (const part of parts) {
      new Uint8Array(this.#exports.memory.buffer, at, part.length).set(part)
      at += part.length
    }
  }
}
