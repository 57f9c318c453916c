/** The npm package: the engine's worker, promises over it, and the element; `cargo xtask site` adds the modules. */

import { defineConfig } from 'vite'

export default defineConfig({
  publicDir: false,
  base: './',
  build: {
    target: 'es2022',
    outDir: '../target/npm/collinear/dist',
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    lib: {
      entry: { index: 'src/package/index.ts', element: 'src/package/element.ts', search: 'src/browser/search.ts' },
      formats: ['es'],
    },
    rollupOptions: { output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' } },
  },
})
