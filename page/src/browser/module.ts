/** The program as WebAssembly: texts in, texts out. */

type Exports = {
  memory: WebAssembly.Memory
  buffer(length: number): number
  hear(): number
}

export class Module {
  #exports: Exports

  private constructor(exports: Exports) {
    this.#exports = exports
  }

  /** Starts a compiled module; `said` hears every text of it. */
  static async start(compiled: WebAssembly.Module, said: (text: string) => void): Promise<Module> {
    const decoder = new TextDecoder()
    const instance = await WebAssembly.instantiate(compiled, {
      env: {
        now: () => performance.now(),
        seconds: () => Date.now() / 1000,
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
    const bytes = new TextEncoder().encode(JSON.stringify(message))
    const at = this.#exports.buffer(bytes.length)
    new Uint8Array(this.#exports.memory.buffer, at, bytes.length).set(bytes)
    return this.#exports.hear()
  }
}
