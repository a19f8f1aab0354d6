import type { ConfiguredSubscription } from '../configured-subscription.ts'
import type { ClaimedDelivery, ClaimRequest, DeliveryStore, WaitingDelivery, WaitingRequest } from '../ports.ts'
import { BodyReader } from './bodies.ts'
import type { Connection } from './connection.ts'
import { endpointStore } from './endpoint-facts.ts'
import { endpointNames, settleRows } from './endpoint-gate.ts'
import { type EventRow, toEvent } from './event-rows.ts'
import { forgetNotifiedDates } from './notified-date-rows.ts'
import { Query } from './query.ts'
import { loadRests } from './rest-rows.ts'
import { settleDelivery } from './settle-delivery.ts'

const CONFIGURE = `
  INSERT INTO endpoints (subscription, configured, enabled, ordered) VALUES (:subscription, 1, :enabled, :ordered)
  ON CONFLICT DO UPDATE SET configured = 1, enabled = :enabled`
const REORDER = 'UPDATE endpoints SET ordered = :ordered WHERE subscription = :subscription AND ordered <> :ordered'
const QUEUE = `
  UPDATE deliveries SET turn = 0
  WHERE subscription = ? AND state IN ('pending', 'held', 'discarded') AND (state <> 'discarded' OR claimed_by IS NOT NULL)`
const UNQUEUE = 'UPDATE deliveries SET turn = NULL WHERE subscription = ? AND turn IS NOT NULL'
// What no attempt put off was put off by the channel as it was configured: the one of today decides anew.
const UNDEFER = `
  UPDATE deliveries INDEXED BY deliveries_waiting
  SET wake_at = NULL, next_attempt_at = (SELECT stored_at FROM events WHERE events.ref = deliveries.event)
  WHERE subscription = ? AND state = 'pending' AND turn IS NOT 0 AND wake_at > ?
    AND claimed_by IS NULL AND round = 0 AND test = 0`
const WAKE = `
  UPDATE deliveries INDEXED BY deliveries_waiting SET wake_at = NULL
  WHERE subscription = ? AND state = 'pending' AND turn IS NOT 0 AND wake_at <= ?`
const CLAIM = new Query<ClaimRow>(`
  UPDATE deliveries SET claimed_by = :owner, wake_at = :until
  WHERE ref IN (
    SELECT ref FROM deliveries INDEXED BY deliveries_ready
    WHERE subscription = :subscription AND state = 'pending' AND wake_at IS NULL AND turn IS NOT 0
      AND next_attempt_at <= :now
      AND (:only IS NULL OR id IN (SELECT value FROM json_each(:only)))
    ORDER BY event LIMIT :slots
  )
  RETURNING id, subscription, round, event, next_attempt_at`)
const WAITING = new Query<WaitingRow>(waitingAmong('deliveries_ready', 'true'))
const TESTS_WAITING = new Query<WaitingRow>(waitingAmong('deliveries_tests', 'test = 1'))
const RECOVER = `
  UPDATE deliveries SET claimed_by = NULL, wake_at = NULL
  WHERE subscription = ? AND state IN ('pending', 'held', 'discarded') AND claimed_by IS NOT NULL`
const NEXT_READY = new Query<{ at: number }>(`
  SELECT next_attempt_at AS at FROM deliveries INDEXED BY deliveries_ready
  WHERE subscription = ? AND state = 'pending' AND wake_at IS NULL AND turn IS NOT 0 ORDER BY event LIMIT 1`)
const NEXT_WAITING = new Query<{ at: number }>(`
  SELECT wake_at AS at FROM deliveries INDEXED BY deliveries_waiting
  WHERE subscription = ? AND state = 'pending' AND wake_at IS NOT NULL AND turn IS NOT 0 ORDER BY wake_at LIMIT 1`)
const NEXT_OF = new Query<{ at: number | null }>(`
  SELECT min(ifnull(wake_at, next_attempt_at)) AS at FROM deliveries
  WHERE id IN (SELECT value FROM json_each(:only)) AND subscription IN (SELECT value FROM json_each(:subscriptions))
    AND state = 'pending' AND turn IS NOT 0`)
const EVENT = new Query<EventRow>('SELECT * FROM events WHERE ref = ?')

interface ClaimRow {
  readonly id: string
  readonly subscription: string
  readonly round: number
  readonly event: number
  readonly next_attempt_at: number
}

interface WaitingRow extends Pick<EventRow, 'account' | 'cause' | 'resource' | 'stored_at'>, Omit<ClaimRow, 'event'> {}

function waitingAmong(index: string, condition: string): string {
  return `
    SELECT deliveries.id, subscription, round, next_attempt_at, stored_at, account, cause, resource
    FROM deliveries INDEXED BY ${index} JOIN events ON events.ref = deliveries.event
    WHERE subscription = :subscription AND state = 'pending' AND wake_at IS NULL AND turn IS NOT 0 AND ${condition}
      AND next_attempt_at <= :now
      AND (:only IS NULL OR deliveries.id IN (SELECT value FROM json_each(:only)))
    ORDER BY event LIMIT :most`
}

export function deliveryStore(db: Connection): DeliveryStore {
  return {
    ...endpointStore(db),
    syncSubscriptions: (subscriptions, at) => db.write(() => syncSubscriptions(db, subscriptions, at)),
    claim: (request) => db.write(() => claim(db, request)),
    waiting: (request) => db.write(() => waiting(db, request)),
    rests: () => db.read(() => loadRests(db)),
    settle: (owner, settlements) =>
      db.write(() => {
        for (const settlement of settlements) settleDelivery(db, owner, settlement)
      }),
    recoverClaims: () =>
      db.write(() => endpointNames(db).reduce((recovered, name) => recovered + db.run(RECOVER, name), 0)),
    nextDueAt: (subscriptions, only) =>
      db.read(() => {
        const names = subscriptions ?? endpointNames(db)
        return only === undefined ? nextDueAt(db, names) : nextDueOf(db, names, only)
      }),
  }
}

function syncSubscriptions(db: Connection, subscriptions: readonly ConfiguredSubscription[], at: number): void {
  db.run('UPDATE endpoints SET configured = 0')
  for (const subscription of subscriptions) configure(db, subscription)
  for (const name of endpointNames(db)) {
    settleRows(db, name, at)
    db.run(UNDEFER, name, at)
  }
  const careless = subscriptions.filter(({ minShiftMs }) => (minShiftMs ?? null) === null)
  forgetNotifiedDates(
    db,
    careless.map(({ name }) => name),
  )
}

function configure(db: Connection, { name, enabled, order = 'none' }: ConfiguredSubscription): void {
  const endpoint = { subscription: name, ordered: order === 'subject' ? 1 : 0 }
  db.run(CONFIGURE, { ...endpoint, enabled: enabled ? 1 : 0 })
  if (db.run(REORDER, endpoint) > 0) db.run(order === 'subject' ? QUEUE : UNQUEUE, name)
}

/**
 * Rows that came due since the last claim are moved among the ready ones first, each once per wait, so that the oldest event
 * is found without looking through a backlog of rows that are ready or waiting.
 */
function claim(db: Connection, { owner, now, leaseMs, slots, only }: ClaimRequest): readonly ClaimedDelivery[] {
  const rows: ClaimRow[] = []
  for (const [subscription, amount] of slots) {
    if (amount <= 0 || !wakeReady(db, subscription, now)) continue
    const among = only === undefined ? null : JSON.stringify(only)
    rows.push(...db.all(CLAIM, { owner, until: now + leaseMs, subscription, now, slots: amount, only: among }))
  }
  const events = eventReader(db)
  return rows
    .sort((a, b) => a.event - b.event)
    .flatMap(({ id, subscription, round, event, next_attempt_at: dueAt }) =>
      events(event).map((found) => ({ id, subscription, attempts: round, dueAt, ...found })),
    )
}

function waiting(db: Connection, { now, most, only }: WaitingRequest): readonly WaitingDelivery[] {
  const among = only === undefined ? null : JSON.stringify(only)
  return [...most].flatMap(([subscription, amount]) => {
    if (amount <= 0 || !wakeReady(db, subscription, now)) return []
    const sought = { subscription, now, most: amount, only: among }
    const oldest = db.all(WAITING, sought)
    const seen = new Set(oldest.map(({ id }) => id))
    const tests = oldest.length < amount ? [] : db.all(TESTS_WAITING, sought).filter(({ id }) => !seen.has(id))
    return [...oldest, ...tests].map(toWaiting)
  })
}

function toWaiting({ id, subscription, account, cause, resource, ...row }: WaitingRow): WaitingDelivery {
  const { round: attempts, next_attempt_at: dueAt, stored_at: rangAt } = row
  return { id, subscription, attempts, dueAt, rangAt, event: { account, cause, subject: { resource } } }
}

/** Whether there are ready rows now. Asking costs far less than moving and claiming nothing, and most have nothing to do. */
function wakeReady(db: Connection, subscription: string, now: number): boolean {
  const wakeAt = db.one(NEXT_WAITING, subscription)?.at
  if (wakeAt !== undefined && wakeAt <= now) db.run(WAKE, subscription, now)
  return db.one(NEXT_READY, subscription) !== undefined
}

/** Reads events by `ref`, each document once. */
function eventReader(db: Connection) {
  const bodies = new BodyReader(db)
  return (ref: number) => db.all(EVENT, ref).map((row) => ({ rangAt: row.stored_at, event: toEvent(row, bodies) }))
}

function nextDueAt(db: Connection, subscriptions: readonly string[]): number | null {
  let next: number | null = null
  for (const subscription of subscriptions) {
    for (const query of [NEXT_READY, NEXT_WAITING]) {
      const at = db.one(query, subscription)?.at ?? null
      if (at !== null && (next === null || at < next)) next = at
    }
  }
  return next
}

function nextDueOf(db: Connection, subscriptions: readonly string[], only: readonly string[]): number | null {
  const among = { only: JSON.stringify(only), subscriptions: JSON.stringify(subscriptions) }
  return db.one(NEXT_OF, among)?.at ?? null
}
