/** The script of an exported study: it is built on its own and written into the file, see `vite.study.ts`. */

import { Player } from './player.ts'
import { read } from './sgf.ts'
import type { StudyTexts } from './texts.ts'

const data = JSON.parse(document.getElementById('study-data')!.textContent ?? '') as { sgf: string; texts: StudyTexts }
const root = document.getElementById('study')!
root.replaceChildren()
const chapter = Number(/^#(\d{1,3})$/.exec(window.location.hash)?.[1] ?? 1) - 1
new Player(root, read(data.sgf), { texts: data.texts, chapter: Math.max(chapter, 0) })
