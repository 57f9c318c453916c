/** Sounds made by code: a stone on wood, a disc in a rack, the end of a game. No file is loaded. */

import type { Page } from './page.svelte.ts'

/** A struck body: a short burst of noise through a resonance, which is what a stone on a board is. */
interface Knock {
  hertz: number
  /** How narrow the resonance is. */
  q: number
  seconds: number
}

const STONE: Knock = { hertz: 1900, q: 6, seconds: 0.07 }
const DISC: Knock = { hertz: 620, q: 9, seconds: 0.12 }
const LOUDNESS = 0.5

/** The chord at the end, in hertz. */
const WON = [523, 659, 784]
const OVER = [440, 349]

export class Sounds {
  #audio: AudioContext | null = null

  place(falls: boolean) {
    this.#knock(falls ? DISC : STONE)
  }

  end(won: boolean) {
    ;(won ? WON : OVER).forEach((hertz, at) => this.#tone(hertz, at * 0.13))
  }

  /** Browsers allow sound only after a click or a key, so the context is made when it is first needed. */
  #context(): AudioContext {
    this.#audio ??= new AudioContext()
    void this.#audio.resume()
    return this.#audio
  }

  #knock({ hertz, q, seconds }: Knock) {
    const audio = this.#context()
    const noise = audio.createBuffer(1, Math.ceil(audio.sampleRate * seconds), audio.sampleRate)
    const samples = noise.getChannelData(0)
    for (let at = 0; at < samples.length; at++) {
      samples[at] = (Math.random() * 2 - 1) * Math.exp((-7 * at) / samples.length)
    }
    const source = new AudioBufferSourceNode(audio, { buffer: noise })
    const body = new BiquadFilterNode(audio, { type: 'bandpass', frequency: hertz, Q: q })
    source.connect(body).connect(new GainNode(audio, { gain: LOUDNESS * q * 0.5 })).connect(audio.destination)
    source.start()
  }

  #tone(hertz: number, after: number) {
    const audio = this.#context()
    const from = audio.currentTime + after
    const loudness = new GainNode(audio, { gain: 0 })
    loudness.gain.setValueAtTime(0, from)
    loudness.gain.linearRampToValueAtTime(LOUDNESS * 0.3, from + 0.02)
    loudness.gain.exponentialRampToValueAtTime(0.001, from + 0.6)
    const string = new OscillatorNode(audio, { type: 'triangle', frequency: hertz })
    string.connect(loudness).connect(audio.destination)
    string.start(from)
    string.stop(from + 0.65)
  }
}

/** Sounds for what happens on the page, where they are wanted; to be called from a component. */
export function playSounds(page: Page) {
  const sounds = new Sounds()
  let stones = -1
  let entered = 0
  $effect(() => {
    const { game, board } = page
    if (!game || !board) return
    const count = page.stones.length
    const placed = entered === page.entered && count > stones && stones >= 0
    stones = count
    entered = page.entered
    if (placed && page.settings.data.sounds) sounds.place(game.rules.gravity)
  })
  let ended = false
  $effect(() => {
    const { game, board } = page
    const over = !!board?.ending && board.live
    if (over && !ended && game && page.settings.data.sounds) {
      const own = game.seats.findIndex(({ type }) => type === 'person')
      const won = board.ending?.winner !== null && own >= 0 && board.ending?.winner === (own === 0 ? 'black' : 'white')
      sounds.end(won || game.seats.every(({ type }) => type === 'person'))
    }
    ended = over
  })
}
