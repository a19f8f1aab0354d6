import type { EventHour } from '../ports/log-query-port.ts'
import type { EventKind } from '../reports/event-query.ts'
import { HOUR_MS, hourOf } from './event-totals.ts'
import type { Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'

type Reader = Pick<Transaction, 'all' | 'one'>

const HOURS = new Query<EventHour>(`
  SELECT hour, nullif(account, '') AS account, type, amount FROM event_hours
  WHERE hour >= :hour ORDER BY event_hours.hour, event_hours.account, event_hours.type`)

/** The hour that `since` lies in counts whole. */
export async function eventHours(db: Reader, since: number): Promise<readonly EventHour[]> {
  return await db.all(HOURS, { hour: hourOf(since) })
}

const KINDS = new Query<EventKind>(`SELECT nullif(account, '') AS account, type, resource FROM event_kinds`)

export async function eventKinds(db: Reader): Promise<readonly EventKind[]> {
  return await db.all(KINDS)
}

const FIRST_FROM = new Query<{ ref: number | null }>('SELECT min(first) AS ref FROM log_hours WHERE hour >= :hour')
const FIRST_SINCE = new Query<{ ref: number | null }>(`
  SELECT least(
    (SELECT min(ref) FROM (SELECT ref FROM events WHERE stored_at >= :since AND stored_at < :nextHour OFFSET 0) AS of_hour),
    (SELECT min(first) FROM log_hours WHERE hour >= :nextHour)
  ) AS ref`)

/** In the order of storing, nothing before it rang at or since: up to an hour more. Greater than any `ref` where nothing did. */
export async function lowerBoundSince(db: Reader, since: number): Promise<number> {
  return (await db.one(FIRST_FROM, { hour: hourOf(since) }))?.ref ?? Number.MAX_SAFE_INTEGER
}

/** The first event in the order of storing that rang at or since; greater than any `ref` where there is none. */
export async function firstSince(db: Reader, since: number): Promise<number> {
  const nextHour = hourOf(since) + HOUR_MS
  return (await db.one(FIRST_SINCE, { since, nextHour }))?.ref ?? Number.MAX_SAFE_INTEGER
}

const FORGET_HOURS = new Query(`
  DELETE FROM log_hours WHERE hour = ANY(:hours::bigint[])
    AND (SELECT 1 FROM events WHERE stored_at >= hour AND stored_at < hour + ${HOUR_MS} LIMIT 1) IS NULL`)

/** Of the hours in which these events rang, forgets those of which the log holds none any more. */
export async function forgetHours(tx: Transaction, storedAt: readonly number[]): Promise<void> {
  if (storedAt.length > 0) await tx.run(FORGET_HOURS, { hours: [...new Set(storedAt.map(hourOf))] })
}
