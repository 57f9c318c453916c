/** Hands a file to the browser's downloads. */
export function download(name: string, blob: Blob) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

/** A record as a file: text, or for RenLib the byte that each character stands for. */
export const exported = (name: string, text: string): Blob =>
  name.endsWith('.lib')
    ? new Blob([Uint8Array.from(text, (sign) => sign.charCodeAt(0))], { type: 'application/octet-stream' })
    : new Blob([text], { type: 'text/plain;charset=utf-8' })
