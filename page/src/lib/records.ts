/** Files from the person's disk: read as text, never as anything else. */

import { t } from '../texts.ts'
import type { Page } from './page.svelte.ts'

/** The server takes messages up to 1 MiB; JSON makes a text a little longer. */
const MAX_BYTES = 900_000

export async function readRecord(page: Page, file: File): Promise<void> {
  if (file.size > MAX_BYTES) return page.tell(t.record.tooLarge)
  page.opening.import(decode(new Uint8Array(await file.arrayBuffer())))
}

/** How RenLib files begin. */
const RENLIB = [0xff, ...new TextEncoder().encode('RenLib'), 0xff]

/** UTF-8, or else Latin-1, which old records have. A RenLib file is binary: a character for each of its bytes. */
export function decode(bytes: Uint8Array): string {
  if (RENLIB.every((byte, at) => bytes[at] === byte)) return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('latin1').decode(bytes)
  }
}
