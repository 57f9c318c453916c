/**
 * The markup of a study's words: paragraphs, lists, bold, italics and links to other sites. Elements are made one by
 * one: nothing of a file is ever read as HTML.
 *
 *     Black threatens **two** cells:      - h8
 *                                         - i9, see [the rules](https://example.org)
 */

export type Span = { type: 'text' | 'bold' | 'italic'; text: string } | { type: 'link'; text: string; address: string }
export type Block = { type: 'paragraph' | 'item'; lines: Span[][] }

/** Bold, italics, a link; what is not closed is text. */
const SPANS = /\*\*([^*\n]+)\*\*|\*([^*\n]+)\*|\[([^\]\n]+)\]\((https?:\/\/[^\s()<>"']+)\)/g

export function spans(text: string): Span[] {
  const found: Span[] = []
  let from = 0
  for (const match of text.matchAll(SPANS)) {
    if (match.index > from) found.push({ type: 'text', text: text.slice(from, match.index) })
    const [whole, bold, italic, words, address] = match
    if (bold !== undefined) found.push({ type: 'bold', text: bold })
    else if (italic !== undefined) found.push({ type: 'italic', text: italic })
    else found.push({ type: 'link', text: words!, address: address! })
    from = match.index + whole.length
  }
  if (from < text.length) found.push({ type: 'text', text: text.slice(from) })
  return found
}

export function blocks(text: string): Block[] {
  const found: Block[] = []
  let open: Block | null = null
  for (const line of text.split('\n')) {
    const item = /^\s*[-•]\s+(.*)$/.exec(line)
    if (item) {
      open = null
      found.push({ type: 'item', lines: [spans(item[1]!)] })
    } else if (!line.trim()) open = null
    else if (open) open.lines.push(spans(line))
    else found.push(open = { type: 'paragraph', lines: [spans(line)] })
  }
  return found
}

/** The words as elements. */
export function render(text: string): DocumentFragment {
  const all = document.createDocumentFragment()
  let list: HTMLElement | null = null
  for (const { type, lines } of blocks(text)) {
    const block = document.createElement(type === 'item' ? 'li' : 'p')
    for (const [at, line] of lines.entries()) {
      if (at > 0) block.append(document.createElement('br'))
      block.append(...line.map(element))
    }
    if (type !== 'item') list = null
    else if (!list) all.append(list = document.createElement('ul'))
    ;(list ?? all).append(block)
  }
  return all
}

function element(span: Span): Node {
  if (span.type === 'text') return document.createTextNode(span.text)
  const element = document.createElement({ bold: 'strong', italic: 'em', link: 'a' }[span.type])
  element.textContent = span.text
  if (span.type === 'link') {
    element.setAttribute('href', span.address)
    element.setAttribute('rel', 'noopener noreferrer')
    element.setAttribute('target', '_blank')
  }
  return element
}
