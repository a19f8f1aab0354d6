import type { Delivery } from '../../model/delivery.ts'
import { DELIVERY_STATES } from '../../model/delivery.ts'
import type { Page } from '../../model/page.ts'
import type { DeliveryQuery } from '../ports/log-query-port.ts'
import { sequenceAt } from '../accounts/account-sequence.sqlite.ts'
import type { Connection } from '../file/connection.ts'
import { endpointNames } from '../endpoints/endpoint-store.sqlite.ts'
import { lowerBoundSince } from '../events/event-totals.sqlite.ts'
import { deferredRows } from './overviews.sqlite.ts'
import { DELIVERY_LIST, deliveryMatcher, MOST_ROWS_LOOKED_AT, UNDELIVERED } from './delivery-query.ts'
import { toDelivery, type LedgerRow } from '../deliveries/ledger-rows.ts'
import { FIRST, LAST, readPlace, type Order, type Place } from './place.ts'
import { mergedPlaces, pageOf, type Stream } from './merged-places.sqlite.ts'
import { loadRows } from '../deliveries/ledger-rows.sqlite.ts'
import { Query } from '../file/query.ts'
import { loadSteady } from '../accounts/wait-rows.sqlite.ts'

const EVENT = new Query<{ ref: number }>('SELECT ref FROM events WHERE id = ?')
const OF_ALL = stream('deliveries', 'true')
const OF_EVENT = stream('deliveries', 'event = :event')
const OF_STATE = stream('deliveries INDEXED BY deliveries_state', 'state = :state AND subscription = :subscription')
const FAILED = stream(
  'deliveries INDEXED BY deliveries_failed',
  `subscription = :subscription AND last_error IS NOT NULL AND state IN ('pending', 'held', 'exhausted')`,
)

function stream(table: string, condition: string): Readonly<Record<Order, Query<Place>>> {
  const rows = `SELECT event AS key, ref FROM ${table} WHERE ${condition}`
  const most = 'LIMIT CAST(:most AS INTEGER)'
  return {
    newest: new Query(
      `${rows} AND event >= :since AND event <= :key AND (event, ref) < (:key, :ref) ORDER BY event DESC, ref DESC ${most}`,
    ),
    oldest: new Query(
      `${rows} AND event >= max(:since, :key) AND (event, ref) > (:key, :ref) ORDER BY event, ref ${most}`,
    ),
  }
}

/** `LogQueryStore.deliveryPage`, inside one read transaction. */
export function deliveryPage(db: Connection, query: DeliveryQuery): Page<Delivery> {
  const { cursor, limit, oldestFirst } = query
  const order = oldestFirst === true ? 'oldest' : 'newest'
  const from = readPlace(cursor, DELIVERY_LIST) ?? (order === 'oldest' ? FIRST : LAST)
  const matches = deliveryMatcher(query, query.undelivered === undefined ? 0 : loadSteady(db).aheadMs)
  let fetched: ReadonlyMap<number, LedgerRow> = new Map()
  const ahead = (refs: readonly number[]): void => {
    fetched = loadRows(db, refs)
  }
  const load = (ref: number): Delivery | null => {
    const row = fetched.get(ref)
    return row !== undefined && matches(row) ? toDelivery(row) : null
  }
  const places = mergedPlaces(streamsOf(db, query, order), { from, order })
  return pageOf(places, { ahead, load, limit, list: DELIVERY_LIST, most: Math.max(MOST_ROWS_LOOKED_AT, limit) })
}

function streamsOf(db: Connection, query: DeliveryQuery, order: Order): readonly Stream[] {
  const { account, cause, eventId, subscription } = query
  const since = query.since === undefined ? 0 : lowerBoundSince(db, query.since)
  if (eventId !== undefined) {
    const event = db.one(EVENT, eventId)?.ref
    return event === undefined ? [] : [rows(db, OF_EVENT[order], { event, since })]
  }
  const subscriptions = subscription === undefined ? endpointNames(db) : [subscription]
  if (cause !== undefined) return subscriptions.map((name) => rows(db, FAILED[order], { subscription: name, since }))
  const states = query.states ?? (query.undelivered === undefined ? undefined : UNDELIVERED)
  if (subscription === undefined && states === undefined)
    return [account === undefined ? rows(db, OF_ALL[order], { since }) : ofAccount(db, account, { since, order })]
  return subscriptions.flatMap((name) =>
    [...new Set(states ?? DELIVERY_STATES)]
      .filter((state) => state !== 'pending' || !waitsWhole(db, name, query.undelivered))
      .map((state) => rows(db, OF_STATE[order], { subscription: name, state, since })),
  )
}

const PENDING = new Query<{ amount: number }>(`SELECT amount FROM tallies WHERE subscription = ? AND state = 'pending'`)

/** Whether no pending row is asked for, as all of them wait to be sent together: a digest may be long. */
function waitsWhole(db: Connection, subscription: string, undelivered: DeliveryQuery['undelivered']): boolean {
  if (undelivered === undefined) return false
  return db.one(PENDING, subscription)?.amount === deferredRows(db, undelivered.now, subscription)
}

function rows(db: Connection, query: Query<Place>, values: Readonly<Record<string, string | number>>): Stream {
  return (from, most) => db.all(query, { ...values, ...from, most })
}

// An event without rows counts as a place, too: it was looked at.
const OF_ACCOUNT = `
  SELECT event.ref AS key, ifnull(delivery.ref, 0) AS ref
  FROM events AS event INDEXED BY events_sequence LEFT JOIN deliveries AS delivery ON delivery.event = event.ref
  WHERE ifnull(event.account, '') = :account AND event.sequence > :after AND event.sequence <= :upTo`
const OF_ACCOUNT_IN = {
  newest: new Query<Place>(`
    ${OF_ACCOUNT} AND (event.ref, ifnull(delivery.ref, 0)) < (:key, :ref)
    ORDER BY event.sequence DESC, delivery.ref DESC LIMIT CAST(:most AS INTEGER)`),
  oldest: new Query<Place>(`
    ${OF_ACCOUNT} AND (event.ref, ifnull(delivery.ref, 0)) > (:key, :ref)
    ORDER BY event.sequence, delivery.ref LIMIT CAST(:most AS INTEGER)`),
} as const

function ofAccount(db: Connection, account: string, { order, since }: { order: Order; since: number }): Stream {
  const at = (ref: number): number => sequenceAt(db, account, ref)
  return (from, most) => {
    const span =
      order === 'newest'
        ? { after: at(since - 1), upTo: at(from.key) }
        : { after: at(Math.max(since, from.key) - 1), upTo: at(LAST.key) }
    return db.all(OF_ACCOUNT_IN[order], { account, ...span, ...from, most })
  }
}
