import { ShipbellError } from '../../errors.ts'
import type { Lease, SharedStore } from '../ports/worker-port.ts'
import { Database, type DatabaseOptions, type Transaction } from './database.ts'
import { PAST } from './judge-server.ts'
import { Query } from './query.ts'
import type { Store } from '../ports/store.ts'
import { adminStore } from '../upkeep/admin-store.postgres.ts'
import { reports } from '../reports/reports.postgres.ts'
import { runtimeStore } from '../runtime/runtime-store.postgres.ts'
import { livingStore } from '../living/living-store.postgres.ts'
import { searchStore } from '../search/search-index.postgres.ts'
import { snapshotStore } from '../snapshots/snapshot-store.postgres.ts'
import { logStore } from '../events/log-store.postgres.ts'
import { retentionStore } from '../upkeep/retention-store.postgres.ts'
import { deliveryStore } from '../deliveries/delivery-store.postgres.ts'
import { pollStore } from '../commit/poll-store.postgres.ts'
import { isMade, migrate } from './migrate.ts'
import { refuseRelocatedDatabase } from '../copy/relocation-row.postgres.ts'
import { followLife } from '../endpoints/series-life.postgres.ts'
import { ServerWatch } from './server-watch.ts'
import { workerStore } from './worker-store.ts'

/** Whoever ends the lease waits for the transaction, or the transaction finds it ended. */
const HELD = Query.frequent<{ held: number }>(`
  SELECT 1 AS held FROM leases WHERE unit = :unit AND worker = :worker AND epoch = :epoch AND ${PAST} = :past FOR SHARE`)

/** Throws `lease_lost` unless the lease is held, and stays so until the transaction ends. */
export async function assertHeld(tx: Transaction, { epoch, past, unit, worker }: Lease): Promise<void> {
  if ((await tx.one(HELD, { unit, worker, epoch, past })) !== undefined) return
  throw new ShipbellError('lease_lost', 'Another worker has taken over: what this one read is left to that one.')
}

const BYTES = new Query<{ bytes: number }>(`
  SELECT coalesce(sum(pg_total_relation_size(oid)), 0) AS bytes FROM pg_class
  WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'`)

/**
 * In UTF-16 code units, each of which may take three bytes: an entry of an index of PostgreSQL takes 2,704 bytes at most, and an id is
 * kept there with an account and a resource.
 */
export const LONGEST_ID = 500

/** A store in a database. */
export interface PostgresStore extends SharedStore {
  /** Where it is, for people: never the password. */
  readonly place: string
  /** What the clock of the database shows. Throws `store_unusable`, within 3 s, where nothing can be written. */
  look(): Promise<number>
  /** What its tables and their indexes take. */
  bytes(): Promise<number>
}

/**
 * Connects to the store in a PostgreSQL database, and brings its schema up to date. Any number of processes may have it open. One
 * that was moved can be read alone.
 * Throws `store_unusable`, `store_newer` and `store_moved`.
 */
export async function openPostgresStore(options: DatabaseOptions): Promise<PostgresStore> {
  const store = await opened(options, async () => true)
  if (store === null) throw new ShipbellError('internal', 'A store that was to be made was not.')
  return store
}

interface MadeStoreOptions extends DatabaseOptions {
  /** Refused also where it is opened to be read alone and was moved. */
  readonly current?: boolean
}

/** Opens a store for whoever does not make it; null where no daemon has made one yet. */
export async function openMadeStore(options: MadeStoreOptions): Promise<PostgresStore | null> {
  return await opened(options, isMade)
}

async function opened(
  options: MadeStoreOptions,
  isToBeOpened: (db: Database) => Promise<boolean>,
): Promise<PostgresStore | null> {
  await using opening = new AsyncDisposableStack()
  const db = opening.use(new Database(options))
  const { place } = db
  {
    // Who only reads brings an older schema up to date too.
    await using making = options.readonly === true ? new Database({ url: options.url, pool: 1 }) : null
    if (!(await isToBeOpened(making ?? db))) return null
    await migrate(making ?? db)
  }
  const takesMoved = options.readonly === true && options.current !== true
  if (!takesMoved) await refuseRelocatedDatabase(db)
  await followLife(db)
  const watch = opening.use(new ServerWatch({ url: options.url, place, takesMoved, onSilence: (why) => db.cut(why) }))
  const parts = opening.move()
  return {
    ...postgresStore(db),
    place,
    look: async () => await watch.look(),
    bytes: async () => (await db.one(BYTES))?.bytes ?? 0,
    workers: {
      ...workerStore(db),
      under: (lease) => postgresStore(db.guarded(async (tx) => await assertHeld(tx, lease))),
    },
    [Symbol.asyncDispose]: async () => await parts.disposeAsync(),
  }
}

/** The store in a database whose schema is up to date. */
export function postgresStore(db: Database): Store {
  return {
    ...pollStore(db),
    ...deliveryStore(db),
    ...adminStore(db),
    ...reports(db),
    ...logStore(db),
    ...runtimeStore(db),
    ...snapshotStore(db),
    ...livingStore(db),
    ...searchStore(db),
    ...retentionStore(db),
    [Symbol.asyncDispose]: async () => await db[Symbol.asyncDispose](),
  }
}
