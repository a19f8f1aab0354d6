import { dateAfter, dateValues, tellingsOf, type DateKey, type DateRow, type Telling } from '../../ledger/dates.ts'
import type { RecordState } from '../../model/record-state.ts'
import { MILESTONES, type Milestone } from '../../model/shipment.ts'
import type { DateValue } from '../ports/record-query-port.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'
import { loadSlip, saveSlip } from './slip-rows.sqlite.ts'

/** How many values of one milestone are shown: of the oldest beyond them, none. */
const MOST_VALUES = 500

// The casts keep SQLite from preparing the statement anew for each shipment, which takes six times as long as the search.
const VALUES = `
  SELECT place, date, status, seen_at AS seenAt, told_at AS toldAt, event AS eventId FROM dates
  WHERE account = CAST(? AS TEXT) AND shipment = CAST(? AS TEXT) AND milestone = CAST(? AS TEXT) ORDER BY place DESC`
const LAST = new Query<DateRow>(`${VALUES} LIMIT 1`)
const NEWEST = new Query<DateRow>(`${VALUES} LIMIT ${MOST_VALUES}`)
const ADD = `
  INSERT INTO dates (account, shipment, milestone, place, seen_at, told_at, event, status, date)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`

/** Keeps the values of dates that events tell, and how far these are from the first. */
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
