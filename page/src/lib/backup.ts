/** Games, settings, progress and studies as one file, and back. Studies are kept by the browser: they are added here. */

import { t } from '../texts.ts'
import type { Page } from './page.svelte.ts'

type Backup = { 'collinear-backup': number; games: { id: string; body: string }[]; settings?: string | null; studies?: string[] }

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

/** The file with the studies of this browser. */
export async function withStudies(text: string): Promise<string> {
  const { studies } = await import('../study/store.svelte.ts')
  await studies.ready
  if (!studies.list.length) return text
  return JSON.stringify({ ...(JSON.parse(text) as Backup), studies: studies.list.map(({ sgf }) => sgf) })
}

async function restoreStudies(page: Page, texts: readonly unknown[]) {
  const { studies } = await import('../study/store.svelte.ts')
  await studies.restore(texts).catch((error: unknown) => page.tell(String(error)))
}

/** Puts back what a file has. */
export function restore(page: Page, text: string) {
  try {
    const backup = JSON.parse(text) as Backup
    if (!isBackup(text) || !Array.isArray(backup.games)) throw new Error()
    page.restoring = 0
    if (Array.isArray(backup.studies)) void restoreStudies(page, backup.studies)
    for (const part of partsOf(backup)) page.send({ type: 'restoreBackup', text: JSON.stringify(part) })
    void page.answered().then(() => page.tell(t.site.restored(page.restoring)))
  } catch {
    page.tell(t.site.notBackup)
  }
}
