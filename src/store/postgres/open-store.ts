import type { Store } from '../ports.ts'
import type { SharedStore } from '../worker-port.ts'
import { Database, type DatabaseOptions } from './database.ts'
import { assertHeld } from './lease-guard.ts'
import { migrate } from './migrate.ts'
import { pollStore } from './poll-store.ts'
import { workerStore } from './worker-store.ts'

/**
 * Connects to the store in a PostgreSQL database, and brings its schema up to date. Any number of processes may have it open.
 * Throws `store_unusable` and `store_newer`.
 */
export async function openPostgresStore(options: DatabaseOptions): Promise<SharedStore> {
  await using opening = new AsyncDisposableStack()
  const db = opening.use(new Database(options))
  await migrate(db)
  opening.move()
  return {
    ...postgresStore(db),
    workers: {
      ...workerStore(db),
      under: (lease) => postgresStore(db.guarded(async (tx) => await assertHeld(tx, lease))),
    },
    [Symbol.asyncDispose]: async () => await db[Symbol.asyncDispose](),
  }
}

/** Of a database whose schema is up to date. */
export function postgresStore(db: Database): Store {
  return {
    ...pollStore(db),
    [Symbol.asyncDispose]: async () => await db[Symbol.asyncDispose](),
  } as never
}
