import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { longestFirst } from './support/longest-first.ts'

/** What takes longest begins first, so that no worker is left alone with it at the end. */
const LONGEST = ['/test/world/', 'store/sqlite.property', 'deliver/recovery.test']

/** The long suite has them; here `same-commits`, `same-deliveries`, `claims` and `races` run against both stores. */
export const ONLY_AT_LENGTH = [
  'test/store/postgres.property.test.ts',
  'test/store/postgres-delta-documents.property.test.ts',
]

const SETUPS = [
  new URL('support/memory-folder.ts', import.meta.url),
  new URL('support/shared-folder.ts', import.meta.url),
  new URL('support/compile-cache.ts', import.meta.url),
]

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    include: ['test/**/*.test.ts'],
    exclude: ONLY_AT_LENGTH,
    globalSetup: SETUPS.map((each) => fileURLToPath(each)),
    // As Node runs the program itself: nothing is transformed.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    pool: 'forks',
    isolate: false,
    maxWorkers: '100%',
    // Most of what tests make is garbage at once: with more room for the young it is looked through less often.
    execArgv: ['--max-semi-space-size=32'],
    testTimeout: 60_000,
    // A machine that does something else, too, needs longer than the second that is the default.
    expect: { poll: { timeout: 20_000 } },
    sequence: { hooks: 'stack', sequencer: longestFirst(LONGEST) },
  },
})
