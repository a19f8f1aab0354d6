import type { Store } from '../ports.ts'
import { adminStore, probe } from './admin-store.ts'
import { Connection, type ConnectionOptions } from './connection.ts'
import { deliveryStore } from './delivery-store.ts'
import { logStore } from './log-store.ts'
import { migrate } from './migrate.ts'
import { pollStore } from './poll-store.ts'
import { queryStore } from './query-store.ts'
import { retentionStore } from './retention-store.ts'
import { canonicalPath, prepareFile } from './store-file.ts'
import { storeFailure } from './store-failure.ts'

export interface StoreOptions {
  readonly path: string
  /** For questions only: never creates or upgrades a store, and every method that writes throws `store_unusable`. */
  readonly readonly?: boolean
  /** How long a write waits for another process's to end (default 5 s). */
  readonly busyTimeoutMs?: number
}

const BUSY_TIMEOUT_MS = 5_000

/**
 * Opens the store at `path`, creating it (mode 0600) and bringing its schema up to date as needed. Several processes may
 * have it open; `lockStore` keeps all but one from polling and delivering. Throws `store_unusable` and `store_newer`.
 */
export function openStore(options: StoreOptions): Store {
  const { path, readonly = false, busyTimeoutMs = BUSY_TIMEOUT_MS } = options
  const db = connect(canonicalPath(path), { readonly, busyTimeoutMs })
  return {
    ...pollStore(db),
    ...deliveryStore(db),
    ...queryStore(db),
    ...logStore(db),
    ...adminStore(db),
    ...retentionStore(db),
    [Symbol.asyncDispose]: async () => db.close(),
  }
}

function connect(path: string, options: ConnectionOptions): Connection {
  prepareFile(path, options)
  try {
    const db = new Connection(path, options)
    try {
      migrate(db)
      // SQLite opens a file that may not be written without a word.
      if (!options.readonly) probe(db)
      return db
    } catch (error) {
      db.close()
      throw error
    }
  } catch (error) {
    throw storeFailure(error, path)
  }
}
