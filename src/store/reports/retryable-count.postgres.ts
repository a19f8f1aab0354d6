import type { RetryableCount, RetryableCountQuery } from '../ports/log-query-port.ts'
import { sendableIn } from '../../ledger/log-spans.ts'
import {
  amountOf,
  COUNTED_SLICE,
  MOST_COUNTED_BY_EVENT,
  rowsOf,
  type CountedSlice,
  type RetryableGroup,
} from './retryable-groups.ts'
import type { Transaction } from '../server/database.ts'
import { placeBeforeSendable, spansBetween } from './log-spans.postgres.ts'
import { Query } from '../server/query.ts'

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
    FROM (${rows} AND event > :after AND event <= :last AND event >> 12 = ANY(:spans::bigint[])) AS row
      JOIN events ON events.ref = row.event
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
  const asked = { states, subscription, after }
  const groups = await tx.all(cause === undefined ? BY_STATE : BY_FAILURE, asked)
  const spans = await spansBetween(tx, groups[0]?.span ?? 0, groups.at(-1)?.span ?? 0)
  const sendable = ({ span }: RetryableGroup) => (account === null ? sendableIn(spans.get(span), since) : 'some')
  const [counted, isCut] = cutSlice(groups, sendable)
  const rows = rowsOf(counted)
  const last = counted.at(-1) === undefined ? after : Math.max(...counted.map((group) => group.last))
  const some = counted.filter((group) => sendable(group) === 'some')
  const look = cause === undefined ? LOOK_BY_STATE : LOOK_BY_FAILURE
  const values = { ...asked, account, since, last, spans: [...new Set(some.map(({ span }) => span))] }
  const looked = some.length === 0 ? [] : await tx.all(look, values)
  const whole = counted.filter((group) => sendable(group) === 'all')
  return { rows, amount: amountOf([...whole, ...looked], cause), after: isCut || rows === COUNTED_SLICE ? last : null }
}

/** The groups of whole spans up to the one at which too many events would be looked at, and whether that is one of them. */
function cutSlice(
  groups: readonly RetryableGroup[],
  sendable: (group: RetryableGroup) => 'all' | 'none' | 'some',
): readonly [readonly RetryableGroup[], boolean] {
  const taken: RetryableGroup[] = []
  let looked = 0
  for (const [, found] of Map.groupBy(groups, ({ span }) => span)) {
    taken.push(...found)
    looked += rowsOf(found.filter((group) => sendable(group) === 'some'))
    if (looked >= MOST_COUNTED_BY_EVENT) return [taken, true]
  }
  return [taken, false]
}
