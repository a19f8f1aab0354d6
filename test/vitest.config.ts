import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { longestFirst } from './support/longest-first.ts'

/** What takes longest begins first, so that no worker is left alone with it at the end. */
const LONGEST = ['/test/world/', 'store/postgres.property', 'deliver/recovery.test', 'postgres-delta-documents']

const SETUPS = [
  new URL('support/memory-folder.ts', import.meta.url),
  new URL('support/compile-cache.ts', import.meta.url),
]

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    include: ['test/**/*.test.ts'],
    globalSetup: SETUPS.map((each) => fileURLToPath(each)),
    // As Node runs the program itself: nothing is transformed.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    pool: 'forks',
    isolate: false,
    maxWorkers: '100%',
    testTimeout: 60_000,
    // A machine that does something else, too, needs longer than the second that is the default.
    expect: { poll: { timeout: 20_000 } },
    sequence: { hooks: 'stack', sequencer: longestFirst(LONGEST) },
  },
})
