/** What is known of the arena: runs, reports, and the run that is looked at. */

import type { ArenaLimits, LiveBoard, NewEngine, NewMatch, ReportInfo, RunInfo, RunView, ToPage } from '../wire.ts'
import type { Page } from './page.svelte.ts'

export class ArenaState {
  runs = $state.raw<RunInfo[] | null>(null)
  reports = $state.raw<ReportInfo[]>([])
  run = $state.raw<RunView | null>(null)
  limits = $state.raw<ArenaLimits>({ atOnce: 1, engines: false })
  /** The games of a run that are being played. */
  live = $state.raw<{ run: string; boards: LiveBoard[] }>({ run: '', boards: [] })
  /** The engine that this page has added last. */
  added = $state.raw<string | null>(null)
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

  pause(run: string) {
    this.#page.send({ type: 'pauseMatch', run })
  }

  resume(run: string) {
    this.#page.send({ type: 'resumeMatch', run })
  }

  addEngine(engine: NewEngine) {
    this.added = null
    this.#page.send({ type: 'addEngine', engine })
  }

  hear(message: Extract<ToPage, { type: 'runs' | 'run' | 'live' | 'matchStarted' | 'engineAdded' }>) {
    switch (message.type) {
      case 'run':
        this.run = message.view
        break
      case 'live':
        this.live = message
        break
      case 'matchStarted':
        this.#page.address.go({ view: 'run', run: message.run })
        break
      case 'engineAdded':
        this.added = message.name
        this.#page.agents = message.agents
        break
      case 'runs':
        this.runs = message.runs
        this.reports = message.reports
        this.limits = message.limits
    }
  }
}
