import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** What takes minutes: `npm run test:long`. One after another: some measure, others start programs by the dozen. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    include: ['test/**/*.long.ts', 'test/**/*.property.test.ts'],
    // As `runs.ts` reads it.
    env: { PROPERTY_RUNS_TIMES: '30' },
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 600_000,
    sequence: { hooks: 'stack' },
  },
})
