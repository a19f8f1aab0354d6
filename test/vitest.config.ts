import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    include: ['test/**/*.test.ts'],
    globalSetup: fileURLToPath(new URL('support/memory-folder.ts', import.meta.url)),
    // As Node runs the program itself: nothing is transformed.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    pool: 'forks',
    isolate: false,
    maxWorkers: '100%',
    testTimeout: 60_000,
    sequence: { hooks: 'stack' },
  },
})
