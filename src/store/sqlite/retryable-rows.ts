import { failureCause } from '../../model/failure-cause.ts'
import type { RetryableQuery, RetryableSlice } from '../log-query-port.ts'
import type { Connection } from './connection.ts'
import { Query } from './query.ts'

/** Rows of one slice: some milliseconds. */
const SLICE = 500

const ROWS = new Query<RetryableRow>(`
  SELECT row.id, row.event, last_status AS status, last_error AS error,
    row.test = 0 AND event.expired_at IS NULL AND event.stored_at >= :since
      AND (:account IS NULL OR event.account = :account) AS counts
  FROM (
    SELECT id, event, test, last_status, last_error FROM deliveries INDEXED BY deliveries_state
    WHERE state = :state AND subscription = :subscription AND event > :after ORDER BY event LIMIT ${SLICE}
  ) AS row JOIN events AS event ON event.ref = row.event
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
  const { account = null, after, cause, since, state, subscription } = query
  const rows = db.all(ROWS, { account, after: after ?? 0, since, state, subscription })
  const matching = rows.filter((row) => row.counts === 1 && (cause === undefined || causeOf(row) === cause))
  const last = rows.length < SLICE ? undefined : rows.at(-1)
  return { rows: matching.map(({ event, id }) => ({ id, place: event })), after: last?.event ?? null }
}

function causeOf({ error, status }: RetryableRow): string | null {
  return error === null ? null : failureCause({ status, error })
}
