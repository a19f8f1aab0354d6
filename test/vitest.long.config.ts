import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const COMMON = {
  root: fileURLToPath(new URL('..', import.meta.url)),
  pool: 'forks',
  testTimeout: 600_000,
} as const

/** What takes minutes: `npm run test:long`. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...COMMON,
          name: 'properties',
          include: ['test/**/*.property.test.ts'],
          // As Node runs the program itself: nothing is transformed.
          experimental: { viteModuleRunner: false, nodeLoader: false },
          maxWorkers: '100%',
          // As `runs.ts` reads it.
          env: { PROPERTY_RUNS_TIMES: '30' },
          sequence: { hooks: 'stack', groupOrder: 0 },
        },
      },
      {
        test: {
          ...COMMON,
          name: 'long',
          include: ['test/**/*.long.ts'],
          // One after another: some measure, others start programs by the dozen.
          maxWorkers: 1,
          sequence: { hooks: 'stack', groupOrder: 1 },
        },
      },
    ],
  },
})
