import type { RetryableQuery, RetryableSlice } from '../ports/log-query-port.ts'
import { causeOfFailure } from './failure-rows.ts'
import type { Connection } from '../file/connection.ts'
import { placeBeforeSendable } from './log-spans.sqlite.ts'
import { Query } from '../file/query.ts'

/** Rows of one slice: to retry them takes some milliseconds. */
const SLICE = 200

/** Of a state that is not asked for, the name is null. */
const STATES = ['pending', 'exhausted', 'held', 'discarded'] as const
const PLACES = STATES.map(
  (state) => `
    SELECT event, ref FROM deliveries INDEXED BY deliveries_state
    WHERE state = :${state} AND subscription = :subscription AND event > :after AND event <= :upTo`,
).join(' UNION ALL ')

const ROWS = new Query<RetryableRow>(`
  SELECT row.id, row.event, last_status AS status, last_error AS error,
    test = 0 AND expired_at IS NULL AND stored_at >= :since AND (:account IS NULL OR account = :account) AS counts
  FROM (${PLACES} ORDER BY event LIMIT ${SLICE}) AS place
    CROSS JOIN deliveries AS row ON row.ref = place.ref CROSS JOIN events ON events.ref = row.event
  ORDER BY row.event`)

interface RetryableRow {
  readonly id: string
  readonly event: number
  readonly status: number | null
  readonly error: string | null
  readonly counts: number
}

/** `LogQueryStore.retryable`, inside one read transaction. */
export function retryableRows(db: Connection, query: RetryableQuery): RetryableSlice {
  const { account = null, cause, since, states, subscription, upTo } = query
  const start = placeBeforeSendable(db, since)
  if (start === null) return { ids: [], after: null }
  const named = Object.fromEntries(STATES.map((state) => [state, states.includes(state) ? state : null]))
  const after = Math.max(query.after ?? 0, start)
  const rows = db.all(ROWS, { ...named, account, after, since, subscription, upTo })
  const matching = rows.filter((row) => row.counts === 1 && (cause === undefined || causeOfFailure(row) === cause))
  const last = rows.length < SLICE ? undefined : rows.at(-1)
  return { ids: matching.map(({ id }) => id), after: last?.event ?? null }
}
