/** What is known of the arena: runs, reports, and the run that is looked at. */

import type { NewMatch, ReportInfo, RunInfo, RunView, ToPage } from '../wire.ts'
import type { Page } from './page.svelte.ts'

export class ArenaState {
  runs = $state.raw<RunInfo[] | null>(null)
  reports = $state.raw<ReportInfo[]>([])
  run = $state.raw<RunView | null>(null)

  /** The runs that this page has started: it may stop them. */
  started = $state.raw<ReadonlySet<string>>(new Set())
  #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  start(match: NewMatch) {
    this.#page.send({ type: 'startMatch', match })
  }

  stop(run: string) {
    this.#page.send({ type: 'stopMatch', run })
  }

  hear(message: Extract<ToPage, { type: 'runs' | 'run' | 'matchStarted' }>) {
    if (message.type === 'run') this.run = message.view
    else if (message.type === 'matchStarted') {
      this.started = new Set([...this.started, message.run])
      this.#page.address.go({ view: 'run', run: message.run })
    } else {
      this.runs = message.runs
      this.reports = message.reports
    }
  }
}
