import type { RetryableQuery, RetryableSlice } from '../ports/log-query-port.ts'
import type { Ask, Dialect } from './dialect.ts'
import { causeOfFailure } from './failure-rows.ts'
import { LogSpans } from './log-spans.ts'
import type { Lookup } from './lookup.ts'

/** Rows of one slice: to retry them takes some milliseconds. */
const SLICE = 200
/** The states that may be asked for: the value of one that is not is null. */
const STATES = ['pending', 'exhausted', 'held', 'discarded'] as const
const BEYOND = 'subscription = :subscription AND event > :after AND event <= :upTo'

interface RetryableRow {
  readonly id: string
  readonly event: number
  readonly status: number | null
  readonly error: string | null
  readonly counts: number
}

/** `LogQueryStore.retryable`, inside one read transaction. */
export function retryableRows<Source>(
  dialect: Dialect<Source>,
): (source: Source, query: RetryableQuery) => Lookup<RetryableSlice> {
  const spans = new LogSpans(dialect)
  const found = rowsOfStates(dialect)
  return function* (source, query) {
    const { account = null, cause, since, subscription, upTo } = query
    const start = yield* spans.placeBeforeSendable(source, since)
    if (start === null) return { ids: [], after: null }
    const states = Object.fromEntries(STATES.map((state) => [state, query.states.includes(state) ? state : null]))
    const after = Math.max(query.after ?? 0, start)
    const rows = yield* found(source, { ...states, account, after, since, subscription, upTo })
    const matching = rows.filter((row) => row.counts === 1 && (cause === undefined || causeOfFailure(row) === cause))
    const last = rows.length < SLICE ? undefined : rows.at(-1)
    return { ids: matching.map(({ id }) => id), after: last?.event ?? null }
  }
}

function rowsOfStates<Source>({ all, only, thenJoin }: Dialect<Source>): Ask<Source, RetryableRow> {
  // SQLite has no LATERAL; it merges ranges of its index in their order.
  const places = only({
    sqlite: STATES.map(
      (state) => `
        SELECT event, ref FROM deliveries INDEXED BY deliveries_state
        WHERE state = :${state} AND ${BEYOND}`,
    ).join(' UNION ALL '),
    postgres: `
      SELECT place.event, place.ref FROM unnest(ARRAY[${STATES.map((state) => `:${state}`).join(', ')}]::text[]) AS asked(state) CROSS JOIN LATERAL (
        SELECT event, ref FROM deliveries WHERE state = asked.state AND ${BEYOND} ORDER BY event LIMIT ${SLICE}
      ) AS place`,
  })
  return all(`
    SELECT row.id, row.event, row.last_status AS status, row.last_error AS error,
      CASE WHEN row.test = 0 AND events.expired_at IS NULL AND events.stored_at >= :since
        AND (CAST(:account AS text) IS NULL OR events.account = :account) THEN 1 ELSE 0 END AS counts
    FROM (${places} ORDER BY event LIMIT ${SLICE}) AS place
      ${thenJoin} deliveries AS row ON row.ref = place.ref ${thenJoin} events ON events.ref = row.event
    ORDER BY row.event`)
}
