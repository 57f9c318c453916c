/** Agent specs as text: `sequences:depth=2,width=8`. The server reads them; the form edits them. */

import type { OptionInfo } from '../wire.ts'

export interface Spec {
  name: string
  options: Record<string, string>
}

/** Splits at commas outside brackets and quotes. */
function parts(text: string): string[] {
  const found: string[] = []
  let depth = 0
  let quoted = false
  let part = ''
  for (const sign of text) {
    if (sign === "'") quoted = !quoted
    else if (!quoted && sign === '(') depth++
    else if (!quoted && sign === ')') depth--
    if (sign === ',' && depth === 0 && !quoted) {
      found.push(part)
      part = ''
    } else {
      part += sign
    }
  }
  return [...found, part].filter((part) => part.trim() !== '')
}

function unquote(text: string): string {
  const quoted = /^'(.*)'$/.exec(text) ?? /^\((.*)\)$/.exec(text)
  return quoted?.[1] ?? text
}

export function readSpec(text: string): Spec {
  const colon = text.indexOf(':')
  if (colon < 0) return { name: text.trim(), options: {} }
  const options: Record<string, string> = {}
  for (const part of parts(text.slice(colon + 1))) {
    const equals = part.indexOf('=')
    if (equals < 0) options[part.trim()] = 'true'
    else options[part.slice(0, equals).trim()] = unquote(part.slice(equals + 1).trim())
  }
  return { name: text.slice(0, colon).trim(), options }
}

/** Writes only what differs from the defaults. */
export function writeSpec(name: string, options: Record<string, string>, known: readonly OptionInfo[]): string {
  const written = known.flatMap((option) => {
    const value = options[option.name]
    if (value === undefined || value === String(option.kind.default)) return []
    const quoted = /[,()]/.test(value) ? `(${value})` : value
    return [`${option.name}=${quoted}`]
  })
  return written.length ? `${name}:${written.join(',')}` : name
}
