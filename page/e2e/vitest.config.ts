import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const path = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url))
const site = process.env.SITE ?? path('target/site')
const SCRIPT = 'assets/page.js'

/** The folder of the site, if it was built: from this page, not from an older one. */
function builtSite(): string | undefined {
  if (!existsSync(`${site}/site.json`)) {
    console.warn(`${site} is missing: only the page of a server is tested; cargo xtask site builds the other one`)
    return undefined
  }
  const [there, here] = [`${site}/${SCRIPT}`, path(`page/dist/${SCRIPT}`)].map((file) => readFileSync(file, 'utf8'))
  if (there !== here) throw new Error(`${site} is older than page/dist: run cargo xtask site`)
  return site
}

/** The same files with the page of a server, and with the page that has none. */
const PASSES: Record<string, string | undefined> = { server: '', site: builtSite() }

/** Browser tests: one after the other, each with the real program and a real browser. */
export default defineConfig({
  test: {
    root: new URL('.', import.meta.url).pathname,
    fileParallelism: false,
    projects: Object.entries(PASSES).filter(([, site]) => site !== undefined).map(([name, SITE]) => ({
      test: {
        name,
        env: { SITE: SITE! },
        include: ['*.e2e.ts'],
        testTimeout: 180_000,
        // A loaded machine may starve the browser for seconds.
        retry: 1,
        hookTimeout: 120_000,
      },
    })),
  },
})
