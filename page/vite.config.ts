import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { studyPlayer } from './vite.study.ts'

/** What the built page is made of; crates/web/tests/page_is_current.rs reads the same list. */
const SOURCES = ['index.html', 'package-lock.json', 'public', 'src', 'vite.config.ts', 'vite.study.ts']

function files(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .flatMap((entry) => files(`${path}/${entry.name}`))
  } catch {
    return [path]
  }
}

/** FNV-1a, 64 bits, over names and contents: a change detector, not a seal. */
function hashOf(paths: string[]): string {
  let hash = 0xcbf29ce484222325n
  const eat = (bytes: Uint8Array) => {
    for (const byte of bytes) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn
  }
  for (const path of paths) {
    eat(new TextEncoder().encode(path))
    eat(readFileSync(path))
  }
  return hash.toString(16).padStart(16, '0')
}

/** Writes dist/sources.hash, by which a test without Node finds out that dist is stale. */
function sourcesHash(): Plugin {
  return {
    name: 'sources-hash',
    apply: 'build',
    closeBundle() {
      const paths = SOURCES.flatMap(files).filter((path) => !path.endsWith('.test.ts'))
      paths.sort((a, b) => (a < b ? -1 : 1))
      writeFileSync(join('dist', 'sources.hash'), hashOf(paths) + '\n')
    },
  }
}

export default defineConfig({
  plugins: [svelte(), studyPlayer(), sourcesHash()],
  base: './',
  worker: {
    format: 'es',
    rollupOptions: {
      output: { entryFileNames: 'assets/[name].js', chunkFileNames: 'assets/[name].js' },
    },
  },
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    rollupOptions: {
      input: { page: 'index.html', 'service-worker': 'src/browser/service-worker.ts' },
      output: {
        // Plain names: the server's ETag keeps caches right, and the committed diff stays small. A service worker
        // serves what lies beside it and below.
        entryFileNames: ({ name }) => (name === 'service-worker' ? '[name].js' : 'assets/[name].js'),
        chunkFileNames: 'assets/[name].js',
        assetFileNames: 'assets/[name][extname]',
      },
    },
  },
  server: { proxy: { '/socket': { target: 'ws://127.0.0.1:4655', ws: true } } },
  test: { include: ['src/**/*.test.ts'], environment: 'node' },
})
