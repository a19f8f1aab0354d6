import { resolve } from 'node:path'
import type { ShipbellError } from '../../errors.ts'
import type { Store } from '../ports/store.ts'
import { adminStore, probe, writeProbe } from '../upkeep/admin-store.sqlite.ts'
import { OpenClaims } from '../deliveries/open-claims.sqlite.ts'
import { Connection, type ConnectionOptions } from './connection.ts'
import { endInterruptedRestore } from './backup/partial-file.ts'
import { deliveryStore } from '../deliveries/delivery-store.sqlite.ts'
import { reports } from '../reports/reports.sqlite.ts'
import { runtimeStore } from '../runtime/runtime-store.sqlite.ts'
import { livingStore } from '../living/living-store.sqlite.ts'
import { searchStore } from '../search/search-index.sqlite.ts'
import { snapshotStore } from '../snapshots/snapshot-store.sqlite.ts'
import { logStore } from '../events/log-store.sqlite.ts'
import { isUpToDate, migrate } from './migrate.ts'
import { refuseRelocatedFile } from '../copy/relocation-row.sqlite.ts'
import { PinnedFile, StorePlace } from './store-place.ts'
import { pollStore } from '../commit/poll-store.sqlite.ts'
import { retentionStore } from '../upkeep/retention-store.sqlite.ts'
import { canonicalPath, prepareFile, storeFailure } from './store-file.ts'
import { assertHeldHere } from './store-lock.ts'

export interface StoreOptions {
  readonly path: string
  /**
   * For questions only: never creates a store, and every method that writes throws `store_unusable`. A store of an older schema
   * is brought up to date first.
   */
  readonly readonly?: boolean
  /** Refused also where it is opened to be read alone and was moved. */
  readonly current?: boolean
  /** Whether this process holds the store's lock: it is taken for as long as an older store is brought up to date otherwise. */
  readonly locked?: boolean
  /** How long whatever is done waits for another process's lock, while everything else goes on (default 5 s). */
  readonly busyTimeoutMs?: number
  /**
   * Called with what is thrown whenever the store is found deleted, moved or replaced under this process. What it has committed
   * is in the file that it has open; nothing more is committed until that is back in its place.
   */
  readonly onLost?: (error: ShipbellError) => void
  /** Called once something was done again after another program's lock was waited for in vain. */
  readonly onFree?: () => void
}

/** A store in a file. Only a file can be moved away under who has it open: a database that was dropped answers nothing any more. */
interface FileStore extends Store {
  /** Throws `store_unusable` unless a write would succeed now. */
  assertWritable(): Promise<void>
  /** Throws `store_unusable` where the store was deleted, moved or replaced since it was opened. Writes nothing. */
  assertInPlace(): Promise<void>
}

const BUSY_TIMEOUT_MS = 5_000
/** How long the holder of the store's lock waits for another's: it works for long, and is to end within 10 s. */
const PATIENCE_MS = 3_000

/**
 * Opens the store at `path`, creating it (mode 0600) and bringing its schema up to date as needed. Several processes may
 * have it open; `lockStore` keeps all but one from polling and delivering, and whoever claims must hold that lock. One that was moved can be read alone. Throws
 * `store_unusable`, `store_newer` and `store_moved`.
 */
export function openStore(options: StoreOptions): FileStore {
  using opening = new DisposableStack()
  const db = opening.use(connectStore(options))
  if (options.readonly !== true || options.current === true) refuseRelocatedFile(db)
  db.waitInSteps(options.busyTimeoutMs ?? (options.locked === true ? PATIENCE_MS : BUSY_TIMEOUT_MS), options.onFree)
  // Of several processes that may write, one may have waited while the store was moved.
  if (options.locked !== true) db.guardWrites(() => refuseRelocatedFile(db))
  // Whoever holds the lock works for long.
  const copier = options.locked === true && options.readonly !== true ? db.copyLogBeside() : null
  opening.move()
  const claims = new OpenClaims()
  return {
    ...pollStore(db),
    ...deliveryStore(db, claims),
    ...reports(db),
    ...logStore(db),
    ...runtimeStore(db),
    ...snapshotStore(db),
    ...livingStore(db),
    ...searchStore(db),
    ...adminStore(db),
    ...retentionStore(db, claims),
    assertWritable: async () => await db.write(() => writeProbe(db)),
    assertInPlace: async () => db.assertInPlace(),
    [Symbol.asyncDispose]: async () => {
      await copier?.[Symbol.asyncDispose]()
      db[Symbol.dispose]()
    },
  }
}

/** The connection of such a store, also of one that was moved. Throws `store_unusable` and `store_newer`. */
export function connectStore(options: StoreOptions): Connection {
  const { path, readonly = false, locked = false, busyTimeoutMs = BUSY_TIMEOUT_MS, onLost } = options
  return connect(path, { locked, readonly, busyTimeoutMs, ...(onLost && { onLost }) })
}

type Connecting = ConnectionOptions & { readonly locked: boolean }

function connect(name: string, options: Connecting): Connection {
  const db = connectOnce(name, options)
  if (!options.readonly || isUpToDate(db)) return db
  db[Symbol.dispose]()
  connectOnce(name, { ...options, readonly: false })[Symbol.dispose]()
  return connectOnce(name, options)
}

function connectOnce(name: string, options: Connecting): Connection {
  const path = canonicalPath(name)
  if (!options.readonly) endInterruptedRestore(path, options)
  prepareFile(path, options)
  if (!options.locked) assertHeldHere(path)
  // By the name that was given: a link that is turned to another file leads away from this one.
  const file = PinnedFile.at(resolve(name))
  try {
    using opening = new DisposableStack()
    const db = opening.use(new Connection(path, options))
    migrate(db, options)
    // SQLite opens a file that may not be written without a word.
    if (!options.readonly) probe(db)
    if (!options.readonly && file !== null) db.keepTo(new StorePlace(file, path))
    opening.move()
    return db
  } catch (error) {
    throw storeFailure(error, path)
  }
}
