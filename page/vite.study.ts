/** `virtual:study-player`: the player of studies as one script without imports, to be written into exported files. */

import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'

const NAME = 'virtual:study-player'
const ENTRY = fileURLToPath(new URL('src/study/standalone.ts', import.meta.url))

export function studyPlayer(): Plugin {
  return {
    name: 'study-player',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    async load(id) {
      if (id !== `\0${NAME}`) return undefined
      this.addWatchFile(ENTRY)
      const built = await build({
        configFile: false,
        logLevel: 'warn',
        publicDir: false,
        build: {
          write: false,
          target: 'es2022',
          modulePreload: false,
          lib: { entry: ENTRY, formats: ['iife'], name: 'study' },
        },
      })
      const [first] = (Array.isArray(built) ? built : [built]) as { output: { type: string; code?: string }[] }[]
      const code = first?.output.find(({ type }) => type === 'chunk')?.code
      if (!code) throw new Error('the player of studies was not built')
      return `export default ${JSON.stringify(code)}`
    },
  }
}
