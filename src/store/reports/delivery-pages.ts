import { failureCause } from '../../model/failure-cause.ts'
import { accountsAsked, subscriptionsAsked } from '../../model/scope.ts'
import type { DeliveryQuery } from '../ports/log-query-port.ts'
import { type LedgerRow, ledgerRows, toDelivery } from '../deliveries/ledger-rows.ts'
import { type Ask, type Dialect, endpointNames, first, inBothOrders, type RangesInOrder } from './dialect.ts'
import {
  FIRST,
  LAST,
  type MergedRanges,
  type Order,
  pageOf,
  type Place,
  type RangeColumns,
  readPlace,
} from './ranges.ts'
import { type Delivery, DELIVERY_STATES } from '../../model/delivery.ts'
import type { Page } from '../../model/page.ts'
import { atHand, type Lookup, type Values } from './lookup.ts'

/** The name of the list in its cursors. */
const DELIVERY_LIST = 'deliveries'

/** Rows that a page looks at where an index does not find just those that are asked for: some milliseconds. */
const MOST_ROWS_LOOKED_AT = 300

const NONE: ReadonlySet<string> = new Set()
const UNDELIVERED = ['pending', 'held', 'exhausted'] as const

/** What no index has asked of a row. `aheadMs`: of steady time. */
function deliveryMatcher(
  query: DeliveryQuery,
  { aheadMs, pulled }: { readonly aheadMs: number; readonly pulled: ReadonlySet<string> },
): (row: LedgerRow) => boolean {
  const { account, accounts, cause, since, states, tests = true, undelivered } = query
  const subscriptions = subscriptionsAsked(query)
  const steadyNow = undelivered === undefined ? 0 : undelivered.now + aheadMs
  return (row) =>
    (account === undefined || row.account === account) &&
    (accounts === undefined || (row.account !== null && accounts.includes(row.account))) &&
    (subscriptions === undefined || subscriptions.includes(row.subscription)) &&
    (since === undefined || row.storedAt >= since) &&
    (tests || row.test === 0) &&
    (states === undefined || states.includes(row.state)) &&
    (undelivered === undefined || (isUndelivered(row, steadyNow) && !waitsInFeed(row, pulled))) &&
    (cause === undefined || causeOf(row) === cause)
}

function isUndelivered({ deferredTo, state, test }: LedgerRow, steadyNow: number): boolean {
  if (test === 1 || state === 'delivered' || state === 'discarded') return false
  return deferredTo === null || deferredTo <= steadyNow
}

function waitsInFeed({ state, subscription }: LedgerRow, pulled: ReadonlySet<string>): boolean {
  return state !== 'exhausted' && pulled.has(subscription)
}

function causeOf({ lastError, lastStatus, state }: LedgerRow): string | null {
  if (lastError === null || state === 'delivered' || state === 'discarded') return null
  return failureCause({ status: lastStatus, error: lastError })
}

const BEYOND = {
  newest: 'deliveries.event >= :since AND deliveries.event <= :key AND (deliveries.event, ref) < (:key, :ref)',
  oldest: 'deliveries.event >= :since AND (deliveries.event, ref) > (:key, :ref)',
} as const
const DESCENDING = { newest: 'DESC', oldest: 'ASC' } as const
const MOST = 'LIMIT CAST(:most AS integer)'

/** Rows of deliveries by the places of their events. */
function deliveryRanges<Source>(dialect: Dialect<Source>) {
  const { by } = dialect
  return {
    all: ranges(dialect, { columns: {}, condition: () => 'WHERE true' }),
    event: ranges(dialect, { columns: { event: 'bigint' }, condition: (of) => `WHERE deliveries.event = ${of.event}` }),
    state: ranges(dialect, {
      columns: { subscription: 'text', state: 'text' },
      condition: ({ state, subscription }) => `
        ${by('deliveries_state')} WHERE deliveries.state = ${state} AND deliveries.subscription = ${subscription}`,
      hasOneOfEvent: true,
    }),
    failed: ranges(dialect, {
      columns: { subscription: 'text' },
      condition: ({ subscription }) => `
        ${by('deliveries_failed')}
        WHERE deliveries.subscription = ${subscription} AND last_error IS NOT NULL AND state IN ('pending', 'held', 'exhausted')`,
      hasOneOfEvent: true,
    }),
    account: rangesOfAccount(dialect),
  }
}

interface Range {
  readonly columns: RangeColumns
  readonly condition: (of: Readonly<Record<string, string>>) => string
  /** An event has one row of a subscription: such rows are in order without their `ref`, as PostgreSQL's indexes have them. */
  readonly hasOneOfEvent?: true
}

function ranges<Source>(dialect: Dialect<Source>, { columns, condition, hasOneOfEvent }: Range): RangesInOrder<Source> {
  return inBothOrders(dialect, (order) => ({
    columns,
    rows: (of) => `
      SELECT deliveries.event AS key, ref FROM deliveries ${condition(of)} AND ${BEYOND[order]}
      ORDER BY deliveries.event ${DESCENDING[order]} ${hasOneOfEvent === true ? '' : `, ref ${DESCENDING[order]}`} ${MOST}`,
  }))
}

/** An event without rows counts as a place, too: it was looked at. */
function rangesOfAccount<Source>(dialect: Dialect<Source>): RangesInOrder<Source> {
  return inBothOrders(dialect, (order) => {
    const direction = DESCENDING[order]
    const beyond = `(event.ref, coalesce(delivery.ref, 0)) ${order === 'newest' ? '<' : '>'} (:key, :ref)`
    // PostgreSQL would join and sort all rows of the span without LATERAL. The first event may have been shown already.
    const rows = dialect.only({
      sqlite: `
        events AS event INDEXED BY events_sequence LEFT JOIN deliveries AS delivery ON delivery.event = event.ref
        WHERE ifnull(event.account, '') = :account AND event.sequence > :after AND event.sequence <= :upTo AND ${beyond}`,
      postgres: `
        (
          SELECT ref, sequence FROM events
          WHERE coalesce(account, '') = :account AND sequence > :after AND sequence <= :upTo
          ORDER BY sequence ${direction} LIMIT CAST(:most AS integer) + 1
        ) AS event
          LEFT JOIN LATERAL (SELECT ref FROM deliveries WHERE deliveries.event = event.ref OFFSET 0) AS delivery ON true
        WHERE ${beyond}`,
    })
    return {
      columns: {},
      rows: () => `
        SELECT event.ref AS key, coalesce(delivery.ref, 0) AS ref FROM ${rows}
        ORDER BY event.sequence ${direction}, delivery.ref ${direction} ${MOST}`,
    }
  })
}

/** The subscriptions of which every pending row waits to be sent with others. */
function wholeDeferred<Source>({ all }: Dialect<Source>): Ask<Source, { readonly subscription: string }> {
  return all(`
    SELECT subscription FROM tallies
    WHERE state = 'pending' AND amount = (
      SELECT coalesce(sum(amount), 0) FROM deferrals
      WHERE subscription = tallies.subscription AND wake_at > :now + (SELECT ahead FROM steady_time)
    )`)
}

interface Placed {
  readonly from: Place
  readonly order: Order
  readonly since: number
}

/** Pages of the ledger, inside one read transaction. */
export class DeliveryPages<Source> {
  readonly #dialect: Dialect<Source>
  readonly #ahead
  readonly #event
  readonly #names
  readonly #rows
  readonly #whole
  readonly #pulled
  readonly #of

  constructor(dialect: Dialect<Source>) {
    this.#dialect = dialect
    this.#ahead = dialect.all<{ ahead: number }>('SELECT ahead FROM steady_time')
    this.#names = endpointNames(dialect)
    this.#rows = ledgerRows(dialect)
    this.#whole = wholeDeferred(dialect)
    this.#pulled = dialect.all<{ subscription: string }>('SELECT subscription FROM endpoints WHERE keep_ms IS NOT NULL')
    this.#event = dialect.all<{ ref: number }>('SELECT ref FROM events WHERE id = :id')
    this.#of = deliveryRanges(dialect)
  }

  /** `LogQueryStore.deliveryPage`. */
  *page(source: Source, query: DeliveryQuery): Lookup<Page<Delivery>> {
    const ledger = this.#rows
    const { cursor, limit, oldestFirst, undelivered } = query
    const order = oldestFirst === true ? 'oldest' : 'newest'
    const from = readPlace(cursor, DELIVERY_LIST) ?? (order === 'oldest' ? FIRST : LAST)
    const aheadMs = undelivered === undefined ? 0 : ((yield* first(this.#ahead(source)))?.ahead ?? 0)
    const pulled = undelivered === undefined ? NONE : yield* this.#namesOfPulled(source)
    const matches = deliveryMatcher(query, { aheadMs, pulled })
    const load = function* (refs: readonly number[]): Lookup<ReadonlyMap<number, Delivery>> {
      const rows = [...(yield* ledger.byRef(source, refs)).values()]
      return new Map(rows.filter(matches).map((row) => [row.ref, toDelivery(row)]))
    }
    const ranges = yield* this.#ranges(source, query, { from, order })
    return yield* pageOf(ranges, { load, limit, list: DELIVERY_LIST, most: Math.max(MOST_ROWS_LOOKED_AT, limit) })
  }

  /** The subscriptions whose rows wait to be taken from a feed. */
  *#namesOfPulled(source: Source): Lookup<ReadonlySet<string>> {
    return new Set((yield* this.#pulled(source)).map(({ subscription }) => subscription))
  }

  *#ranges(source: Source, query: DeliveryQuery, { from, order }: { from: Place; order: Order }): Lookup<MergedRanges> {
    const { cause, eventId } = query
    const subscription = subscriptionsAsked(query)
    const since = query.since === undefined ? 0 : yield* this.#dialect.lowerBoundSince(source, query.since)
    const values = ({ key }: Place): Lookup<Values> =>
      atHand({ since: order === 'oldest' ? Math.max(since, key) : since })
    const asked = { from, order, values }
    if (eventId !== undefined) {
      const found = yield* this.#event(source, { id: eventId })
      return this.#of.event[order](source, {
        ...asked,
        each: found.map(({ ref }) => () => ({ event: ref })),
      })
    }
    const states = query.states ?? (query.undelivered === undefined ? undefined : UNDELIVERED)
    if (cause === undefined && subscription === undefined && states === undefined) {
      const [account, ...others] = accountsAsked(query) ?? []
      if (account === undefined || others.length > 0)
        return this.#of.all[order](source, { ...asked, each: [() => ({})] })
      return this.#rangeOfAccount(source, account, { from, order, since })
    }
    const subscriptions = yield* this.#names(source, subscription)
    if (cause !== undefined) {
      const each = subscriptions.map((name) => () => ({ subscription: name }))
      return this.#of.failed[order](source, { ...asked, each })
    }
    const each = yield* this.#statesOf(source, subscriptions, { ...query, states: states ?? DELIVERY_STATES })
    return this.#of.state[order](source, { ...asked, each: each.map((of) => () => of) })
  }

  /** No pending row is looked at where all of them wait to be sent together: a digest may be long. */
  *#statesOf(
    source: Source,
    subscriptions: readonly string[],
    { states, undelivered }: DeliveryQuery & Required<Pick<DeliveryQuery, 'states'>>,
  ): Lookup<readonly { readonly subscription: string; readonly state: string }[]> {
    const whole = undelivered === undefined ? [] : yield* this.#whole(source, { now: undelivered.now })
    const waiting = new Set(whole.map(({ subscription }) => subscription))
    const pulled = undelivered === undefined ? NONE : yield* this.#namesOfPulled(source)
    return subscriptions.flatMap((name) =>
      [...new Set(states)]
        .filter((state) => state !== 'pending' || !waiting.has(name))
        .filter((state) => state === 'exhausted' || !pulled.has(name))
        .map((state) => ({ subscription: name, state })),
    )
  }

  /** The rows of an account's events, which are found by their numbers. */
  #rangeOfAccount(source: Source, account: string, { from, order, since }: Placed): MergedRanges {
    const at = (ref: number): Lookup<number> => this.#dialect.sequenceAt(source, account, ref)
    const values = function* ({ key }: Place): Lookup<Values> {
      const [after, upTo] = order === 'newest' ? [since - 1, key] : [Math.max(since, key) - 1, LAST.key]
      return { account, after: yield* at(after), upTo: yield* at(upTo) }
    }
    return this.#of.account[order](source, { from, order, values, each: [() => ({})] })
  }
}
