import { defineConfig } from 'vitest/config'
import { LONG_OPTIONS, LONG_SETUPS } from './support/long-options.ts'
import { longestFirst } from './support/longest-first.ts'

/** What takes longest begins first: whoever begins it last waits for it alone. */
const LONGEST = [
  'delta-documents.property',
  'world/world.property',
  'claims.property',
  'store/postgres.property',
  'same-commits.property',
  'races.property',
  'package/first-day',
  'soak',
]

/** What takes the time of what it does, to judge it. */
const ALONE = ['test/poll/huge-pages.release.ts']

/**
 * What CI has no time for: properties at length, simulations by the ten thousand, the package and the image as they are installed, and
 * what looks at its own memory and processor time. `npm run test:release`; a release runs it.
 */
export default defineConfig({
  test: {
    globalSetup: LONG_SETUPS,
    sequence: { sequencer: longestFirst(LONGEST) },
    projects: [
      {
        test: {
          ...LONG_OPTIONS,
          name: 'properties',
          include: ['test/**/*.property.test.ts'],
          // As in `npm test`.
          isolate: false,
          // Some wait for a server.
          maxWorkers: 3,
          // As `runs.ts` reads it.
          env: { PROPERTY_RUNS_TIMES: '10' },
          sequence: { hooks: 'stack', groupOrder: 0 },
        },
      },
      {
        test: {
          ...LONG_OPTIONS,
          name: 'measured',
          include: ['test/**/*.release.ts'],
          exclude: ALONE,
          // One other may run beside it.
          maxWorkers: 2,
          sequence: { hooks: 'stack', groupOrder: 1 },
        },
      },
      {
        test: {
          ...LONG_OPTIONS,
          name: 'alone',
          include: ALONE,
          maxWorkers: 1,
          sequence: { hooks: 'stack', groupOrder: 2 },
        },
      },
    ],
  },
})
