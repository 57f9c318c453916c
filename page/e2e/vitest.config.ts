import { defineConfig } from 'vitest/config'

/** Browser tests: one after the other, each with the real program and a real browser. */
export default defineConfig({
  test: {
    root: new URL('.', import.meta.url).pathname,
    include: ['*.e2e.ts'],
    fileParallelism: false,
    testTimeout: 180_000,
    // A loaded machine may starve the browser for seconds.
    retry: 1,
    hookTimeout: 120_000,
  },
})
