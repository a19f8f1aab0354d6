import { outlineOf } from '../../model/record-outline.ts'
import { searchTermsOf } from '../../model/search-terms.ts'
import type { RecordResource } from '../../model/resource.ts'
import type { EventType } from '../../model/event-catalogue.ts'
import { BodyReader } from '../documents/documents.sqlite.ts'
import type { Connection } from './connection.ts'
import { QUEUE_ALL } from '../search/search-index.ts'
import { saveToldDates } from '../records/date-rows.sqlite.ts'
import { Query } from './query.ts'
import { readdirSync, readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { systemClock } from '../../clock.ts'
import { ShipbellError } from '../../errors.ts'
import { anotherDatabase, APPLICATION_ID } from './store-file.ts'
import { type LockHolder, lockOpenStore } from './store-lock.ts'

/** Bodies that are held at once. */
const SLICE = 500

const UNFILLED = new Query<{ what: string }>('SELECT what FROM unfilled')
const FILLED = 'DELETE FROM unfilled'
const RECORDS = new Query<KeptRecord>(`
  SELECT ref, account, resource, id, seen_body AS body FROM records
  WHERE ref > ? AND resource NOT IN ('account', 'subscription', 'configuration') ORDER BY ref LIMIT ?`)
const INVOICES = new Query<KeptRecord>(`
  SELECT ref, account, resource, id, seen_body AS body FROM records WHERE ref > ? AND resource = 'invoice' ORDER BY ref LIMIT ?`)
const EVENTS = new Query<KeptEvent>(`
  SELECT ref, id, type, account, subject_id AS subject, subject_version AS version, timestamp, stored_at AS storedAt,
    CASE WHEN type IN ('shipment.created', 'shipment.removed', 'shipment.restored') THEN object_body END AS body, extras
  FROM events
  WHERE ref > ? AND resource = 'shipment' AND expired_at IS NULL
    AND (type IN ('shipment.created', 'shipment.removed', 'shipment.restored') OR extras ->> '$.date_change.milestone' IS NOT NULL)
  ORDER BY ref LIMIT ?`)

const OUTLINE = `
  UPDATE records SET name = :name, status = :status, carrier = :carrier, lane = :lane, due_day = :dueDay WHERE ref = :ref`
const DUE = 'UPDATE records SET due_day = ? WHERE ref = ?'
const ADD_TERMS = 'INSERT INTO record_terms (record, terms) VALUES (?, ?)'
// Sorted first: a row at the end of a table costs a tenth of one in its middle.
const INDEX_TERMS = `
  INSERT INTO terms
  SELECT account, resource, term.value, ref
  FROM record_terms JOIN records ON records.ref = record_terms.record, json_each(record_terms.terms) AS term
  ORDER BY 1, 2, 3, 4`
const LAST_EVENTS = `
  UPDATE records SET last_event_at = ifnull((SELECT stored_at FROM events WHERE events.id = records.last_event_id), 0)
  WHERE last_event_id IS NOT NULL`

interface KeptRecord {
  readonly ref: number
  readonly account: string
  readonly resource: RecordResource
  readonly id: string
  readonly body: number | null
}

interface KeptEvent {
  readonly ref: number
  readonly id: string
  readonly type: EventType
  readonly account: string | null
  readonly subject: string
  readonly version: number
  readonly timestamp: number
  readonly storedAt: number
  readonly body: number | null
  readonly extras: string
}

/** Whether a store of an older schema holds records that cannot be looked up yet. */
function isFilled(db: Connection): boolean {
  return db.one(UNFILLED) === undefined
}

/**
 * What people look records up by, of a store that was filled before it was kept: from the bodies of its records and from the
 * events of its log whose payloads are left. One transaction: a process that dies leaves it to the next one.
 */
function fillRecords(db: Connection): void {
  db.transact('BEGIN IMMEDIATE', () => {
    // Another process may have filled it since we looked.
    const unfilled = new Set(db.all(UNFILLED).map(({ what }) => what))
    if (unfilled.has('records')) fillAll(db)
    else if (unfilled.has('due')) for (const slice of slices(db, INVOICES)) dateInvoices(db, slice)
    db.run(FILLED)
  })
}

function fillAll(db: Connection): void {
  for (const slice of slices(db, RECORDS)) outlineRecords(db, slice)
  db.run(INDEX_TERMS)
  db.run(QUEUE_ALL)
  db.run(LAST_EVENTS)
  for (const slice of slices(db, EVENTS)) tellDates(db, slice)
}

function* slices<Row extends { readonly ref: number }>(
  db: Connection,
  query: Query<Row>,
): Generator<readonly Row[], void> {
  let after = 0
  for (;;) {
    const rows = db.all(query, after, SLICE)
    if (rows.length === 0) return
    yield rows
    after = rows.at(-1)?.ref ?? after
  }
}

function outlineRecords(db: Connection, records: readonly KeptRecord[]): void {
  const bodies = new BodyReader(db)
  for (const { body, id, ref, resource } of records) {
    const seen = bodies.load(body)
    db.run(OUTLINE, { ref, ...outlineOf(resource, seen) })
    db.run(ADD_TERMS, ref, JSON.stringify(searchTermsOf(resource, id, seen)))
  }
}

function dateInvoices(db: Connection, invoices: readonly KeptRecord[]): void {
  const bodies = new BodyReader(db)
  for (const { body, ref } of invoices) {
    const { dueDay } = outlineOf('invoice', bodies.load(body))
    if (dueDay !== null) db.run(DUE, dueDay, ref)
  }
}

function tellDates(db: Connection, events: readonly KeptEvent[]): void {
  const bodies = new BodyReader(db)
  const stored = events.map(({ body, extras, storedAt, subject: id, version, ...event }) => {
    const subject = { resource: 'shipment', id, version, previousEventId: null } as const
    return { storedAt, event: { ...event, subject, extras: JSON.parse(extras), object: bodies.load(body) } }
  })
  saveToldDates(db, stored)
}

const FOLDER = new URL('migrations/', import.meta.url)

const APPLICATION = new Query<{ application_id: number }>('PRAGMA application_id')
const VERSION = new Query<{ user_version: number }>('PRAGMA user_version')
const ANY_TABLE = new Query('SELECT 1 FROM sqlite_schema LIMIT 1')

interface Migration {
  /** The schema version that it leads to. */
  readonly version: number
  readonly file: URL
}

interface MigrateOptions {
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

interface Schema {
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
