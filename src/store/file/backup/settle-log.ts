import Sqlite from 'better-sqlite3'
import { storeFailure } from '../store-failure.ts'

const BUSY_TIMEOUT_MS = 5_000

/**
 * Writes what the log of a store holds into the store, which is one file then. Returns false where it is too damaged for that:
 * the log stays as it is. Throws `store_unusable` while another program has the store open.
 */
export function settleLog(store: string): boolean {
  try {
    const sqlite = new Sqlite(store, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS })
    try {
      sqlite.pragma('journal_mode = DELETE')
      return true
    } finally {
      sqlite.close()
    }
  } catch (error) {
    if (error instanceof Sqlite.SqliteError && !/^SQLITE_(?:BUSY|LOCKED)/.test(error.code)) return false
    throw storeFailure(error, store)
  }
}
