import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { LONG_TAG } from './support/long-options.ts'
import { longestFirst } from './support/longest-first.ts'

/** What takes longest begins first, so that no worker is left alone with it at the end. */
const LONGEST = ['store/sqlite.property', 'desk/pages.test', 'serve/api.test', 'poll/calendar.test', '/test/world/']

/** Files that only the long suite has: most of their cases are slow. A room's quicker files stay here. */
export const ONLY_AT_LENGTH = [
  // Against PostgreSQL; here `same-commits`, `same-deliveries`, `claims` and `races` run against both stores.
  'test/store/postgres.property.test.ts',
  'test/store/postgres-delta-documents.property.test.ts',
  // Hours and days of polling a platform that fails or deceives, simulated.
  'test/poll/bad-places.test.ts',
  'test/poll/extra-reads.test.ts',
  'test/poll/failing-items.test.ts',
  'test/poll/item-removals.test.ts',
  'test/poll/many-hearers.test.ts',
  'test/poll/outages.test.ts',
  'test/poll/page-slices.test.ts',
  'test/poll/refused-lists.test.ts',
  'test/poll/reminders.test.ts',
  'test/poll/slow-platform.test.ts',
  'test/poll/spare-reads.test.ts',
  'test/poll/unordered-list.test.ts',
  'test/plan/ceiling-simulation.test.ts',
  'test/sandbox/world.property.test.ts',
  'test/world/world.property.test.ts',
  // Days of deliveries.
  'test/deliver/recovery.test.ts',
  'test/deliver/row-settling.test.ts',
  'test/deliver/set-clock.test.ts',
  'test/deliver/channels/email/digest.test.ts',
  'test/deliver/channels/languages.test.ts',
  // Stores of earlier versions, whole copies, several processes.
  'test/store/fill-records.test.ts',
  'test/store/kept-stores.test.ts',
  'test/store/retention.test.ts',
  'test/store/store-lock.test.ts',
  'test/store/workers.test.ts',
  'test/app/workers/worker.test.ts',
  'test/app/otlp/send-telemetry.test.ts',
  'test/cli/expired-events.test.ts',
  'test/cli/restore.test.ts',
  'test/cli/store-copy.test.ts',
  // Tables of every page, route and token.
  'test/desk/languages.test.ts',
  'test/desk/log-pages.test.ts',
  'test/serve/documents.test.ts',
  'test/serve/hardening.test.ts',
  'test/serve/narrower-tokens.test.ts',
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
    tags: [{ ...LONG_TAG, skip: true }],
    globalSetup: SETUPS.map((each) => fileURLToPath(each)),
    // As Node runs the program itself: nothing is transformed.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    pool: 'forks',
    isolate: false,
    maxWorkers: '100%',
    // Most of what tests make is garbage at once: with more room for the young, from the start, it is looked through less often.
    execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=32'],
    testTimeout: 60_000,
    // A machine that does something else, too, needs longer than the second that is the default.
    expect: { poll: { timeout: 20_000 } },
    sequence: { hooks: 'stack', sequencer: longestFirst(LONGEST) },
  },
})
