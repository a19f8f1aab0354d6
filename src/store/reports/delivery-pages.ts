import { DELIVERY_STATES, type Delivery } from '../../model/delivery.ts'
import type { Page } from '../../model/page.ts'
import type { DeliveryQuery } from '../ports/log-query-port.ts'
import { toDelivery } from '../deliveries/ledger-rows.ts'
import type { Dialect } from './dialect.ts'
import { DELIVERY_LIST, deliveryMatcher, MOST_ROWS_LOOKED_AT, UNDELIVERED } from './delivery-query.ts'
import { rangesOfAll, rangesOfAccount, rangesOfEvent, rangesOfFailed, rangesOfState } from './delivery-ranges.ts'
import { atHand, type Lookup, type Values } from './lookup.ts'
import { FIRST, LAST, readPlace, type Order, type Place } from './place.ts'
import { pageOf, type MergedRanges } from './ranges.ts'

interface Placed {
  readonly from: Place
  readonly order: Order
  readonly since: number
}

/** Pages of the ledger, inside one read transaction. */
export class DeliveryPages<Source> {
  readonly #dialect: Dialect<Source>
  readonly #event
  readonly #ofAll
  readonly #ofEvent
  readonly #ofState
  readonly #ofFailed
  readonly #ofAccount

  constructor(dialect: Dialect<Source>) {
    this.#dialect = dialect
    this.#event = dialect.all<{ ref: number }>('SELECT ref FROM events WHERE id = :id')
    this.#ofAll = rangesOfAll(dialect)
    this.#ofEvent = rangesOfEvent(dialect)
    this.#ofState = rangesOfState(dialect)
    this.#ofFailed = rangesOfFailed(dialect)
    this.#ofAccount = rangesOfAccount(dialect)
  }

  /** `LogQueryStore.deliveryPage`. */
  *page(source: Source, query: DeliveryQuery): Lookup<Page<Delivery>> {
    const dialect = this.#dialect
    const { cursor, limit, oldestFirst, undelivered } = query
    const order = oldestFirst === true ? 'oldest' : 'newest'
    const from = readPlace(cursor, DELIVERY_LIST) ?? (order === 'oldest' ? FIRST : LAST)
    const matches = deliveryMatcher(query, undelivered === undefined ? 0 : yield* dialect.aheadMs(source))
    const load = function* (refs: readonly number[]): Lookup<ReadonlyMap<number, Delivery>> {
      const rows = [...(yield* dialect.deliveries(source, refs)).values()]
      return new Map(rows.filter(matches).map((row) => [row.ref, toDelivery(row)]))
    }
    const ranges = yield* this.#ranges(source, query, { from, order })
    return yield* pageOf(ranges, { load, limit, list: DELIVERY_LIST, most: Math.max(MOST_ROWS_LOOKED_AT, limit) })
  }

  *#ranges(source: Source, query: DeliveryQuery, { from, order }: { from: Place; order: Order }): Lookup<MergedRanges> {
    const { account, cause, eventId, subscription } = query
    const since = query.since === undefined ? 0 : yield* this.#dialect.lowerBoundSince(source, query.since)
    const values = ({ key }: Place): Lookup<Values> =>
      atHand({ since: order === 'oldest' ? Math.max(since, key) : since })
    const asked = { from, order, values }
    if (eventId !== undefined) {
      const found = yield* this.#event(source, { id: eventId })
      return this.#ofEvent[order](source, { ...asked, each: found.map(({ ref }) => () => ({ event: ref })) })
    }
    const states = query.states ?? (query.undelivered === undefined ? undefined : UNDELIVERED)
    if (cause === undefined && subscription === undefined && states === undefined) {
      if (account === undefined) return this.#ofAll[order](source, { ...asked, each: [() => ({})] })
      return this.#rangeOfAccount(source, account, { from, order, since })
    }
    const subscriptions = subscription === undefined ? yield* this.#dialect.endpointNames(source) : [subscription]
    if (cause !== undefined) {
      return this.#ofFailed[order](source, {
        ...asked,
        each: subscriptions.map((name) => () => ({ subscription: name })),
      })
    }
    const each = yield* this.#statesOf(source, subscriptions, { ...query, states: states ?? DELIVERY_STATES })
    return this.#ofState[order](source, { ...asked, each: each.map((of) => () => of) })
  }

  /** No pending row is looked at where all of them wait to be sent together: a digest may be long. */
  *#statesOf(
    source: Source,
    subscriptions: readonly string[],
    { states, undelivered }: DeliveryQuery & Required<Pick<DeliveryQuery, 'states'>>,
  ): Lookup<readonly { readonly subscription: string; readonly state: string }[]> {
    const waiting: ReadonlySet<string> =
      undelivered === undefined ? new Set() : yield* this.#dialect.wholeDeferred(source, undelivered.now)
    return subscriptions.flatMap((name) =>
      [...new Set(states)]
        .filter((state) => state !== 'pending' || !waiting.has(name))
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
    return this.#ofAccount[order](source, { from, order, values, each: [() => ({})] })
  }
}
