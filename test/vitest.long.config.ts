import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { longestFirst } from './support/longest-first.ts'

const COMMON = {
  root: fileURLToPath(new URL('..', import.meta.url)),
  pool: 'forks',
  testTimeout: 600_000,
  // A folder with all packages takes long to remove.
  hookTimeout: 120_000,
  expect: { poll: { timeout: 20_000 } },
  // As Node runs the program itself: nothing is transformed.
  experimental: { viteModuleRunner: false, nodeLoader: false },
} as const

/** Real programs and servers that live and die. */
const LIVES = ['test/pipeline/*.long.ts', 'test/store/*.long.ts']
/** What looks at its own memory and its own processor time: one other may run beside it. */
const MEASURED = ['test/bench/soak/soak.long.ts', 'test/store/log-pages.long.ts', 'test/store/record-queries.long.ts']
/** What takes the time of what it does, to judge it or to kill it in its middle. */
const ALONE = [
  'test/pipeline/killed-command.long.ts',
  'test/pipeline/killed-restore.long.ts',
  'test/poll/huge-pages.long.ts',
  'test/serve/slow-requests.long.ts',
  'test/store/silent-database.long.ts',
]

/** What takes longest begins first: whoever begins it last waits for it alone. */
const LONGEST = [
  // Properties
  'delta-documents.property',
  'world/world.property',
  'claims.property',
  'store/postgres.property',
  'same-commits.property',
  'races.property',
  // Lives
  'stalled.long',
  'locked-store',
  'workers.long',
  'promoted-standby',
  'store-copies',
  'pipeline/backup',
  'lost-claim',
  'pipeline/database',
  'kept-stores.long',
  'odd-databases',
  'own-limits',
  'pipeline/daemon',
  'first-process',
  'shared-key',
  'paused-workers',
  // The others
  'freshness/bad-input',
  'package/first-day',
  'package/image',
  'desk/desk',
  'docs/blocks',
  'desk/repair',
  'expectation-edges',
  'order-fate.long',
  // What is measured
  'soak',
]

/** What takes minutes: `npm run test:long`. */
export default defineConfig({
  test: {
    globalSetup: fileURLToPath(new URL('support/compile-cache.ts', import.meta.url)),
    sequence: { sequencer: longestFirst(LONGEST) },
    projects: [
      {
        test: {
          ...COMMON,
          name: 'properties',
          include: ['test/**/*.property.test.ts'],
          // As in `npm test`.
          isolate: false,
          // Some wait for a server.
          maxWorkers: 3,
          // As `runs.ts` reads it.
          env: { PROPERTY_RUNS_TIMES: '4' },
          sequence: { hooks: 'stack', groupOrder: 0 },
        },
      },
      {
        test: {
          ...COMMON,
          name: 'lives',
          include: LIVES,
          exclude: [...MEASURED, ...ALONE],
          // They wait most of the time.
          maxWorkers: 3,
          sequence: { hooks: 'stack', groupOrder: 1 },
        },
      },
      {
        test: {
          ...COMMON,
          name: 'long',
          include: ['test/!(pipeline|store)/**/*.long.ts'],
          exclude: [...MEASURED, ...ALONE],
          // They start browsers and programs by the dozen, and wait for them; a file may run some of its tests at once.
          maxWorkers: 3,
          maxConcurrency: 3,
          sequence: { hooks: 'stack', groupOrder: 2 },
        },
      },
      {
        test: {
          ...COMMON,
          name: 'measured',
          include: MEASURED,
          maxWorkers: 2,
          sequence: { hooks: 'stack', groupOrder: 3 },
        },
      },
      {
        test: {
          ...COMMON,
          name: 'alone',
          include: ALONE,
          maxWorkers: 1,
          sequence: { hooks: 'stack', groupOrder: 4 },
        },
      },
    ],
  },
})
