/** Hands a file to the browser's downloads. */
export function download(name: string, blob: Blob) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

/** A file's name with the time in it, so that no export takes the place of another: `gomoku-2026-11-19-140259.sgf`. */
export function dated(name: string, now = new Date()): string {
  const two = (n: number) => String(n).padStart(2, '0')
  const day = [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join('-')
  const time = [now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join('')
  const dot = name.lastIndexOf('.')
  return `${name.slice(0, dot)}-${day}-${time}${name.slice(dot)}`
}

/** A record as a file: text, or for RenLib the byte that each character stands for. */
export const exported = (name: string, text: string): Blob =>
  name.endsWith('.lib')
    ? new Blob([Uint8Array.from(text, (sign) => sign.charCodeAt(0))], { type: 'application/octet-stream' })
    : new Blob([text], { type: 'text/plain;charset=utf-8' })
