import { readdirSync, readFileSync } from 'node:fs'
import { ShipbellError } from '../../errors.ts'
import type { Connection } from './connection.ts'
import { Query } from './query.ts'

const FOLDER = new URL('migrations/', import.meta.url)
/** `PRAGMA application_id` of a store, set by the first migration. */
const APPLICATION_ID = 1_397_244_492

const APPLICATION = new Query<{ application_id: number }>('PRAGMA application_id')
const VERSION = new Query<{ user_version: number }>('PRAGMA user_version')
const ANY_TABLE = new Query('SELECT 1 FROM sqlite_schema LIMIT 1')

interface Migration {
  /** The schema version that it leads to. */
  readonly version: number
  readonly file: string
}

/**
 * Brings the schema up to date, one transaction for each step. Throws `store_newer` for a schema that this Shipbell does
 * not know, `store_unusable` for another program's database and for an old schema that cannot be written.
 */
export function migrate(db: Connection): void {
  const migrations = listMigrations()
  // One transaction: another process may be making the store at this moment.
  db.transact('BEGIN', () => refuseStrangers(db, migrations.at(-1)?.version ?? 0))
  const pending = migrations.filter(({ version }) => version > schemaVersion(db))
  if (pending.length === 0) return
  if (db.readonly) {
    throw new ShipbellError(
      'store_unusable',
      `The store ${db.path} was written by an older Shipbell: start \`shipbell run\` once, it brings the store up to date.`,
    )
  }
  for (const migration of pending) apply(db, migration)
}

function apply(db: Connection, { version, file }: Migration): void {
  db.transact('BEGIN IMMEDIATE', () => {
    // Another process may have applied it since we looked.
    if (schemaVersion(db) >= version) return
    db.script(readFileSync(new URL(file, FOLDER), 'utf8'))
    db.script(`PRAGMA user_version = ${version}`)
  })
}

function refuseStrangers(db: Connection, newest: number): void {
  const application = db.one(APPLICATION)?.application_id
  const empty = db.one(ANY_TABLE) === undefined
  if (application !== APPLICATION_ID && !empty) {
    throw new ShipbellError(
      'store_unusable',
      `The file ${db.path} is a database of another program: name another file in storage.path.`,
    )
  }
  const version = schemaVersion(db)
  if (version > newest) {
    throw new ShipbellError(
      'store_newer',
      `The store ${db.path} was written by a newer Shipbell (schema ${version}, this one knows ${newest}): update Shipbell, or restore an older backup.`,
    )
  }
}

function schemaVersion(db: Connection): number {
  return db.one(VERSION)?.user_version ?? 0
}

function listMigrations(): readonly Migration[] {
  return readdirSync(FOLDER)
    .filter((file) => /^\d{4}-.+\.sql$/.test(file))
    .sort()
    .map((file) => ({ version: Number(file.slice(0, 4)), file }))
}
