import { defineConfig } from 'vitest/config'
import { LONG_OPTIONS, LONG_SETUPS } from './support/long-options.ts'
import { longestFirst } from './support/longest-first.ts'
import { ONLY_AT_LENGTH } from './vitest.config.ts'

/** Real programs and servers that live and die. */
const LIVES = ['test/pipeline/*.long.ts', 'test/store/*.long.ts', ...ONLY_AT_LENGTH]
/** What takes the time of what it does, to judge it or to kill it in its middle. */
const ALONE = [
  'test/pipeline/killed-command.long.ts',
  'test/pipeline/killed-restore.long.ts',
  'test/pipeline/own-limits.long.ts',
  'test/serve/slow-requests.long.ts',
  'test/store/silent-database.long.ts',
]

/** What takes longest begins first: whoever begins it last waits for it alone. */
const LONGEST = [
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
  'pipeline/daemon',
  'first-process',
  'shared-key',
  'paused-workers',
  // The others
  'desk/desk',
  'docs/blocks',
  'desk/repair',
]

/** What takes minutes: `npm run test:long`. */
export default defineConfig({
  test: {
    globalSetup: LONG_SETUPS,
    sequence: { sequencer: longestFirst(LONGEST) },
    projects: [
      {
        test: {
          ...LONG_OPTIONS,
          name: 'lives',
          include: LIVES,
          exclude: ALONE,
          // They wait most of the time.
          maxWorkers: 3,
          sequence: { hooks: 'stack', groupOrder: 0 },
        },
      },
      {
        test: {
          ...LONG_OPTIONS,
          name: 'long',
          include: ['test/!(pipeline|store)/**/*.long.ts'],
          exclude: ALONE,
          // They start browsers and programs by the dozen, and wait for them; a file may run some of its tests at once.
          maxWorkers: 3,
          maxConcurrency: 3,
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
