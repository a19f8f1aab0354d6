import type { RetryableCount, RetryableCountQuery } from '../log-query-port.ts'
import { sendableIn } from '../common/log-span.ts'
import {
  amountOf,
  COUNTED_SLICE,
  MOST_COUNTED_BY_EVENT,
  rowsOf,
  type CountedSlice,
  type RetryableGroup,
} from '../common/retryable-groups.ts'
import type { Transaction } from './database.ts'
import { placeBeforeSendable, spansBetween } from './log-spans.ts'
import { Query } from './query.ts'

interface Rows {
  readonly rows: string
  readonly by: string
}

const OF_STATE: Rows = {
  rows: `
    SELECT event, (test = 0)::int AS counts, NULL::bigint AS status, NULL::text AS error FROM deliveries
    WHERE state = (:states::text[])[1] AND subscription = :subscription`,
  by: '1',
}
const FAILED: Rows = {
  rows: `
    SELECT event, (test = 0 AND state = ANY(:states::text[]))::int AS counts, last_status AS status, last_error AS error
    FROM deliveries
    WHERE subscription = :subscription AND last_error IS NOT NULL AND state IN ('pending', 'held', 'exhausted')`,
  by: '1, 2, 3',
}

const [BY_STATE, BY_FAILURE] = [inIndex(OF_STATE), inIndex(FAILED)]
const [LOOK_BY_STATE, LOOK_BY_FAILURE] = [withEvents(OF_STATE), withEvents(FAILED)]

function inIndex({ by, rows }: Rows): Query<RetryableGroup> {
  return new Query(`
    SELECT event >> 12 AS span, ${groupColumns(by)}, count(*) AS rows, max(event) AS last, sum(counts) AS amount
    FROM (${rows} AND event > :after ORDER BY event LIMIT ${COUNTED_SLICE}) AS row GROUP BY ${by} ORDER BY 1`)
}

function withEvents({ by, rows }: Rows): Query<RetryableGroup> {
  return new Query(`
    SELECT event >> 12 AS span, ${groupColumns(by)}, count(*) AS rows, max(event) AS last, sum(counts) AS amount
    FROM (${rows} AND event > :after AND event <= :last) AS row JOIN events ON events.ref = row.event
    WHERE events.ref > :after AND events.ref <= :last AND expired_at IS NULL AND stored_at >= :since
      AND (:account::text IS NULL OR account = :account)
    GROUP BY ${by}`)
}

/** Those that are grouped by none have one value. */
function groupColumns(by: string): string {
  return by === '1' ? 'NULL::bigint AS status, NULL::text AS error' : 'status, error'
}

/**
 * `LogQueryStore.countRetryable`, inside one read transaction. Where all events of a span can be sent, or none, the index tells
 * how many rows there are; else each one's event is looked at.
 */
export async function countRetryable(tx: Transaction, query: RetryableCountQuery): Promise<RetryableCount> {
  const start = await placeBeforeSendable(tx, query.since)
  if (start === null) return { amount: 0, after: null }
  // Where a cause is asked for, the index holds all states in the order of events.
  const passes = query.cause === undefined ? query.states.map((state) => [state]) : [query.states]
  let { event: after, pass } = query.after ?? { pass: 0, event: 0 }
  let [amount, left] = [0, COUNTED_SLICE]
  for (; pass < passes.length; pass += 1, after = 0) {
    const slice = await countSlice(tx, { ...query, states: passes[pass] ?? [] }, Math.max(after, start))
    amount += slice.amount
    left -= slice.rows
    if (slice.after !== null) return { amount, after: { pass, event: slice.after } }
    if (left <= 0) return { amount, after: { pass: pass + 1, event: 0 } }
  }
  return { amount, after: null }
}

async function countSlice(tx: Transaction, query: RetryableCountQuery, after: number): Promise<CountedSlice> {
  const { account = null, cause, since, states, subscription } = query
  const asked = { states, subscription }
  const groups = await tx.all(cause === undefined ? BY_STATE : BY_FAILURE, { ...asked, after })
  const bySpan = [...Map.groupBy(groups, ({ span }) => span)]
  const spans = await spansBetween(tx, bySpan[0]?.[0] ?? 0, bySpan.at(-1)?.[0] ?? 0)
  let [rows, amount, looked, place] = [0, 0, 0, after]
  for (const [span, found] of bySpan) {
    const last = Math.max(...found.map((group) => group.last))
    const sendable = account === null ? sendableIn(spans.get(span), since) : 'some'
    if (sendable === 'all') amount += amountOf(found, cause)
    if (sendable === 'some') {
      const look = cause === undefined ? LOOK_BY_STATE : LOOK_BY_FAILURE
      amount += amountOf(await tx.all(look, { ...asked, account, since, after: place, last }), cause)
      looked += rowsOf(found)
    }
    rows += rowsOf(found)
    place = last
    if (looked >= MOST_COUNTED_BY_EVENT) return { rows, amount, after: place }
  }
  return { rows, amount, after: rows < COUNTED_SLICE ? null : place }
}
