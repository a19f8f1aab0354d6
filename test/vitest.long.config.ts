import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { LONG_OPTIONS, LONG_SETUPS, LONG_TAG } from './support/long-options.ts'
import { longestFirst } from './support/longest-first.ts'
import { ONLY_AT_LENGTH } from './vitest.config.ts'

/** What takes the time of what it does, to judge it or to kill it in its middle. */
const ALONE = [
  'test/pipeline/killed-command.long.ts',
  'test/pipeline/killed-restore.long.ts',
  'test/pipeline/own-limits.long.ts',
  'test/serve/slow-requests.long.ts',
  'test/store/silent-database.long.ts',
]

/**
 * What takes longest begins first: whoever begins it last waits for it alone. What computes most comes after those who judge how long
 * others take.
 */
const LONGEST = [
  'stalled.long',
  'desk/desk',
  'workers.long',
  'locked-store',
  'store-copies',
  'docs/blocks',
  'pipeline/backup',
  'desk/repair',
  'kept-stores.long',
  'pipeline/database',
  'first-process',
  'promoted-standby',
  'odd-databases',
  'pipeline/daemon',
  'lost-claim',
  'shared-key',
  'paused-workers',
]

/** Files of `npm test` of which some cases are tagged; those that `ONLY_AT_LENGTH` names are here anyway. */
const WITH_LONG_CASES = globSync('test/**/*.test.ts', { cwd: LONG_OPTIONS.root, exclude: ONLY_AT_LENGTH }).filter(
  (file) => readFileSync(path.join(LONG_OPTIONS.root, file), 'utf8').includes(`tags: '${LONG_TAG.name}'`),
)

/** What takes minutes: `npm run test:long`. */
export default defineConfig({
  test: {
    globalSetup: LONG_SETUPS,
    sequence: { sequencer: longestFirst(LONGEST) },
    projects: [
      {
        test: {
          ...LONG_OPTIONS,
          name: 'long',
          include: ['test/**/*.long.ts', ...ONLY_AT_LENGTH],
          exclude: ALONE,
          // As in `npm test`: a worker's next file finds the modules, and the server of databases, of those before.
          isolate: false,
          // Some wait for others most of the time, some take all that the machine has; a file may run some of its tests at once.
          maxWorkers: 4,
          maxConcurrency: 3,
          sequence: { hooks: 'stack', groupOrder: 0 },
        },
      },
      {
        test: {
          ...LONG_OPTIONS,
          name: 'cases',
          include: WITH_LONG_CASES,
          setupFiles: fileURLToPath(new URL('support/long-cases.ts', import.meta.url)),
          isolate: false,
          // Beside the files that wait.
          maxWorkers: 4,
          sequence: { hooks: 'stack', groupOrder: 0 },
        },
      },
      {
        test: {
          ...LONG_OPTIONS,
          name: 'alone',
          include: ALONE,
          maxWorkers: 1,
          sequence: { hooks: 'stack', groupOrder: 1 },
        },
      },
    ],
  },
})
