import Sqlite from 'better-sqlite3'
import { ShipbellError } from '../../../errors.ts'
import type { StoreContents } from '../../ports/store-contents.ts'
import { Connection } from '../connection.ts'
import { readSchema } from '../migrate.ts'
import { unusable } from '../store-file.ts'
import { Query } from '../query.ts'
import { statSync } from 'node:fs'

/** What is said of a file that is no store to work with. */
export interface Refusals {
  readonly stranger: string
  readonly newer: (schema: number, newest: number) => string
  readonly damaged: (why: string) => string
}

const INTEGRITY = new Query<{ integrity_check: string }>('PRAGMA integrity_check(1)')
const EVENTS = new Query<{ amount: number }>('SELECT count(*) AS amount FROM events')
const RECORDS = new Query<{ amount: number }>('SELECT count(*) AS amount FROM records WHERE removed_at IS NULL')
const SEQUENCES = new Query<{ account: string; sequence: number }>(
  `SELECT account, last_sequence AS sequence FROM accounts WHERE account <> '' ORDER BY account`,
)

/**
 * What a file holds that nobody else uses and that is a store that this Shipbell can work with; throws what `refusals` says of any other.
 * Makes one file of it: what its log holds is written into it. Reads all of it. Throws SQLite's errors about the disk.
 */
export function judgeCopy(file: string, refusals: Refusals): StoreContents {
  try {
    writeLogInto(file)
    using db = new Connection(file, { readonly: true, busyTimeoutMs: 0 })
    const { isOurs, version, newest } = readSchema(db)
    if (!isOurs || version === 0) throw unusable(refusals.stranger)
    if (version > newest) throw new ShipbellError('store_newer', refusals.newer(version, newest))
    const why = db.one(INTEGRITY)?.integrity_check ?? 'no answer'
    if (why !== 'ok') throw unusable(refusals.damaged(why))
    return contentsOf(db, version)
  } catch (error) {
    throw isDamage(error) ? unusable(refusals.damaged(error.message)) : error
  }
}

/** Writes what the log of a store holds into the store, which is one file then. Throws SQLite's errors. */
export function writeLogInto(file: string): void {
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
