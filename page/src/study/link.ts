/** A study in an address: its file, deflated and written in letters that addresses have; and a position of it. */

import { cellName } from '../lib/cells.ts'
import { LIMITS, path, type Chapter, type Node, type Study } from './model.ts'
import { read, rulesText, StudyError, write } from './sgf.ts'

/** Longer addresses do not get everywhere. */
export const MAX_LINK = 30_000

export async function toLink(study: Study): Promise<string> {
  const packed = new Blob([write(study)]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer())
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** Stops at the first character too many: a short link may unpack to anything. */
export async function fromLink(text: string): Promise<Study> {
  if (text.length > MAX_LINK || !/^[\w-]+$/.test(text)) throw new StudyError('this is not a link to a study')
  const decoder = new TextDecoder()
  let unpacked = ''
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (sign) => sign.charCodeAt(0))
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader()
    for (;;) {
      const { value, done } = await reader.read()
      if (done) break
      unpacked += decoder.decode(value, { stream: true })
      if (unpacked.length > LIMITS.characters) {
        await reader.cancel()
        throw new StudyError('the study of this link is too long')
      }
    }
  } catch (error) {
    if (error instanceof StudyError) throw error
    throw new StudyError('this link to a study is damaged')
  }
  return read(unpacked)
}

/** The moves from where a chapter begins to a node, as the address of the board has them: `gomoku/h8.i9`. */
export function boardLink(chapter: Chapter, at: Node): string {
  const { rules, black, white } = chapter
  const names = (cells: readonly number[]) => cells.map((cell) => cellName(rules, cell)).join('.')
  const setUp = black.length || white.length || chapter.toMove !== 'black' || chapter.left !== rules.q
  const moves = path(at).flatMap(({ cell }) => (cell === null ? [] : [cell]))
  return [
    rules.name || rulesText(rules),
    ...(setUp ? [`b-${names(black)}`, `w-${names(white)}`, `t-${chapter.toMove}-${chapter.left}`] : []),
    ...(moves.length ? [names(moves)] : []),
  ].join('/')
}
