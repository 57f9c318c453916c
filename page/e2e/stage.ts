/** What a file of browser tests plays on: one program and one browser, and no page left from test to test. */

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { binary, launch, Program } from './harness.ts'

export let program: Program
export let browser: Browser

/** The file of results that the arena shows. */
export const results = (): string => join(program.data, 'results.sqlite')

/** Runs a command whose results the arena shows, and returns what it prints. */
export const collinear = (...words: string[]): string =>
  execFileSync(binary, [...words, '--db', results()], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })

beforeAll(async () => {
  program = await Program.start()
  browser = await launch()
})
// What the pages of a test think about must not slow the next one down.
afterEach(async () => {
  for (const context of browser.contexts()) await context.close()
})
afterAll(async () => {
  await browser?.close()
  await program?.stop()
})
