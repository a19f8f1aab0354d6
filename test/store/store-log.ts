import Sqlite from 'better-sqlite3'

const LONG_BYTES = 17 * 1024 * 1024

/** Pages in the write-ahead log of a store, and how many of them are in the file, too. */
export function logOf(path: string): { readonly log: number; readonly checkpointed: number } {
  const db = new Sqlite(path)
  const state = db.prepare<[], { log: number; checkpointed: number }>('PRAGMA wal_checkpoint(NOOP)').get()
  db.close()
  return state ?? { log: 0, checkpointed: 0 }
}

/** Makes the log of a store that is open longer than any that is left alone, as another process that writes: a record as long takes a hundred times as long. */
export function lengthenLog(path: string): void {
  const db = new Sqlite(path)
  db.pragma('wal_autocheckpoint = 0')
  db.exec(`CREATE TABLE IF NOT EXISTS filling (content); INSERT INTO filling VALUES (zeroblob(${LONG_BYTES}))`)
  db.close()
}
