import type { RetryableCount, RetryableCountQuery } from '../ports/log-query-port.ts'
import { placeBeforeSpan, sendableIn } from '../../ledger/events.ts'
import type { Ask, Dialect } from './dialect.ts'
import { LogSpans } from './log-spans.ts'
import type { Lookup } from './lookup.ts'
import {
  amountOf,
  COUNTED_SLICE,
  type CountedSlice,
  cutSlice,
  type RetryableGroup,
  rowsOf,
  type Sendable,
} from './retryable-groups.ts'

type CountSlice<Source> = (source: Source, query: RetryableCountQuery, after: number) => Lookup<CountedSlice>

/**
 * `LogQueryStore.countRetryable`, inside one read transaction. Where all events of a span can be sent, or none, the index tells
 * how many rows there are; else each one's event is looked at.
 */
export function countRetryable<Source>(
  dialect: Dialect<Source>,
): (source: Source, query: RetryableCountQuery) => Lookup<RetryableCount> {
  const spans = new LogSpans(dialect)
  const countSlice = sliceCounter(dialect, spans)
  return function* (source, query) {
    const start = yield* spans.placeBeforeSendable(source, query.since)
    if (start === null) return { amount: 0, after: null }
    // Where a cause is asked for, the index holds all states in the order of events.
    const passes = query.cause === undefined ? query.states.map((state) => [state]) : [query.states]
    let { event: after, pass } = query.after ?? { pass: 0, event: 0 }
    let [amount, left] = [0, COUNTED_SLICE]
    for (; pass < passes.length; pass += 1, after = 0) {
      const slice = yield* countSlice(source, { ...query, states: passes[pass] ?? [] }, Math.max(after, start))
      amount += slice.amount
      left -= slice.rows
      if (slice.after !== null) return { amount, after: { pass, event: slice.after } }
      if (left <= 0) return { amount, after: { pass: pass + 1, event: 0 } }
    }
    return { amount, after: null }
  }
}

function sliceCounter<Source>(dialect: Dialect<Source>, spans: LogSpans<Source>): CountSlice<Source> {
  const [ofState, ofFailure] = [rowsOfState(dialect), rowsOfFailure(dialect)]
  const inIndex = { state: groupsInIndex(dialect, ofState), failure: groupsInIndex(dialect, ofFailure) }
  const withEvents = { state: groupsWithEvents(dialect, ofState), failure: groupsWithEvents(dialect, ofFailure) }
  return function* (source, query, after) {
    const { account = null, cause, since, states, subscription } = query
    const by = cause === undefined ? 'state' : 'failure'
    const asked = { state: states[0] ?? null, states, subscription, after }
    const groups = yield* inIndex[by](source, asked)
    const known = yield* spans.between(source, groups[0]?.span ?? 0, groups.at(-1)?.span ?? 0)
    const sendable = ({ span }: RetryableGroup): Sendable =>
      account === null ? sendableIn(known.get(span), since) : 'some'
    const [counted, isCut] = cutSlice(groups, sendable)
    const rows = rowsOf(counted)
    const last = counted.length === 0 ? after : Math.max(...counted.map((group) => group.last))
    const some = counted.filter((group) => sendable(group) === 'some')
    const looked =
      some.length === 0 ? [] : yield* withEvents[by](source, { ...asked, account, since, ...rangeOf(some, after) })
    const whole = counted.filter((group) => sendable(group) === 'all')
    return {
      rows,
      amount: amountOf([...whole, ...looked], cause),
      after: isCut || rows === COUNTED_SLICE ? last : null,
    }
  }
}

type Statements = Pick<Dialect<unknown>, 'by' | 'isOneOf'>

/** The spans of some groups, and what of the index they lie in. */
function rangeOf(groups: readonly RetryableGroup[], after: number) {
  const spans = [...new Set(groups.map(({ span }) => span))]
  return {
    spans,
    after: Math.max(after, placeBeforeSpan(Math.min(...spans))),
    last: Math.max(...groups.map(({ last }) => last)),
  }
}

interface Rows {
  readonly rows: string
  /** What they are grouped by, beside their span: those that are grouped by none have one value. */
  readonly causes: string
  readonly groups: string
}

function rowsOfState({ by }: Statements): Rows {
  return {
    rows: `
      SELECT event, 1 - test AS counts FROM deliveries ${by('deliveries_state')}
      WHERE state = :state AND subscription = :subscription`,
    causes: 'CAST(NULL AS bigint) AS status, CAST(NULL AS text) AS error',
    groups: '1',
  }
}

function rowsOfFailure({ by, isOneOf }: Statements): Rows {
  return {
    rows: `
      SELECT event, CASE WHEN test = 0 AND ${isOneOf('state', 'states', 'text')} THEN 1 ELSE 0 END AS counts,
        last_status AS status, last_error AS error
      FROM deliveries ${by('deliveries_failed')}
      WHERE subscription = :subscription AND last_error IS NOT NULL AND state IN ('pending', 'held', 'exhausted')`,
    causes: 'status, error',
    groups: '1, 2, 3',
  }
}

function groupsInIndex<Source>({ all }: Dialect<Source>, { causes, groups, rows }: Rows): Ask<Source, RetryableGroup> {
  return all(`
    SELECT event >> 12 AS span, ${causes}, count(*) AS rows, max(event) AS last, sum(counts) AS amount
    FROM (${rows} AND event > :after ORDER BY event LIMIT ${COUNTED_SLICE}) AS row GROUP BY ${groups} ORDER BY 1`)
}

function groupsWithEvents<Source>(
  { all, isOneOf, thenJoin }: Dialect<Source>,
  { causes, groups, rows }: Rows,
): Ask<Source, RetryableGroup> {
  return all(`
    SELECT event >> 12 AS span, ${causes}, count(*) AS rows, max(event) AS last, sum(counts) AS amount
    FROM (${rows} AND event > :after AND event <= :last AND ${isOneOf('event >> 12', 'spans', 'bigint')}) AS row
      ${thenJoin} events ON events.ref = row.event
    WHERE events.ref > :after AND events.ref <= :last AND expired_at IS NULL AND stored_at >= :since
      AND (CAST(:account AS text) IS NULL OR account = :account)
    GROUP BY ${groups}`)
}
