import { readdirSync, readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { systemClock } from '../../clock.ts'
import { ShipbellError } from '../../errors.ts'
import type { Connection } from './connection.ts'
import { fillRecords, isFilled } from './fill-records.ts'
import { APPLICATION_ID } from './store-file.ts'
import { Query } from './query.ts'
import { anotherDatabase } from './store-failure.ts'
import { type LockHolder, lockOpenStore } from './store-lock.ts'

const FOLDER = new URL('migrations/', import.meta.url)

const APPLICATION = new Query<{ application_id: number }>('PRAGMA application_id')
const VERSION = new Query<{ user_version: number }>('PRAGMA user_version')
const ANY_TABLE = new Query('SELECT 1 FROM sqlite_schema LIMIT 1')

interface Migration {
  /** The schema version that it leads to. */
  readonly version: number
  readonly file: URL
}

export interface MigrateOptions {
  /** Whether this process holds the store's lock. */
  readonly locked: boolean
  /** Where the migrations are. */
  readonly folder?: URL
}

/**
 * Brings the schema up to date, one transaction for each step: a step that is cut short has done nothing. What takes code to be
 * derived from what is stored is filled in behind them, by the program of today for the schema of today. A program
 * that polls and delivers knows the schema that it started with, so a store in use is left as it is: throws `store_locked`.
 * Throws `store_newer` for a schema that this Shipbell does not know, `store_unusable` for another program's database. A
 * connection that may not write leaves an older schema as it is.
 */
export function migrate(db: Connection, { locked, folder = FOLDER }: MigrateOptions): void {
  const migrations = listMigrations(folder)
  // One transaction: another process may be making the store at this moment.
  db.transact('BEGIN', () => refuseStrangers(db, folder))
  const version = schemaVersion(db)
  const pending = migrations.filter((each) => each.version > version)
  if (pending.length === 0 && isFilled(db)) return
  if (db.readonly) {
    if (version > 0) return
    throw new ShipbellError(
      'store_unusable',
      `The store ${db.path} is empty: start \`shipbell run\` once, it fills it.`,
    )
  }
  // Nobody works yet on a store that is just being made.
  using lock = locked || version === 0 ? null : lockOpenStore(db.path, thisMigrator())
  applyAll(db, pending)
  fillRecords(db)
  lock?.assertInPlace()
}

/** Whether no migration is left to be applied. */
export function isUpToDate(db: Connection): boolean {
  return schemaVersion(db) >= (listMigrations(FOLDER).at(-1)?.version ?? 0) && isFilled(db)
}

function thisMigrator(): LockHolder {
  const since = new Date(systemClock.now()).toISOString()
  return { pid: process.pid, command: 'bringing the store up to date', since, host: hostname() }
}

/**
 * Foreign keys are off meanwhile, which SQLite can switch only between transactions: a table that is made anew would otherwise
 * take the rows with it that refer to the old one.
 */
function applyAll(db: Connection, pending: readonly Migration[]): void {
  db.script('PRAGMA foreign_keys = OFF')
  try {
    for (const migration of pending) apply(db, migration)
  } finally {
    db.script('PRAGMA foreign_keys = ON')
  }
}

function apply(db: Connection, { version, file }: Migration): void {
  db.transact('BEGIN IMMEDIATE', () => {
    // Another process may have applied it since we looked.
    if (schemaVersion(db) >= version) return
    db.script(readFileSync(file, 'utf8'))
    db.script(`PRAGMA user_version = ${version}`)
  })
}

function refuseStrangers(db: Connection, folder: URL): void {
  const { isOurs, version, newest } = readSchema(db, folder)
  if (!isOurs) throw new ShipbellError('store_unusable', anotherDatabase(db.path))
  if (version > newest) {
    throw new ShipbellError(
      'store_newer',
      `The store ${db.path} was written by a newer Shipbell (schema ${version}, this one knows ${newest}): update Shipbell, or restore an older backup.`,
    )
  }
}

export interface Schema {
  /** Whether it is a store's, or there is none yet. */
  readonly isOurs: boolean
  /** 0: there is none yet. */
  readonly version: number
  /** The newest version that this Shipbell knows. */
  readonly newest: number
}

export function readSchema(db: Connection, folder = FOLDER): Schema {
  const isOurs = db.one(APPLICATION)?.application_id === APPLICATION_ID || db.one(ANY_TABLE) === undefined
  return { isOurs, version: schemaVersion(db), newest: listMigrations(folder).at(-1)?.version ?? 0 }
}

function schemaVersion(db: Connection): number {
  return db.one(VERSION)?.user_version ?? 0
}

/** This program's migrations: they do not change while it runs, and a process that gave up its rights may not reach them any more. */
let ownMigrations: readonly Migration[] | null = null

function listMigrations(folder: URL): readonly Migration[] {
  if (folder !== FOLDER) return migrationsIn(folder)
  ownMigrations ??= migrationsIn(folder)
  return ownMigrations
}

function migrationsIn(folder: URL): readonly Migration[] {
  return readdirSync(folder)
    .filter((file) => /^\d{4}-.+\.sql$/.test(file))
    .sort()
    .map((file) => ({ version: Number(file.slice(0, 4)), file: new URL(file, folder) }))
}
