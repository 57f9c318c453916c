/** Games, settings and progress as one file, and back. */

import { t } from '../texts.ts'
import type { Page } from './page.svelte.ts'

type Backup = { 'collinear-backup': number; games: { id: string; body: string }[]; settings?: string | null }

/** A server hears no longer messages: what is larger goes in parts. */
const MAX_CHARACTERS = 200_000

/** The file in parts that a server hears. */
export function partsOf(backup: Backup): Backup[] {
  const version = backup['collinear-backup']
  const parts: Backup[] = [{ 'collinear-backup': version, games: [], settings: backup.settings ?? null }]
  let size = 0
  for (const game of backup.games) {
    size += game.body.length
    if (size > MAX_CHARACTERS && parts.at(-1)!.games.length) {
      parts.push({ 'collinear-backup': version, games: [] })
      size = game.body.length
    }
    parts.at(-1)!.games.push(game)
  }
  return parts
}

export const isBackup = (text: string): boolean => text.startsWith('{"collinear-backup":')

/** Puts back what a file has. */
export function restore(page: Page, text: string) {
  try {
    const backup = JSON.parse(text) as Backup
    if (!isBackup(text) || !Array.isArray(backup.games)) throw new Error()
    page.restoring = 0
    for (const part of partsOf(backup)) page.send({ type: 'restoreBackup', text: JSON.stringify(part) })
    void page.answered().then(() => page.tell(t.site.restored(page.restoring)))
  } catch {
    page.tell(t.site.notBackup)
  }
}
