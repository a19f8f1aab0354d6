import { describe } from 'vitest'

/** What tests the store in PostgreSQL. */
const SUITES = [
  'store/postgres.property.test.ts',
  'store/same-commits.property.test.ts',
  'store/races.property.test.ts',
  'store/database.property.test.ts',
  'store/postgres-commits.test.ts',
  'store/postgres-crash.long.ts',
  'store/shared-claims.test.ts',
  'store/workers.test.ts',
  'app/workers/worker.test.ts',
  'cli/store-copy.test.ts',
]

/** Nobody listens or keeps plans through a pooler, which has its own words for a database that is not there; the last starts a server. */
const WITHOUT_POOLER = [
  'store/doorbell.test.ts',
  'store/kept-plans.test.ts',
  'store/database-failure.test.ts',
  'pipeline/database.long.ts',
]

/** Declares them once more, each with its own hooks, for the databases that this process has. */
export function describeStoreSuites(reached: 'directly' | 'through a pooler'): void {
  for (const suite of reached === 'directly' ? [...SUITES, ...WITHOUT_POOLER] : SUITES)
    describe(suite, async () => {
      await import(`../${suite}`)
    })
}
