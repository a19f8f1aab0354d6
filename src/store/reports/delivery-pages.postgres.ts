import { DELIVERY_STATES, type Delivery } from '../../model/delivery.ts'
import type { Page } from '../../model/page.ts'
import type { DeliveryQuery } from '../ports/log-query-port.ts'
import { DELIVERY_LIST, deliveryMatcher, MOST_ROWS_LOOKED_AT, UNDELIVERED } from './delivery-query.ts'
import { toDelivery } from '../deliveries/ledger-rows.ts'
import { FIRST, LAST, readPlace, type Order, type Place } from './place.ts'
import { sequenceAt } from '../accounts/account-sequence.postgres.ts'
import type { Transaction } from '../server/database.ts'
import { endpointNames, wholeDeferred } from '../endpoints/endpoint-reads.postgres.ts'
import { loadRows } from '../deliveries/ledger-rows.postgres.ts'
import { lowerBoundSince } from '../events/event-totals.postgres.ts'
import { NO_STREAMS, pageOf, type StreamPlace, type Streams } from './merged-places.postgres.ts'
import { Query, type BoundValues } from '../server/query.ts'

type ByOrder = Readonly<Record<Order, Query<StreamPlace>>>

const EVENT = new Query<{ ref: number }>('SELECT ref FROM events WHERE id = :eventId')
const AHEAD = new Query<{ ahead: number }>('SELECT ahead FROM steady_time')

const BEYOND = {
  newest: 'event >= :since AND event <= :key AND (event, ref) < (:key, :ref) ORDER BY event DESC',
  oldest: 'event >= greatest(:since::bigint, :key::bigint) AND (event, ref) > (:key, :ref) ORDER BY event',
} as const
const DESCENDING = { newest: 'DESC', oldest: 'ASC' } as const

const OF_ALL = ofBoth((order) => rowsOf('true', order))
const OF_EVENT = ofBoth((order) => rowsOf('event = :event', order))
// An event has one row of a subscription, so those of one subscription are in order without their `ref`.
const OF_STATE = ofBoth(
  (order) => `
    SELECT asked.nth, place.key, place.ref
    FROM unnest(:subscriptions::text[], :states::text[]) WITH ORDINALITY AS asked(subscription, state, nth)
      CROSS JOIN LATERAL (
        SELECT event AS key, ref FROM deliveries
        WHERE state = asked.state AND subscription = asked.subscription AND ${BEYOND[order]} LIMIT :most
      ) AS place`,
)
const FAILED = ofBoth(
  (order) => `
    SELECT asked.nth, place.key, place.ref
    FROM unnest(:subscriptions::text[]) WITH ORDINALITY AS asked(subscription, nth) CROSS JOIN LATERAL (
      SELECT event AS key, ref FROM deliveries
      WHERE subscription = asked.subscription AND last_error IS NOT NULL AND state IN ('pending', 'held', 'exhausted')
        AND ${BEYOND[order]} LIMIT :most
    ) AS place`,
)
// An event without rows counts as a place, too: it was looked at. The first event may have been shown already.
const OF_ACCOUNT = ofBoth((order) => {
  const beyond = `(event.ref, coalesce(delivery.ref, 0)) ${order === 'newest' ? '<' : '>'} (:key, :ref)`
  return `
    SELECT 1 AS nth, event.ref AS key, coalesce(delivery.ref, 0) AS ref
    FROM (
      SELECT ref, sequence FROM events
      WHERE coalesce(account, '') = :account AND sequence > :after AND sequence <= :upTo
      ORDER BY sequence ${DESCENDING[order]} LIMIT :most + 1
    ) AS event LEFT JOIN LATERAL (SELECT ref FROM deliveries WHERE deliveries.event = event.ref OFFSET 0) AS delivery ON true
    WHERE ${beyond} ORDER BY event.sequence ${DESCENDING[order]}, delivery.ref ${DESCENDING[order]} LIMIT :most`
})

function rowsOf(condition: string, order: Order): string {
  return `
    SELECT 1 AS nth, event AS key, ref FROM deliveries WHERE ${condition} AND ${BEYOND[order]}, ref ${DESCENDING[order]}
    LIMIT :most`
}

function ofBoth(sql: (order: Order) => string): ByOrder {
  return { newest: new Query(sql('newest')), oldest: new Query(sql('oldest')) }
}

/** `LogQueryStore.deliveryPage`, inside one read transaction. */
export async function deliveryPage(tx: Transaction, query: DeliveryQuery): Promise<Page<Delivery>> {
  const { cursor, limit, oldestFirst, undelivered } = query
  const order = oldestFirst === true ? 'oldest' : 'newest'
  const from = readPlace(cursor, DELIVERY_LIST) ?? (order === 'oldest' ? FIRST : LAST)
  const ahead = undelivered === undefined ? 0 : ((await tx.one(AHEAD))?.ahead ?? 0)
  const matches = deliveryMatcher(query, ahead)
  const load = async (refs: readonly number[]): Promise<ReadonlyMap<number, Delivery>> =>
    new Map((await loadRows(tx, refs)).filter(matches).map((row) => [row.ref, toDelivery(row)]))
  const most = Math.max(MOST_ROWS_LOOKED_AT, limit)
  return await pageOf(await streamsOf(tx, query, order), { from, order, load, limit, list: DELIVERY_LIST, most })
}

async function streamsOf(tx: Transaction, query: DeliveryQuery, order: Order): Promise<Streams> {
  const { account, cause, eventId, subscription } = query
  const since = query.since === undefined ? 0 : await lowerBoundSince(tx, query.since)
  if (eventId !== undefined) {
    const event = (await tx.one(EVENT, { eventId }))?.ref
    return event === undefined ? NO_STREAMS : rows(tx, OF_EVENT[order], { event, since })
  }
  const states = query.states ?? (query.undelivered === undefined ? undefined : UNDELIVERED)
  if (cause === undefined && subscription === undefined && states === undefined) {
    return account === undefined ? rows(tx, OF_ALL[order], { since }) : ofAccount(tx, account, { since, order })
  }
  const subscriptions = subscription === undefined ? await endpointNames(tx) : [subscription]
  if (cause !== undefined) {
    return { ...rows(tx, FAILED[order], { subscriptions, since }), amount: subscriptions.length }
  }
  const asked = await statesOf(tx, subscriptions, { ...query, states: states ?? DELIVERY_STATES })
  const values = { subscriptions: asked.map(([name]) => name), states: asked.map(([, state]) => state), since }
  return { ...rows(tx, OF_STATE[order], values), amount: asked.length }
}

/** No pending row is looked at where all of them wait to be sent together: a digest may be long. */
async function statesOf(
  tx: Transaction,
  subscriptions: readonly string[],
  { states, undelivered }: DeliveryQuery & Required<Pick<DeliveryQuery, 'states'>>,
): Promise<readonly (readonly [string, string])[]> {
  const waiting: ReadonlySet<string> = undelivered === undefined ? new Set() : await wholeDeferred(tx, undelivered.now)
  return subscriptions.flatMap((name) =>
    [...new Set(states)]
      .filter((state) => state !== 'pending' || !waiting.has(name))
      .map((state) => [name, state] as const),
  )
}

function rows(tx: Transaction, query: Query<StreamPlace>, values: BoundValues): Streams {
  return { amount: 1, fetch: async (from: Place, most) => await tx.all(query, { ...values, ...from, most }) }
}

function ofAccount(tx: Transaction, account: string, { order, since }: { order: Order; since: number }): Streams {
  const at = async (ref: number): Promise<number> => await sequenceAt(tx, account, ref)
  return {
    amount: 1,
    fetch: async (from, most) => {
      const span =
        order === 'newest'
          ? { after: await at(since - 1), upTo: await at(from.key) }
          : { after: await at(Math.max(since, from.key) - 1), upTo: await at(LAST.key) }
      return await tx.all(OF_ACCOUNT[order], { account, ...span, ...from, most })
    },
  }
}
