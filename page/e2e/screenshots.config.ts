import { defineConfig } from 'vitest/config'

/** `npm run screenshots` writes the pictures of README, `npm run measure` measures. */
export default defineConfig({
  test: {
    root: new URL('.', import.meta.url).pathname,
    include: ['screenshots.ts', 'measure.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
})
