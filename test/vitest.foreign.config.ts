import { defineConfig } from 'vitest/config'
import { LONG_OPTIONS, LONG_SETUPS } from './support/long-options.ts'
import { longestFirst } from './support/longest-first.ts'

/** What takes longest begins first, so that no worker is left alone with it at the end. */
const LONGEST = ['foreign/postgres-15', 'foreign/pgbouncer', 'docs/receivers', 'foreign/postgres-tls']

/** What starts programs of others, or in other languages: `npm run test:foreign`. Skipped where they are not installed. */
export default defineConfig({
  test: {
    ...LONG_OPTIONS,
    include: ['test/**/*.foreign.ts'],
    globalSetup: LONG_SETUPS,
    // They wait most of the time.
    maxWorkers: 3,
    // As `runs.ts` reads it.
    env: { PROPERTY_RUNS_TIMES: '1' },
    // The receivers of all languages at once.
    maxConcurrency: 12,
    testTimeout: 120_000,
    sequence: { hooks: 'stack', sequencer: longestFirst(LONGEST) },
  },
})
