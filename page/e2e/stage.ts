/** What a file of browser tests plays on: one program and one browser, and no page left from test to test. */

import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { launch, Program } from './harness.ts'

export let program: Program
export let browser: Browser

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
