/** The study that comes with the page. Its wins are proved by our solvers in `crates/agents/tests/study.rs`. */

export const example = {
  id: 'two-threats',
  title: 'Why two threats win',
  sgf: async (): Promise<string> => (await import('./two-threats.sgf?raw')).default,
}
