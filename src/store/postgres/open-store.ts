import type { Store } from '../ports.ts'
import { Database, type DatabaseOptions } from './database.ts'
import { logQueryStore } from './log-query-store.ts'
import { logStore } from './log-store.ts'
import { migrate } from './migrate.ts'
import { pollStore } from './poll-store.ts'
import { queryStore } from './query-store.ts'
import { recordQueryStore } from './record-query-store.ts'
import { retentionStore } from './retention-store.ts'

/**
 * Connects to the store in a PostgreSQL database, and brings its schema up to date. Any number of processes may have it open.
 * Throws `store_unusable` and `store_newer`.
 */
export async function openPostgresStore(options: DatabaseOptions): Promise<Store> {
  await using opening = new AsyncDisposableStack()
  const db = opening.use(new Database(options))
  await migrate(db)
  opening.move()
  return postgresStore(db)
}

/** Of a database whose schema is up to date. */
export function postgresStore(db: Database): Store {
  return {
    ...pollStore(db),
    ...queryStore(db),
    ...logQueryStore(db),
    ...recordQueryStore(db),
    ...logStore(db),
    ...retentionStore(db),
    [Symbol.asyncDispose]: async () => await db[Symbol.asyncDispose](),
  } as never
}
