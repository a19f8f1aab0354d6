import type { RetryableQuery, RetryableSlice } from '../ports/log-query-port.ts'
import { causeOfFailure } from './failure-rows.ts'
import type { Transaction } from '../server/database.ts'
import { placeBeforeSendable } from './log-spans.postgres.ts'
import { Query } from '../server/query.ts'

/** Rows of one slice: to retry them takes some milliseconds. */
const SLICE = 200

const ROWS = new Query<RetryableRow>(`
  SELECT row.id, row.event, row.last_status AS status, row.last_error AS error,
    row.test = 0 AND events.expired_at IS NULL AND events.stored_at >= :since
      AND (:account::text IS NULL OR events.account = :account) AS counts
  FROM (
    SELECT place.event, place.ref FROM unnest(:states::text[]) AS asked(state) CROSS JOIN LATERAL (
      SELECT event, ref FROM deliveries
      WHERE state = asked.state AND subscription = :subscription AND event > :after AND event <= :upTo
      ORDER BY event LIMIT ${SLICE}
    ) AS place
    ORDER BY place.event LIMIT ${SLICE}
  ) AS place
    JOIN deliveries AS row ON row.ref = place.ref JOIN events ON events.ref = row.event
  ORDER BY row.event`)

interface RetryableRow {
  readonly id: string
  readonly event: number
  readonly status: number | null
  readonly error: string | null
  /** null: not, as its event is of no account. */
  readonly counts: boolean | null
}

/** `LogQueryStore.retryable`, inside one read transaction. */
export async function retryableRows(tx: Transaction, query: RetryableQuery): Promise<RetryableSlice> {
  const { account = null, cause, since, states, subscription, upTo } = query
  const start = await placeBeforeSendable(tx, since)
  if (start === null) return { ids: [], after: null }
  const asked = [...new Set(states)].filter((state) => state !== 'delivered')
  const after = Math.max(query.after ?? 0, start)
  const rows = await tx.all(ROWS, { states: asked, account, after, since, subscription, upTo })
  const matching = rows.filter((row) => row.counts === true && (cause === undefined || causeOfFailure(row) === cause))
  const last = rows.length < SLICE ? undefined : rows.at(-1)
  return { ids: matching.map(({ id }) => id), after: last?.event ?? null }
}
