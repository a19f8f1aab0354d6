import { TABLES } from '../tables/tables.ts'
import { countBySpan, type EventTotals, HOUR_MS, hourOf } from '../../ledger/events.ts'
import { NO_ACCOUNT } from '../../model/account.ts'
import type { Transaction } from '../server/database.ts'
import { jsonRows, type Part } from '../server/statement-parts.ts'
import { Query } from '../server/query.ts'

const COUNT = `
  total AS MATERIALIZED (
    SELECT * FROM json_to_recordset(:totals::json)
      AS row (hour bigint, account text, type text, resource text, amount bigint)
  ), event_hour AS (
    INSERT INTO event_hours AS known (hour, account, type, amount)
    SELECT hour, account, type, sum(amount) FROM total GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (hour, account, type) DO UPDATE SET amount = known.amount + excluded.amount
  ), event_kind AS (
    INSERT INTO event_kinds (account, type, resource) SELECT DISTINCT account, type, resource FROM total ON CONFLICT DO NOTHING
  ), log_hour AS (
    INSERT INTO log_hours (hour, first)
    SELECT hour, first FROM json_to_recordset(:hours::json) AS row (hour bigint, first bigint) ORDER BY hour
    ON CONFLICT DO NOTHING
  ), log_span AS (
    INSERT INTO log_spans AS known (${TABLES.log_spans.names})
    SELECT * FROM json_to_recordset(:spans::json) AS row (${TABLES.log_spans.typed})
    ON CONFLICT (span) DO UPDATE SET events = known.events + excluded.events, expired = known.expired + excluded.expired,
      oldest = least(known.oldest, excluded.oldest), newest = greatest(known.newest, excluded.newest)
  )`

/** Counts the events of one commit, whose log is held: a part of its one statement, because each is a round trip. */
export function totalRows({ all, hours, spans }: EventTotals): Part {
  const totals = all.map((total) => ({ ...total, account: total.account ?? NO_ACCOUNT }))
  const values = {
    totals: jsonRows(totals),
    hours: jsonRows(hours),
    spans: jsonRows(spans.map((span) => ({ ...span }))),
  }
  return { sql: COUNT, values }
}

type Reader = Pick<Transaction, 'all' | 'one'>

const FIRST_FROM = new Query<{ ref: number | null }>('SELECT min(first) AS ref FROM log_hours WHERE hour >= :hour')
const FIRST_SINCE = new Query<{ ref: number | null }>(`
  SELECT least(
    (SELECT min(ref) FROM (SELECT ref FROM events WHERE stored_at >= :since AND stored_at < :nextHour OFFSET 0) AS of_hour),
    (SELECT min(first) FROM log_hours WHERE hour >= :nextHour)
  ) AS ref`)

/** The first `ref` of the hour of `since` or a later one: nothing before it rang since. Greater than any `ref` where nothing did. */
export async function lowerBoundSince(db: Reader, since: number): Promise<number> {
  return (await db.one(FIRST_FROM, { hour: hourOf(since) }))?.ref ?? Number.MAX_SAFE_INTEGER
}

/** The first event in the order of storing that rang at or since; greater than any `ref` where there is none. */
export async function firstSince(db: Reader, since: number): Promise<number> {
  const nextHour = hourOf(since) + HOUR_MS
  return (await db.one(FIRST_SINCE, { since, nextHour }))?.ref ?? Number.MAX_SAFE_INTEGER
}

const EXPIRE = new Query(`
  UPDATE log_spans AS known SET expired = known.expired + row.amount
  FROM unnest(:spans::bigint[], :amounts::bigint[]) AS row (span, amount) WHERE known.span = row.span`)
const DROP = new Query(`
  UPDATE log_spans AS known SET events = known.events - row.amount, expired = known.expired - row.amount
  FROM unnest(:spans::bigint[], :amounts::bigint[]) AS row (span, amount) WHERE known.span = row.span`)
const FORGET_SPANS = new Query('DELETE FROM log_spans WHERE span = ANY(:spans::bigint[]) AND events = 0')

/** Events of the log, which is held, have no payloads any more. */
export async function countExpired(tx: Transaction, refs: readonly number[]): Promise<void> {
  await tx.run(EXPIRE, bySpan(refs))
}

/** Events that had no payloads any more are gone from the log, which is held. */
export async function countGone(tx: Transaction, refs: readonly number[]): Promise<void> {
  const spans = bySpan(refs)
  await tx.run(DROP, spans)
  await tx.run(FORGET_SPANS, { spans: spans.spans })
}

function bySpan(refs: readonly number[]): { readonly spans: readonly number[]; readonly amounts: readonly number[] } {
  const amounts = countBySpan(refs)
  return { spans: [...amounts.keys()], amounts: [...amounts.values()] }
}

const FORGET_HOURS = new Query(`
  DELETE FROM log_hours WHERE hour = ANY(:hours::bigint[])
    AND (SELECT 1 FROM events WHERE stored_at >= hour AND stored_at < hour + ${HOUR_MS} LIMIT 1) IS NULL`)

/** Forgets the hours in which these events rang, as far as the log holds no events of them any more. */
export async function forgetHours(tx: Transaction, storedAt: readonly number[]): Promise<void> {
  if (storedAt.length > 0) await tx.run(FORGET_HOURS, { hours: [...new Set(storedAt.map(hourOf))] })
}
