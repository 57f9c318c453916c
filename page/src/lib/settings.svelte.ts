/** What a player prefers; kept by the server, so that it survives browsers and restarts. */

import type { NewGame } from '../wire.ts'

export type Theme = 'auto' | 'light' | 'dark'

export interface SettingsData {
  theme: Theme
  board: 'wood' | 'slate' | 'contrast'
  sounds: boolean
  coordinates: boolean
  numbers: boolean
  /** Whether a tap has to be confirmed: always, never, or where cells are small. */
  confirm: 'auto' | 'always' | 'never'
  /** The last game that was begun, offered again. */
  last: NewGame | null
  analysisLines: number
  /** Puzzles that were solved, and how many in a row without a wrong turn. */
  solved: string[]
  streak: number
  bestStreak: number
}

const DEFAULTS: SettingsData = {
  theme: 'auto',
  board: 'wood',
  sounds: false,
  coordinates: true,
  numbers: false,
  confirm: 'auto',
  last: null,
  analysisLines: 3,
  solved: [],
  streak: 0,
  bestStreak: 0,
}

export class Settings {
  data = $state<SettingsData>({ ...DEFAULTS })

  read(text: string | null) {
    if (!text) return
    try {
      this.data = { ...DEFAULTS, ...(JSON.parse(text) as Partial<SettingsData>) }
    } catch {
      // Written by another version: the defaults serve.
    }
  }

  get text(): string {
    return JSON.stringify(this.data)
  }
}
