/** What is known of the arena: runs, reports, and the run that is looked at. */

import type { ReportInfo, RunInfo, RunView, ToPage } from '../wire.ts'

export class ArenaState {
  runs = $state.raw<RunInfo[] | null>(null)
  reports = $state.raw<ReportInfo[]>([])
  run = $state.raw<RunView | null>(null)

  hear(message: Extract<ToPage, { type: 'runs' | 'run' }>) {
    if (message.type === 'run') this.run = message.view
    else {
      this.runs = message.runs
      this.reports = message.reports
    }
  }
}
