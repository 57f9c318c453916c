/** Sentences shown for a while at the foot of the page, some with a way back. */

const NOTICE_MS = 6000
const UNDO_MS = 10_000

export class Notices {
  text = $state('')
  /** What brings back what was deleted. */
  undo = $state.raw<(() => void) | null>(null)
  #timer: ReturnType<typeof setTimeout> | undefined
  #expired: (() => void) | null = null

  /** Shows a sentence. */
  tell(text: string) {
    this.#show(text, null, null, NOTICE_MS)
  }

  /** Shows what was deleted; `gone` is called when the way back has closed. */
  offerUndo(text: string, undo: () => void, gone: () => void = () => undefined) {
    this.#show(text, undo, gone, UNDO_MS)
  }

  takeBack() {
    const { undo } = this
    this.#expired = null
    this.close()
    undo?.()
  }

  close() {
    clearTimeout(this.#timer)
    this.text = ''
    this.undo = null
    this.#expired?.()
    this.#expired = null
  }

  #show(text: string, undo: (() => void) | null, expired: (() => void) | null, ms: number) {
    this.close()
    this.text = text
    this.undo = undo
    this.#expired = expired
    this.#timer = setTimeout(() => this.close(), ms)
  }
}
