/** Which keys belong to the field that has the focus, and which are the page's. */

/** Fields in which one writes. */
const WRITTEN = new Set(['text', 'number', 'search', 'url', 'email', 'password', 'tel', 'file'])
/** What moves or sets a field that is not written in. */
const SETS: Record<string, readonly string[]> = {
  checkbox: [' '],
  radio: [' ', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'],
  range: ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown'],
}
const CHOOSES = [' ', 'Enter', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown']

/**
 * Whether a key is the field's own. Letters choose in a list that was reached by keys; one that was clicked leaves them to
 * the page, as checkboxes and sliders do.
 */
export function takesKey(target: Pick<HTMLElement, 'tagName'> & { type?: string }, key: string, byPointer: boolean): boolean {
  switch (target.tagName) {
    case 'TEXTAREA':
      return true
    case 'SELECT':
      return !byPointer || CHOOSES.includes(key)
    case 'INPUT': {
      const type = target.type ?? 'text'
      return WRITTEN.has(type) || (SETS[type]?.includes(key) ?? !(type in SETS))
    }
    default:
      return false
  }
}
