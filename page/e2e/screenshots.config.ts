import { defineConfig } from 'vitest/config'

/** `npm run screenshots`: writes the pictures of README. */
export default defineConfig({
  test: {
    root: new URL('.', import.meta.url).pathname,
    include: ['screenshots.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
})
