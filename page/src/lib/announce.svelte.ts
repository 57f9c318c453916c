/** What happened, in words, for those who listen instead of looking. */

import { t } from '../texts.ts'
import { cellName } from './cells.ts'
import { endingText } from './naming.ts'
import type { Page } from './page.svelte.ts'

/** Follows the page from within a component; `text` is the latest news. */
export function announce(page: Page): { readonly text: string } {
  let text = $state('')
  let stones = -1
  let entered = 0

  $effect(() => {
    const { board, game } = page
    if (!board || !game) return
    const grown = stones >= 0 && entered === page.entered && board.moves.length > stones
    const from = stones
    stones = board.moves.length
    entered = page.entered
    if (!grown) return
    const fresh = page.stones.filter(({ number }) => number > from && number <= page.confirmed)
    const told = fresh.map((stone) => t.announce.turn(page.side(stone.colour), cellName(game.rules, stone.cell))).join(', ')
    text = board.ending ? `${told}. ${endingText(board.ending, game)}` : told
  })
  $effect(() => {
    if (page.said) text = page.said
  })
  $effect(() => {
    if (page.insights.hint.length && page.game) {
      const words = page.insights.searches.hint?.words
      const cells = page.insights.hint.map((cell) => cellName(page.game!.rules, cell)).join(' ')
      text = t.announce.hint(words ? page.words(words) : cells)
    }
  })
  return { get text() { return text } }
}
