import type { Delivery } from '../../model/delivery.ts'
import { DELIVERY_STATES } from '../../model/delivery.ts'
import { failureCause } from '../../model/failure-cause.ts'
import type { Page } from '../../model/page.ts'
import type { DeliveryQuery } from '../log-query-port.ts'
import { sequenceAt } from './account-sequence.ts'
import type { Connection } from './connection.ts'
import { endpointNames } from './endpoint-rows.ts'
import { lowerBoundSince } from './log-totals.ts'
import { deferredRows } from './overviews.ts'
import { NEWEST, newestFirst, pageOf, readPlace, type Place, type Stream } from './newest-first.ts'
import { Query } from './query.ts'
import { loadSteady } from './wait-rows.ts'

const LIST = 'deliveries'

/** Rows that a page looks at where an index does not find just those that are asked for: some milliseconds. */
const MOST_LOOKED_AT = 300

const ROW = `
  SELECT delivery.id, event.id AS eventId, event.type, event.account, delivery.subscription, delivery.state,
    delivery.attempts, delivery.last_status AS lastStatus,
    CASE WHEN delivery.state = 'pending' AND delivery.wake_at IS NOT NULL AND delivery.claimed_by IS NULL
      THEN delivery.wake_at - (SELECT ahead FROM steady_time) ELSE delivery.next_attempt_at END AS nextAttemptAt,
    delivery.last_error AS lastError, event.expired_at AS payloadExpiredAt,
    (
      SELECT first.id FROM deliveries AS first
      WHERE delivery.turn = 0 AND first.turn = 1
        AND first.subscription = delivery.subscription AND first.lane = delivery.lane
    ) AS waitsFor,
    event.stored_at AS storedAt, delivery.test,
    CASE WHEN delivery.state = 'pending' AND delivery.claimed_by IS NULL AND delivery.round = 0
      AND delivery.turn IS NOT 0 THEN delivery.wake_at END AS deferredTo
  FROM deliveries AS delivery JOIN events AS event ON event.ref = delivery.event`
const BY_REF = new Query<Row>(`${ROW} WHERE delivery.ref = ?`)
const BY_ID = new Query<Row>(`${ROW} WHERE delivery.id = ?`)

/** A row with what the filters ask that no index serves. */
interface Row extends Delivery {
  readonly storedAt: number
  readonly test: number
  /** null unless it was put off without an attempt: when it wakes, in steady time. */
  readonly deferredTo: number | null
}

function toDelivery(row: Row): Delivery {
  return {
    id: row.id,
    eventId: row.eventId,
    type: row.type,
    account: row.account,
    subscription: row.subscription,
    state: row.state,
    attempts: row.attempts,
    waitsFor: row.waitsFor,
    nextAttemptAt: row.nextAttemptAt,
    lastStatus: row.lastStatus,
    lastError: row.lastError,
    payloadExpiredAt: row.payloadExpiredAt,
  }
}

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
  const row = db.one(BY_ID, id)
  return row === undefined ? null : toDelivery(row)
}

/** `LogQueryStore.deliveryPage`, inside one read transaction. */
export function deliveryPage(db: Connection, query: DeliveryQuery): Page<Delivery> {
  const matches = matcherOf(db, query)
  const load = (ref: number): Delivery | null => {
    const row = db.one(BY_REF, ref)
    return row !== undefined && matches(row) ? toDelivery(row) : null
  }
  const before = readPlace(query.cursor, LIST) ?? NEWEST
  const { limit } = query
  return pageOf(newestFirst(streamsOf(db, query), before), {
    load,
    limit,
    list: LIST,
    most: Math.max(MOST_LOOKED_AT, limit),
  })
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
  if (subscription === undefined && states === undefined) {
    return [query.account === undefined ? rows(db, OF_ALL, { from }) : ofAccount(db, query.account, from)]
  }
  return subscriptions.flatMap((name) =>
    [...new Set(states ?? DELIVERY_STATES)]
      .filter(
        (state) =>
          state !== 'pending' || query.undelivered === undefined || !waitsWhole(db, name, query.undelivered.now),
      )
      .map((state) => rows(db, OF_STATE, { subscription: name, state, from })),
  )
}

const UNDELIVERED = ['pending', 'held', 'exhausted'] as const
const PENDING = new Query<{ amount: number }>(`SELECT amount FROM tallies WHERE subscription = ? AND state = 'pending'`)

/** Whether all that is pending waits to be sent together: a digest may be long. */
function waitsWhole(db: Connection, subscription: string, now: number): boolean {
  return db.one(PENDING, subscription)?.amount === deferredRows(db, now, subscription)
}

function rows(db: Connection, query: Query<Place>, values: Readonly<Record<string, string | number>>): Stream {
  return (before, most) => db.all(query, { ...values, ...before, most })
}

// An event without rows counts as a place, too: it was looked at.
const OF_ACCOUNT = new Query<Place>(`
  SELECT event.ref AS key, ifnull(delivery.ref, 0) AS ref
  FROM events AS event INDEXED BY events_sequence LEFT JOIN deliveries AS delivery ON delivery.event = event.ref
  WHERE ifnull(event.account, '') = :account AND event.sequence > :after AND event.sequence <= :sequence
    AND (event.ref, ifnull(delivery.ref, 0)) < (:key, :ref)
  ORDER BY event.sequence DESC, delivery.ref DESC LIMIT CAST(:most AS INTEGER)`)

function ofAccount(db: Connection, account: string, from: number): Stream {
  const after = sequenceAt(db, account, from - 1)
  return (before, most) =>
    db.all(OF_ACCOUNT, { account, after, sequence: sequenceAt(db, account, before.key), ...before, most })
}

/** What no index has asked of a row. */
function matcherOf(db: Connection, query: DeliveryQuery): (row: Row) => boolean {
  const { account, cause, since, states, subscription, undelivered } = query
  const steadyNow = undelivered === undefined ? 0 : undelivered.now + loadSteady(db).aheadMs
  return (row) =>
    (account === undefined || row.account === account) &&
    (subscription === undefined || row.subscription === subscription) &&
    (since === undefined || row.storedAt >= since) &&
    (states === undefined || states.includes(row.state)) &&
    (undelivered === undefined || isUndelivered(row, steadyNow)) &&
    (cause === undefined || causeOf(row) === cause)
}

function isUndelivered({ deferredTo, state, test }: Row, steadyNow: number): boolean {
  if (test === 1 || state === 'delivered' || state === 'discarded') return false
  return deferredTo === null || deferredTo <= steadyNow
}

function causeOf({ lastError, lastStatus, state }: Row): string | null {
  if (lastError === null || state === 'delivered' || state === 'discarded') return null
  return failureCause({ status: lastStatus, error: lastError })
}
