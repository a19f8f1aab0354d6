import Sqlite from 'better-sqlite3'
import type { StoreContents } from '../../ports/store-contents.ts'
import { Connection } from '../connection.ts'
import { readSchema } from '../migrate.ts'
import { Query } from '../query.ts'
import { statSync } from 'node:fs'

export type JudgedCopy =
  | { readonly kind: 'whole'; readonly contents: StoreContents }
  | { readonly kind: 'stranger' }
  | { readonly kind: 'newer'; readonly version: number; readonly newest: number }
  | { readonly kind: 'damaged'; readonly why: string }

const INTEGRITY = new Query<{ integrity_check: string }>('PRAGMA integrity_check(1)')
const EVENTS = new Query<{ amount: number }>('SELECT count(*) AS amount FROM events')
const RECORDS = new Query<{ amount: number }>('SELECT count(*) AS amount FROM records WHERE removed_at IS NULL')
const SEQUENCES = new Query<{ account: string; sequence: number }>(
  `SELECT account, last_sequence AS sequence FROM accounts WHERE account <> '' ORDER BY account`,
)

/**
 * Whether a file that nobody else uses is a store that this Shipbell can work with. Makes one file of it: what its log holds is
 * written into it. Reads all of it. Throws SQLite's errors about the disk.
 */
export function judgeCopy(file: string): JudgedCopy {
  try {
    withoutLog(file)
    using db = new Connection(file, { readonly: true, busyTimeoutMs: 0 })
    const { isOurs, version, newest } = readSchema(db)
    if (!isOurs || version === 0) return { kind: 'stranger' }
    if (version > newest) return { kind: 'newer', version, newest }
    const why = db.one(INTEGRITY)?.integrity_check ?? 'no answer'
    return why === 'ok' ? { kind: 'whole', contents: contentsOf(db, version) } : { kind: 'damaged', why }
  } catch (error) {
    if (!isDamage(error)) throw error
    return { kind: 'damaged', why: error.message }
  }
}

function withoutLog(file: string): void {
  const sqlite = new Sqlite(file, { fileMustExist: true })
  try {
    sqlite.pragma('journal_mode = DELETE')
  } finally {
    sqlite.close()
  }
}

function contentsOf(db: Connection, schema: number): StoreContents {
  return {
    bytes: statSync(db.path).size,
    schema,
    events: db.one(EVENTS)?.amount ?? 0,
    records: db.one(RECORDS)?.amount ?? 0,
    lastSequences: Object.fromEntries(db.all(SEQUENCES).map(({ account, sequence }) => [account, sequence])),
  }
}

/** `SQLITE_ERROR`: a table that has to be there is not. */
function isDamage(error: unknown): error is InstanceType<typeof Sqlite.SqliteError> {
  return error instanceof Sqlite.SqliteError && /^SQLITE_(?:NOTADB|CORRUPT|ERROR)/.test(error.code)
}
