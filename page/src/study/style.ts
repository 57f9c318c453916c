/** How a study looks, on the page with its colours and in an exported file with its own. */

export const STYLE = `
.study-player { display: grid; grid-template-columns: minmax(0, 1fr) minmax(16rem, 24rem); gap: 1rem 1.6rem; align-items: start; }
.study-player .board svg { display: block; width: 100%; height: auto; border-radius: 10px; touch-action: manipulation; }
.study-player .board { width: min(100%, calc((100dvh - 9rem) * var(--shape, 1))); justify-self: center; }
.study-player .asks svg { cursor: pointer; }
.study-player svg:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
.study-player svg:not(:focus-visible) .cursor { display: none; }
.study-player .side { display: grid; gap: 0.7rem; align-content: start; min-width: 0; }
.study-player .head { display: flex; gap: 0.6rem; align-items: center; }
.study-player .head select { flex: 1; min-width: 0; }
.study-player .of, .study-player .state, .study-player .muted { color: var(--muted); font-size: 0.9rem; white-space: nowrap; }
.study-player h2 { margin: 0; font: 600 1.3rem var(--serif); overflow-wrap: anywhere; }
.study-player p { margin: 0; }
.study-player .text { display: grid; gap: 0.6rem; align-content: start; line-height: 1.5; overflow-wrap: anywhere; }
.study-player .text ul { margin: 0; padding-inline-start: 1.2rem; }
.study-player .text a { color: var(--accent); }
.study-player .covered { color: var(--muted); font-style: italic; }
.study-player .said .right { color: var(--good); font-weight: 600; }
.study-player .said .wrong { color: var(--bad); font-weight: 600; }
.study-player .next, .study-player .bar, .study-player .tools { display: flex; flex-wrap: wrap; gap: 0.35rem; align-items: center; }
.study-player button[aria-pressed='true'] { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
.study-player .bar button { min-width: 2.6rem; }
.study-dialog { border: none; padding: 0; margin: 0; width: 100vw; height: 100dvh; max-width: none; max-height: none; background: var(--paper); color: var(--ink); }
.study-dialog .study-player { box-sizing: border-box; min-height: 100dvh; padding: 1.2rem; grid-template-columns: minmax(0, 1fr) minmax(18rem, 32vw); font-size: clamp(1.1rem, 1.9vw, 1.9rem); }
.study-dialog .study-player .board { width: min(100%, calc((100dvh - 2.4rem) * var(--shape, 1))); align-self: center; }
.study-dialog .side { min-height: calc(100dvh - 2.4rem); grid-template-rows: auto auto auto auto 1fr auto auto auto; }
.study-dialog h2 { font-size: 1.35em; }
.study-dialog .head select { display: none; }
.study-dialog button { background: none; border-color: transparent; box-shadow: none; color: var(--muted); font-size: 0.9rem; padding: 0.2rem 0.5rem; }
.study-dialog .next button, .study-dialog .text button { color: var(--ink); border-color: var(--line); font-size: inherit; }
@media (max-width: 760px), (orientation: portrait) {
  .study-player, .study-dialog .study-player { grid-template-columns: minmax(0, 1fr); }
  .study-player .board, .study-dialog .study-player .board { width: min(100%, calc(62dvh * var(--shape, 1))); align-self: start; }
  .study-dialog .side { min-height: 0; grid-template-rows: none; }
}
`
