import type Sqlite from 'better-sqlite3'
import { MOST_LOG_PAGES } from './checkpoints.ts'

/** Pages that SQLite keeps for a connection; beyond them the system's own cache serves. */
const CACHE_KIB = 6 * 1_024

/** The write-ahead log is cut back to this after it has grown. */
const LOG_LIMIT_BYTES = 64 * 1024 * 1024

/**
 * Sets a connection up. `synchronous=NORMAL` does not wait for the disk at each commit. The death of the process loses nothing; a power
 * cut may roll back the last transactions, always whole ones: snapshots, events and deliveries go together, so the next pass finds
 * the same differences again and derives the same event ids (guarantee D5). A delivery whose outcome was rolled
 * back is sent again under the same `webhook-id`.
 */
export function configure(sqlite: Sqlite.Database, { readonly }: { readonly readonly: boolean }): void {
  if (!readonly) sqlite.pragma('journal_mode = WAL')
  sqlite.pragma('synchronous = NORMAL')
  sqlite.pragma('foreign_keys = ON')
  sqlite.pragma(`cache_size = -${CACHE_KIB}`)
  sqlite.pragma(`wal_autocheckpoint = ${MOST_LOG_PAGES}`)
  sqlite.pragma(`journal_size_limit = ${LOG_LIMIT_BYTES}`)
}
