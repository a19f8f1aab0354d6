import type { RowOf } from '../tables/table.ts'
import type { PlainRowOf } from '../tables/table.ts'
import { TABLES } from '../tables/tables.ts'
import {
  dateAfter,
  type DateKey,
  type DateRow,
  dateValues,
  type SlipRow,
  type Telling,
  tellingsOf,
} from '../../ledger/dates.ts'
import type { RecordState } from '../../model/record-state.ts'
import { type Milestone, MILESTONES } from '../../model/shipment.ts'
import type { DateValue } from '../ports/record-query-port.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'
import type { DatedSubject, NotifiedDate, RoutingQuery, RoutingState } from '../../model/routing.ts'
import { NO_ACCOUNT } from '../../model/account.ts'

/** How many values of one milestone are shown: of the oldest beyond them, none. */
const MOST_VALUES = 500

// The casts keep SQLite from preparing the statement anew for each shipment, which takes six times as long as the search.
const VALUES = `
  SELECT place, date, status, seen_at AS seenAt, told_at AS toldAt, event AS eventId FROM dates
  WHERE account = CAST(? AS TEXT) AND shipment = CAST(? AS TEXT) AND milestone = CAST(? AS TEXT) ORDER BY place DESC`
const LAST = new Query<DateRow>(`${VALUES} LIMIT 1`)
const NEWEST = new Query<DateRow>(`${VALUES} LIMIT ${MOST_VALUES}`)
const ADD = TABLES.dates.insert

/** Keeps the values of dates that events tell, and how far these are from the first: one by one, because a look costs no round trip. */
export function saveToldDates(db: Connection, events: Parameters<typeof tellingsOf>[0]): void {
  for (const { key, tellings } of tellingsOf(events)) saveToldDate(db, key, tellings)
}

function saveToldDate(db: Connection, key: DateKey, tellings: readonly Telling[]): void {
  const { account, milestone, shipment } = key
  const old = tellings.every(({ told }) => told.isOnlyShown) ? undefined : loadSlip(db, key)
  const { added, slip } = dateAfter({ last: db.one(LAST, account, shipment, milestone), slip: old }, tellings)
  if (slip !== 'as it was') saveSlip(db, { key, old }, slip)
  for (const { date, eventId, place, seenAt, status, toldAt } of added)
    db.run(ADD, account, shipment, milestone, place, seenAt, toldAt, eventId, status, date)
}

/** The values that the dates of a shipment had, the one of its last read included. */
export function loadDates(
  db: Connection,
  account: string,
  record: RecordState,
): Readonly<Partial<Record<Milestone, readonly DateValue[]>>> {
  const known = MILESTONES.map((milestone) => {
    const rows = db.all(NEWEST, account, record.id, milestone)
    return [milestone, dateValues(record, milestone, rows)] as const
  })
  return Object.fromEntries(known.filter(([, values]) => values.length > 0))
}

const SLIP = TABLES.slips.only('ref moved_at first revisions')
const FIND_SLIP = new Query<KnownSlip>(
  `SELECT ${SLIP.selected()} FROM slips WHERE account = ? AND shipment = ? AND milestone = ?`,
)
const ADD_SLIP = TABLES.slips.without('ref').insert
const MOVE_SLIP = 'UPDATE slips SET first = ?, now = ?, revisions = ?, moved_at = ?, day = ?, size = ? WHERE ref = ?'
const DROP_SLIP = 'DELETE FROM slips WHERE ref = ?'

type KnownSlip = RowOf<typeof SLIP>

function loadSlip(db: Connection, { account, milestone, shipment }: DateKey): KnownSlip | undefined {
  return db.one(FIND_SLIP, account, shipment, milestone)
}

/** How far a date is from its first value, from now on. null: it has no row. */
function saveSlip(
  db: Connection,
  { key: { account, milestone, shipment }, old }: { readonly key: DateKey; readonly old: KnownSlip | undefined },
  slip: SlipRow | null,
): void {
  if (slip === null) {
    if (old !== undefined) db.run(DROP_SLIP, old.ref)
    return
  }
  const { day, first, movedAt, now, revisions, size } = slip
  if (old === undefined) db.run(ADD_SLIP, account, shipment, milestone, first, now, revisions, movedAt, day, size)
  else db.run(MOVE_SLIP, first, now, revisions, movedAt, day, size, old.ref)
}

type NotifiedRow = Pick<PlainRowOf<typeof TABLES.notified_dates>, 'subscription' | 'date' | 'instant' | 'version'>

const LAST_SEQUENCE = new Query<{ sequence: number }>(
  'SELECT last_sequence AS sequence FROM accounts WHERE account = ?',
)
const OF_SUBJECT = new Query<NotifiedRow>(`
  SELECT subscription, date, instant, version FROM notified_dates WHERE account = ? AND resource = ? AND subject_id = ?`)
// A subject's versions only grow: of an older one nothing is kept. A snapshot of the same one brings what its event did not.
const NOTIFY = `
  ${TABLES.notified_dates.insertNamed}
  ON CONFLICT DO UPDATE SET instant = :instant, version = :version WHERE version <= :version`
const FORGET_NOTIFIED = 'DELETE FROM notified_dates WHERE subscription IN (SELECT value FROM json_each(?))'

/** `CommitStore.routingState`, inside the caller's transaction: by subject, because a look costs no round trip. */
export function loadRoutingState(
  db: Connection,
  account: string | null,
  { subscriptions, subjects }: RoutingQuery,
): RoutingState {
  const series = account ?? NO_ACCOUNT
  const wanted = new Set(subscriptions)
  const dates = subjects.flatMap((subject) => datesOf(db, series, subject))
  return {
    lastSequence: db.one(LAST_SEQUENCE, series)?.sequence ?? 0,
    dates: dates.filter(({ subscription }) => wanted.has(subscription)),
  }
}

function datesOf(db: Connection, account: string, subject: DatedSubject): readonly NotifiedDate[] {
  return db.all(OF_SUBJECT, account, subject.resource, subject.id).map((row) => ({ subject, ...row }))
}

export function saveNotifiedDates(db: Connection, account: string, dates: readonly NotifiedDate[]): void {
  for (const { subject, subscription, date, instant, version } of dates)
    db.run(NOTIFY, { account, resource: subject.resource, subjectId: subject.id, subscription, date, instant, version })
}

/** Dates of subscriptions without a `min_shift` are not remembered, so those from before it was left out are stale. */
export function forgetNotifiedDates(db: Connection, subscriptions: readonly string[]): void {
  if (subscriptions.length > 0) db.run(FORGET_NOTIFIED, JSON.stringify(subscriptions))
}
