/** Arrow keys within a row of tabs or a group of radio cards, as screen readers and keyboards expect them. */

const WAYS: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

/** Chooses the neighbour of the item that has the focus, or the first or last one. */
export function chooseByArrows(event: KeyboardEvent & { currentTarget: HTMLElement }) {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=tab], [role=radio]')]
  const at = items.indexOf(event.target as HTMLElement)
  if (at < 0) return
  const way = WAYS[event.key]
  const next = event.key === 'Home' ? 0
    : event.key === 'End' ? items.length - 1
    : way ? (at + way + items.length) % items.length : -1
  if (next < 0) return
  event.preventDefault()
  event.stopPropagation()
  items[next]!.click()
  items[next]!.focus()
}
