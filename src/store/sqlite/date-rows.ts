import type { EventDraft } from '../../model/event.ts'
import type { RecordState } from '../../model/record-state.ts'
import { MILESTONES, trackingDate, type Milestone } from '../../model/shipment.ts'
import {
  dateText,
  instantOf,
  isSameDate,
  NO_DATE,
  toldDates,
  type DateText,
  type ToldDate,
} from '../../model/told-dates.ts'
import type { DateValue } from '../record-query-port.ts'
import type { Connection } from './connection.ts'
import { Query } from './query.ts'
import { moveSlip } from './slip-rows.ts'

interface DateRow extends DateValue {
  readonly place: number
}

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
  VALUES (:account, :shipment, :milestone, :place, :seenAt, :toldAt, :eventId, :status, :date)`

/** An event that was stored just now, in this transaction. */
export type StoredEvent = Pick<
  EventDraft,
  'id' | 'type' | 'account' | 'subject' | 'timestamp' | 'extras' | 'object'
> & { readonly storedAt: number }

/** Keeps the values of dates that an event reports, each behind the one that was learnt silently before it. */
export function saveToldDates(db: Connection, event: StoredEvent): void {
  const { account } = event
  if (account === null) return
  for (const told of toldDates(event)) saveToldDate(db, { ...event, account }, told)
}

function saveToldDate(db: Connection, event: StoredEvent & { readonly account: string }, told: ToldDate): void {
  const { drift, from, milestone, to } = told
  const key = { account: event.account, shipment: event.subject.id, milestone }
  const last = db.one(LAST, key.account, key.shipment, milestone)
  if (told.isOnlyShown === true) {
    const place = (last?.place ?? 0) + 1
    if (!isSameDate(last ?? NO_DATE, to))
      db.run(ADD, { ...key, ...to, place, seenAt: null, toldAt: null, eventId: null })
    return
  }
  moveSlip(db, { ...key, movedAt: event.timestamp }, { ...told, from: from ?? last ?? NO_DATE })
  let place = last?.place ?? 0
  if (from !== undefined && !isSameDate(last ?? NO_DATE, from)) {
    const seenAt = drift !== undefined && from.date === drift.first && place === 0 ? drift.firstSeenAt : null
    place += 1
    db.run(ADD, { ...key, ...from, place, seenAt, toldAt: null, eventId: null })
  } else if (isSameDate(last ?? NO_DATE, to)) return
  db.run(ADD, { ...key, ...to, place: place + 1, seenAt: event.timestamp, toldAt: event.storedAt, eventId: event.id })
}

/** The values that the dates of a shipment had, the one of its last read included. */
export function loadDates(
  db: Connection,
  account: string,
  { id, memory, seen }: RecordState,
): Readonly<Partial<Record<Milestone, readonly DateValue[]>>> {
  const known = MILESTONES.map((milestone): [Milestone, readonly DateValue[]] => {
    const told = db.all(NEWEST, account, id, milestone).toReversed().map(dateValue)
    const now = dateText(trackingDate(seen, milestone)?.raw)
    const isLast = isSameDate(told.at(-1) ?? NO_DATE, now)
    const values = isLast ? told : [...told, { ...now, seenAt: null, toldAt: null, eventId: null }]
    const [oldest, ...others] = values
    const first = memory.milestones?.[milestone]?.first
    if (oldest?.seenAt !== null || first === undefined || !isSameInstant(first.date, oldest)) return [milestone, values]
    return [milestone, [{ ...oldest, seenAt: first.seenAt }, ...others]]
  })
  return Object.fromEntries(known.filter(([, values]) => values.length > 0))
}

function isSameInstant(first: string, now: DateText): boolean {
  return instantOf({ date: first, status: null }) === instantOf(now)
}

function dateValue({ date, eventId, seenAt, status, toldAt }: DateRow): DateValue {
  return { date, status, seenAt, toldAt, eventId }
}
