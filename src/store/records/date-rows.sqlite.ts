import type { RecordState } from '../../model/record-state.ts'
import { MILESTONES, type Milestone } from '../../model/shipment.ts'
import { NO_DATE, toldDates, type ToldDate } from '../../model/told-dates.ts'
import { datesAfter, dateValues, type DateRow, type StoredEvent } from './date-rows.ts'
import type { DateValue } from '../ports/record-query-port.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'
import { moveSlip } from '../reports/slip-list.sqlite.ts'

/** Of one milestone: the oldest beyond them are not shown. */
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

/** Keeps the values of dates that an event reports, each behind the one that was learnt silently before it. */
export function saveToldDates(db: Connection, event: Omit<StoredEvent, 'storedAt'>, storedAt: number): void {
  const { account } = event
  if (account === null) return
  for (const told of toldDates(event)) saveToldDate(db, { ...event, account, storedAt }, told)
}

function saveToldDate(db: Connection, event: StoredEvent & { readonly account: string }, told: ToldDate): void {
  const key = { account: event.account, shipment: event.subject.id, milestone: told.milestone }
  const { account, milestone, shipment } = key
  const last = db.one(LAST, account, shipment, milestone)
  if (told.isOnlyShown !== true)
    moveSlip(db, { ...key, movedAt: event.timestamp }, { ...told, from: told.from ?? last ?? NO_DATE })
  for (const { date, eventId, place, seenAt, status, toldAt } of datesAfter(last, told, event))
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
