import { outlineOf } from '../../model/record-outline.ts'
import { searchTermsOf } from '../../model/search-terms.ts'
import type { RecordResource } from '../../model/resource.ts'
import type { EventType } from '../../model/event-catalogue.ts'
import { BodyReader } from '../documents/documents.sqlite.ts'
import type { Connection } from './connection.ts'
import { saveToldDates } from '../records/date-rows.sqlite.ts'
import { Query } from './query.ts'

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
const ADD_TERMS = 'INSERT INTO record_terms VALUES (?, ?)'
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
export function isFilled(db: Connection): boolean {
  return db.one(UNFILLED) === undefined
}

/**
 * What people look records up by, of a store that was filled before it was kept: from the bodies of its records and from the
 * events of its log whose payloads are left. One transaction: a process that dies leaves it to the next one.
 */
export function fillRecords(db: Connection): void {
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
