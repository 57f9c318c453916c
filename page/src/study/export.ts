/** A study as one HTML file: it needs no server, no network and no other file, and opens here again. */

import script from 'virtual:study-player'
import { escaped } from './draw.ts'
import type { Study } from './model.ts'
import { write } from './sgf.ts'
import { fill, textsFor } from './texts.ts'

/** The colours of the page, in light and in dark. */
const STYLE = `
:root { --sans: system-ui, sans-serif; --serif: Palatino, 'Book Antiqua', Georgia, serif; --paper: #f4efe5; --raised: #fffdf8; --ink: #2a2622; --muted: #665d52;
  --line: #ddd2be; --accent: #8c3d22; --bad: #a3261b; --good: #2c6e49; --focus: #1f6f8b; color-scheme: light dark; }
@media (prefers-color-scheme: dark) { :root { --paper: #1b1917; --raised: #322e2a; --ink: #ece5d8; --muted: #aaa091; --line: #443e37; --accent: #e39a72;
  --bad: #f0897c; --good: #8cc9a1; --focus: #7cc4dc; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.45 var(--sans); }
header, main { max-width: 76rem; margin: 0 auto; padding: 0.8rem clamp(0.6rem, 3vw, 2rem); }
h1 { font: 600 1.6rem var(--serif); margin: 0; } header p { margin: 0; color: var(--muted); }
button, select { font: inherit; color: inherit; background: var(--raised); border: 1px solid var(--line); border-radius: 9px; padding: 0.35rem 0.7rem; min-height: 2.4rem; cursor: pointer; }
button:disabled { opacity: 0.45; cursor: default; } :focus-visible { outline: 3px solid var(--focus); outline-offset: 1px; }
`

/** Text that a script element may hold: no tag begins in it. */
const inScript = (text: string) => text.replaceAll('<', '\\u003c')

export function html(study: Study): string {
  const texts = textsFor(study.language)
  const title = escaped(study.title || texts.untitled)
  const data = inScript(JSON.stringify({ sgf: write(study), texts }))
  return `<!doctype html>
<html lang="${escaped(study.language || 'en')}">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="generator" content="Collinear" />
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:" />
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<header><h1>${title}</h1>${study.author ? `<p>${escaped(fill(texts.by, study.author))}</p>` : ''}</header>
<main id="study"><p>${escaped(texts.noScript)}</p></main>
<script type="application/json" id="study-data">${data}</script>
<script>${script.replaceAll('</script', '<\\/script')}</script>
</body>
</html>
`
}
