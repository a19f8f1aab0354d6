import type { Delivery } from '../../model/delivery.ts'
import { DELIVERY_STATES } from '../../model/delivery.ts'
import { failureCause } from '../../model/failure-cause.ts'
import type { Page } from '../../model/page.ts'
import type { DeliveryQuery } from '../log-query-port.ts'
import type { Connection } from './connection.ts'
import { endpointNames } from './endpoint-rows.ts'
import { lowerBoundSince } from './log-totals.ts'
import { NEWEST, newestFirst, pageOf, readPlace, type Place, type Stream } from './newest-first.ts'
import { Query } from './query.ts'
import { loadSteady } from './wait-rows.ts'

const LIST = 'deliveries'

/** Rows that a page looks at where an index does not find just those that are asked for: some milliseconds. */
const MOST_LOOKED_AT = 1_000

const DELIVERY = `
  SELECT delivery.id, event.id AS eventId, event.type, event.account, delivery.subscription, delivery.state,
    delivery.attempts, delivery.last_status AS lastStatus,
    CASE WHEN delivery.state = 'pending' AND delivery.wake_at IS NOT NULL AND delivery.claimed_by IS NULL
      THEN delivery.wake_at - (SELECT ahead FROM steady_time) ELSE delivery.next_attempt_at END AS nextAttemptAt,
    delivery.last_error AS lastError, event.expired_at AS payloadExpiredAt,
    (
      SELECT first.id FROM deliveries AS first
      WHERE delivery.turn = 0 AND first.turn = 1
        AND first.subscription = delivery.subscription AND first.lane = delivery.lane
    ) AS waitsFor
  FROM deliveries AS delivery JOIN events AS event ON event.ref = delivery.event`
const BY_REF = new Query<Delivery>(`${DELIVERY} WHERE delivery.ref = ?`)
const BY_ID = new Query<Delivery>(`${DELIVERY} WHERE delivery.id = ?`)

/** What the filters that no index serves ask of a row. */
interface Facts extends Pick<Delivery, 'subscription' | 'state' | 'account' | 'lastStatus' | 'lastError'> {
  readonly storedAt: number
  readonly test: number
  /** null unless it was put off without an attempt: when it wakes, in steady time. */
  readonly deferredTo: number | null
}

const FACTS = new Query<Facts>(`
  SELECT delivery.subscription, delivery.state, delivery.last_status AS lastStatus, delivery.last_error AS lastError,
    delivery.test, event.account, event.stored_at AS storedAt,
    CASE WHEN delivery.state = 'pending' AND delivery.claimed_by IS NULL AND delivery.round = 0
      AND delivery.turn IS NOT 0 THEN delivery.wake_at END AS deferredTo
  FROM deliveries AS delivery JOIN events AS event ON event.ref = delivery.event WHERE delivery.ref = ?`)

const EVENT = new Query<{ ref: number }>('SELECT ref FROM events WHERE id = ?')
const OF_ALL = stream('deliveries', 'true')
const OF_EVENT = stream('deliveries', 'event = :event')
const OF_STATE = stream('deliveries INDEXED BY deliveries_state', 'state = :state AND subscription = :subscription')
const FAILED = stream(
  'deliveries INDEXED BY deliveries_failed',
  `subscription = :subscription AND last_error IS NOT NULL AND state IN ('pending', 'held', 'exhausted')`,
)

function stream(rows: string, condition: string): Query<Place> {
  return new Query(`
    SELECT event AS key, ref FROM ${rows}
    WHERE ${condition} AND event >= :from AND event <= :key AND (event, ref) < (:key, :ref)
    ORDER BY event DESC, ref DESC LIMIT CAST(:most AS INTEGER)`)
}

export function loadDelivery(db: Connection, id: string): Delivery | null {
  return db.one(BY_ID, id) ?? null
}

/** `LogQueryStore.deliveryPage`, inside one read transaction. */
export function deliveryPage(db: Connection, query: DeliveryQuery): Page<Delivery> {
  const matches = matcherOf(db, query)
  const load = (ref: number): Delivery | null => {
    if (matches !== null) {
      const facts = db.one(FACTS, ref)
      if (facts === undefined || !matches(facts)) return null
    }
    return db.one(BY_REF, ref) ?? null
  }
  const places = newestFirst(streamsOf(db, query), readPlace(query.cursor, LIST) ?? NEWEST)
  const { limit } = query
  return pageOf(places, { load, limit, list: LIST, most: Math.max(MOST_LOOKED_AT, limit) })
}

function streamsOf(db: Connection, query: DeliveryQuery): readonly Stream[] {
  const { cause, eventId, subscription } = query
  const from = query.since === undefined ? 0 : lowerBoundSince(db, query.since)
  if (eventId !== undefined) {
    const event = db.one(EVENT, eventId)?.ref
    return event === undefined ? [] : [rows(db, OF_EVENT, { event, from })]
  }
  const subscriptions = subscription === undefined ? endpointNames(db) : [subscription]
  if (cause !== undefined) return subscriptions.map((name) => rows(db, FAILED, { subscription: name, from }))
  const states = query.states ?? (query.undelivered === undefined ? undefined : UNDELIVERED)
  if (subscription === undefined && states === undefined) return [rows(db, OF_ALL, { from })]
  return subscriptions.flatMap((name) =>
    [...new Set(states ?? DELIVERY_STATES)].map((state) => rows(db, OF_STATE, { subscription: name, state, from })),
  )
}

const UNDELIVERED = ['pending', 'held', 'exhausted'] as const

function rows(db: Connection, query: Query<Place>, values: Readonly<Record<string, string | number>>): Stream {
  return (before, most) => db.all(query, { ...values, ...before, most })
}

/** What is left to be asked of the rows of the streams; null: nothing. */
function matcherOf(db: Connection, query: DeliveryQuery): ((facts: Facts) => boolean) | null {
  const { account, cause, eventId, since, states, subscription, undelivered } = query
  const plain = account === undefined && cause === undefined && eventId === undefined && since === undefined
  if (plain && undelivered === undefined) return null
  const steadyNow = undelivered === undefined ? 0 : undelivered.now + loadSteady(db).aheadMs
  return (facts) =>
    (account === undefined || facts.account === account) &&
    (subscription === undefined || facts.subscription === subscription) &&
    (since === undefined || facts.storedAt >= since) &&
    (states === undefined || states.includes(facts.state)) &&
    (undelivered === undefined || isUndelivered(facts, steadyNow)) &&
    (cause === undefined || causeOf(facts) === cause)
}

function isUndelivered({ deferredTo, state, test }: Facts, steadyNow: number): boolean {
  if (test === 1 || state === 'delivered' || state === 'discarded') return false
  return deferredTo === null || deferredTo <= steadyNow
}

function causeOf({ lastError, lastStatus, state }: Facts): string | null {
  if (lastError === null || state === 'delivered' || state === 'discarded') return null
  return failureCause({ status: lastStatus, error: lastError })
}
