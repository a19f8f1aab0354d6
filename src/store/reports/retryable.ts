import { type LogSpan, placeBeforeSpan, sendableIn } from '../../ledger/events.ts'
import { type Ask, type Dialect, first } from './dialect.ts'
import type { Lookup } from './lookup.ts'
import { causeOfFailure } from './failures.ts'
import type { RetryableCount, RetryableCountQuery, RetryableQuery, RetryableSlice } from '../ports/log-query-port.ts'

/** What is asked of the spans of the log. */
class LogSpans<Source> {
  readonly #between
  readonly #firstSendable

  constructor({ all }: Pick<Dialect<Source>, 'all'>) {
    this.#between = all<LogSpan>(
      'SELECT span, events, expired, oldest, newest FROM log_spans WHERE span BETWEEN :least AND :most',
    )
    this.#firstSendable = all<{ span: number | null }>(
      'SELECT min(span) AS span FROM log_spans WHERE newest >= :since AND expired < events',
    )
  }

  *between(source: Source, least: number, most: number): Lookup<ReadonlyMap<number, LogSpan>> {
    return new Map((yield* this.#between(source, { least, most })).map((each) => [each.span, each]))
  }

  /** The place before which nothing can be sent that rang at or since; null: nothing can. */
  *placeBeforeSendable(source: Source, since: number): Lookup<number | null> {
    const span = (yield* first(this.#firstSendable(source, { since })))?.span ?? null
    return span === null ? null : placeBeforeSpan(span)
  }
}

/** How many rows whose events are looked at end a slice. */
const MOST_COUNTED_BY_EVENT = 2_000
/** Rows of an index that are counted at once where each one's event is looked at: some end the slice, the others are counted again. */
const COUNTED_OF_ACCOUNT = 5_000

/** Rows of a span with the same failure. */
interface RetryableGroup {
  readonly span: number
  readonly status: number | null
  readonly error: string | null
  /** Rows that were looked at, the last of them, and those of them that are of a state that is asked for and no tests. */
  readonly rows: number
  readonly last: number
  readonly amount: number
}

interface CountedSlice {
  readonly rows: number
  readonly amount: number
  readonly after: number | null
}

/** How many events of a span can be sent. */
type Sendable = 'all' | 'none' | 'some'

/** The groups of whole spans up to the one at which too many events would be looked at, and whether that is one of them. */
function cutSlice(
  groups: readonly RetryableGroup[],
  sendable: (group: RetryableGroup) => Sendable,
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

function rowsOf(groups: readonly RetryableGroup[]): number {
  return groups.reduce((sum, { rows }) => sum + rows, 0)
}

/** How many of the rows that count failed with the cause that is asked for. */
function amountOf(groups: readonly RetryableGroup[], cause: string | undefined): number {
  const matching = groups.filter((group) => cause === undefined || causeOfFailure(group) === cause)
  return matching.reduce((sum, { amount }) => sum + amount, 0)
}

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

function countedAtOnce<Source>(dialect: Dialect<Source>, { account }: RetryableCountQuery): number {
  return account === undefined ? dialect.countedAtOnce : Math.min(dialect.countedAtOnce, COUNTED_OF_ACCOUNT)
}

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
    let [amount, left] = [0, countedAtOnce(dialect, query)]
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
    const atOnce = countedAtOnce(dialect, query)
    const asked = { state: states[0] ?? null, states, subscription, after, atOnce }
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
      after: isCut || rows === atOnce ? last : null,
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
    FROM (${rows} AND event > :after ORDER BY event LIMIT :atOnce) AS row GROUP BY ${groups} ORDER BY 1`)
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
