/** What a player prefers. Each browser keeps its own; the server keeps the latest, with which a new browser begins. */

import type { CoachLevel, NewGame } from '../wire.ts'
import { merged, type Step } from './progress.ts'

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
  /** How much the coach says in games against a computer. */
  coach: CoachLevel
  /** The reviewed games against computers. */
  progress: Step[]
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
  coach: 'off',
  progress: [],
}

const KEY = 'collinear.settings'

/** What this browser keeps. */
function own(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}

function parsed(text: string | null): Partial<SettingsData> {
  try {
    return text ? (JSON.parse(text) as Partial<SettingsData>) : {}
  } catch {
    // Written by another version: the defaults serve.
    return {}
  }
}

const listed = (steps: unknown): unknown[] => (Array.isArray(steps) ? steps : [])

export class Settings {
  data = $state<SettingsData>({ ...DEFAULTS })

  read(text: string | null) {
    const [kept, here] = [parsed(text), parsed(own())]
    // A puzzle that was solved in another browser is solved.
    const solved = [...new Set([...(kept.solved ?? []), ...(here.solved ?? [])])]
    const progress = merged(listed(kept.progress), listed(here.progress))
    this.data = { ...DEFAULTS, ...kept, ...here, solved, progress }
  }

  /** Keeps them in this browser; the text is for the server. */
  keep(): string {
    const text = JSON.stringify(this.data)
    try {
      localStorage.setItem(KEY, text)
    } catch {
      // Nothing is kept here.
    }
    return text
  }
}
