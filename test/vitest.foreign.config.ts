import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** What starts programs of others, or in other languages: `npm run test:foreign`. Skipped where they are not installed. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    include: ['test/**/*.foreign.ts'],
    // As Node runs the program itself: nothing is transformed.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    pool: 'forks',
    // They wait most of the time.
    maxWorkers: 3,
    // As `runs.ts` reads it.
    env: { PROPERTY_RUNS_TIMES: '1' },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    sequence: { hooks: 'stack' },
  },
})
