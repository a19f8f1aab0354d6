import type { RetryableCount, RetryableCountQuery } from '../ports/log-query-port.ts'
import {
  amountOf,
  COUNTED_SLICE,
  MOST_COUNTED_BY_EVENT,
  rowsOf,
  type CountedSlice,
  type RetryableGroup,
} from './retryable-groups.ts'
import type { Connection } from '../file/connection.ts'
import { sendableIn } from '../../ledger/log-spans.ts'
import { placeBeforeSendable, spansBetween } from './log-spans.sqlite.ts'
import { Query } from '../file/query.ts'

interface Rows {
  readonly rows: string
  readonly by: string
}

const OF_STATE: Rows = {
  rows: `
    SELECT event, test = 0 AS counts, NULL AS status, NULL AS error FROM deliveries INDEXED BY deliveries_state
    WHERE state = :states ->> 0 AND subscription = :subscription`,
  by: '1',
}
const FAILED: Rows = {
  rows: `
    SELECT event, test = 0 AND state IN (SELECT value FROM json_each(:states)) AS counts, last_status AS status,
      last_error AS error FROM deliveries INDEXED BY deliveries_failed
    WHERE subscription = :subscription AND last_error IS NOT NULL AND state IN ('pending', 'held', 'exhausted')`,
  by: '1, 2, 3',
}

const [BY_STATE, BY_FAILURE] = [inIndex(OF_STATE), inIndex(FAILED)]
const [LOOK_BY_STATE, LOOK_BY_FAILURE] = [withEvents(OF_STATE), withEvents(FAILED)]

function inIndex({ by, rows }: Rows): Query<RetryableGroup> {
  return new Query(`
    SELECT event >> 12 AS span, status, error, count(*) AS rows, max(event) AS last, sum(counts) AS amount
    FROM (${rows} AND event > :after ORDER BY event LIMIT ${COUNTED_SLICE}) GROUP BY ${by} ORDER BY 1`)
}

function withEvents({ by, rows }: Rows): Query<RetryableGroup> {
  return new Query(`
    SELECT event >> 12 AS span, status, error, count(*) AS rows, max(event) AS last, sum(counts) AS amount
    FROM (${rows} AND event > :after AND event <= :last) AS row CROSS JOIN events ON events.ref = row.event
    WHERE expired_at IS NULL AND stored_at >= :since AND (:account IS NULL OR account = :account) GROUP BY ${by}`)
}

/**
 * `LogQueryStore.countRetryable`, inside one read transaction. Where all events of a span can be sent, or none, the index tells
 * how many rows there are; else each one's event is looked at.
 */
export function countRetryable(db: Connection, query: RetryableCountQuery): RetryableCount {
  const start = placeBeforeSendable(db, query.since)
  if (start === null) return { amount: 0, after: null }
  // Where a cause is asked for, the index holds all states in the order of events.
  const passes = query.cause === undefined ? query.states.map((state) => [state]) : [query.states]
  let { event: after, pass } = query.after ?? { pass: 0, event: 0 }
  let [amount, left] = [0, COUNTED_SLICE]
  for (; pass < passes.length; pass += 1, after = 0) {
    const slice = countSlice(db, { ...query, states: passes[pass] ?? [] }, Math.max(after, start))
    amount += slice.amount
    left -= slice.rows
    if (slice.after !== null) return { amount, after: { pass, event: slice.after } }
    if (left <= 0) return { amount, after: { pass: pass + 1, event: 0 } }
  }
  return { amount, after: null }
}

function countSlice(db: Connection, query: RetryableCountQuery, after: number): CountedSlice {
  const { account = null, cause, since, subscription } = query
  const asked = { states: JSON.stringify(query.states), subscription }
  const groups = db.all(cause === undefined ? BY_STATE : BY_FAILURE, { ...asked, after })
  const bySpan = [...Map.groupBy(groups, ({ span }) => span)]
  const spans = spansBetween(db, bySpan[0]?.[0] ?? 0, bySpan.at(-1)?.[0] ?? 0)
  let [rows, amount, looked, place] = [0, 0, 0, after]
  for (const [span, found] of bySpan) {
    const last = Math.max(...found.map((group) => group.last))
    const sendable = account === null ? sendableIn(spans.get(span), since) : 'some'
    if (sendable === 'all') amount += amountOf(found, cause)
    if (sendable === 'some') {
      const look = cause === undefined ? LOOK_BY_STATE : LOOK_BY_FAILURE
      amount += amountOf(db.all(look, { ...asked, account, since, after: place, last }), cause)
      looked += rowsOf(found)
    }
    rows += rowsOf(found)
    place = last
    if (looked >= MOST_COUNTED_BY_EVENT) return { rows, amount, after: place }
  }
  return { rows, amount, after: rows < COUNTED_SLICE ? null : place }
}
