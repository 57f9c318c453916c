import { defineConfig } from 'vitest/config'

/** `npm run screenshots` writes the pictures of README, `npm run icons` those of the installed page, `npm run measure` and `npm run speed` measure. */
export default defineConfig({
  test: {
    root: new URL('.', import.meta.url).pathname,
    include: ['screenshots.ts', 'icons.ts', 'measure.ts', 'speed.ts', 'views.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
})
