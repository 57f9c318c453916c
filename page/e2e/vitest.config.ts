import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const site = process.env.SITE ?? fileURLToPath(new URL('../../target/site', import.meta.url))
const hasSite = existsSync(`${site}/site.json`)
if (!hasSite) console.warn(`${site} is missing: only the page of a server is tested; cargo xtask site builds the other one`)

/** The same files with the page of a server, and with the page that has none. */
const PASSES = { server: '', ...(hasSite && { site }) }

/** Browser tests: one after the other, each with the real program and a real browser. */
export default defineConfig({
  test: {
    root: new URL('.', import.meta.url).pathname,
    fileParallelism: false,
    projects: Object.entries(PASSES).map(([name, SITE]) => ({
      test: {
        name,
        env: { SITE },
        include: ['*.e2e.ts'],
        testTimeout: 180_000,
        // A loaded machine may starve the browser for seconds.
        retry: 1,
        hookTimeout: 120_000,
      },
    })),
  },
})
