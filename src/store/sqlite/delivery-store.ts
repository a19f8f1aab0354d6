import type { ConfiguredSubscription } from '../configured-subscription.ts'
import type { ClaimedDelivery, ClaimRequest, DeliveryStore, WaitingDelivery, WaitingRequest } from '../ports.ts'
import { BodyReader, type StoredBody } from './bodies.ts'
import type { Connection } from './connection.ts'
import { endpointStore } from './endpoint-facts.ts'
import { endpointNames, settleRows } from './endpoint-gate.ts'
import { type EventRow, toEvent } from './event-rows.ts'
import { forgetNotifiedDates } from './notified-date-rows.ts'
import { Query } from './query.ts'
import { loadRests } from './rest-rows.ts'
import { settleDeliveries } from './settle-deliveries.ts'
import { loadSteady, saveSteady } from './steady-row.ts'

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
  WHERE subscription = ? AND state = 'pending' AND turn IS NOT 0 AND wake_at IS NOT NULL
    AND claimed_by IS NULL AND round = 0 AND test = 0`
const WAKE = `
  UPDATE deliveries INDEXED BY deliveries_waiting SET wake_at = NULL, next_attempt_at = min(next_attempt_at, wake_at - ?)
  WHERE subscription = ? AND state = 'pending' AND turn IS NOT 0 AND wake_at <= ?`
// A cast keeps SQLite from preparing a statement anew each time: it does where a parameter could decide on a partial index,
// or limits how many rows are found.
const IS_READY = `subscription = CAST(:subscription AS TEXT) AND state = 'pending' AND wake_at IS NULL AND turn IS NOT 0`
const IS_WAITING = `subscription = CAST(? AS TEXT) AND state = 'pending' AND wake_at IS NOT NULL AND turn IS NOT 0`
const READY_ROWS = `
  SELECT ref, id, subscription, round, event, next_attempt_at FROM deliveries INDEXED BY deliveries_ready
  WHERE ${IS_READY}`
const READY = new Query<ClaimRow>(`${READY_ROWS} ORDER BY event LIMIT CAST(:slots AS INTEGER)`)
const READY_OF = new Query<ClaimRow>(`
  ${READY_ROWS} AND id IN (SELECT value FROM json_each(:only)) ORDER BY event LIMIT CAST(:slots AS INTEGER)`)
// What was due by a clock that was ahead is due now: a command that asks for it meanwhile is told by a later instant.
const TAKE = `
  UPDATE deliveries SET claimed_by = ?, wake_at = ?, next_attempt_at = min(next_attempt_at, ?) WHERE ref = ?`
const WAITING = new Query<WaitingRow>(waitingAmong('deliveries_ready', 'true'))
const TESTS_WAITING = new Query<WaitingRow>(waitingAmong('deliveries_tests', 'test = 1'))
const RECOVER = `
  UPDATE deliveries SET claimed_by = NULL, wake_at = NULL
  WHERE subscription = ? AND state IN ('pending', 'held', 'discarded') AND claimed_by IS NOT NULL`
const NEXT_READY = new Query<{ at: number }>(`
  SELECT next_attempt_at AS at FROM deliveries INDEXED BY deliveries_ready WHERE ${IS_READY} ORDER BY event LIMIT 1`)
const NEXT_WAITING = new Query<{ at: number }>(`
  SELECT wake_at AS at FROM deliveries INDEXED BY deliveries_waiting WHERE ${IS_WAITING} ORDER BY wake_at LIMIT 1`)
const EVENT = new Query<EventRow>('SELECT * FROM events WHERE ref = ?')

interface ClaimRow {
  readonly ref: number
  readonly id: string
  readonly subscription: string
  readonly round: number
  readonly event: number
  readonly next_attempt_at: number
}

interface WaitingRow
  extends Pick<EventRow, 'account' | 'cause' | 'resource' | 'stored_at'>, Omit<ClaimRow, 'ref' | 'event'> {}

function waitingAmong(index: string, condition: string): string {
  return `
    SELECT deliveries.id, subscription, round, next_attempt_at, stored_at, account, cause, resource
    FROM deliveries INDEXED BY ${index} JOIN events ON events.ref = deliveries.event
    WHERE ${IS_READY} AND ${condition}
      AND (:only IS NULL OR deliveries.id IN (SELECT value FROM json_each(:only)))
    ORDER BY event LIMIT CAST(:most AS INTEGER)`
}

export function deliveryStore(db: Connection): DeliveryStore {
  return {
    ...endpointStore(db),
    syncSubscriptions: (subscriptions, at) => db.write(() => syncSubscriptions(db, subscriptions, at)),
    claim: (request) => db.write(() => claim(db, request)),
    waiting: (request) => db.write(() => waiting(db, request)),
    rests: () => db.read(() => loadRests(db)),
    settle: (owner, settlements) => db.write(() => settleDeliveries(db, owner, settlements)),
    recoverClaims: () =>
      db.write(() => endpointNames(db).reduce((recovered, name) => recovered + db.run(RECOVER, name), 0)),
    nextDueAt: (subscriptions) => db.read(() => nextDueAt(db, subscriptions ?? endpointNames(db))),
    steadyTime: () => db.read(() => loadSteady(db)),
    keepSteadyTime: (mark) =>
      db.write(() => {
        saveSteady(db, mark)
        for (const name of endpointNames(db)) db.run(UNDEFER, name)
      }),
  }
}

function syncSubscriptions(db: Connection, subscriptions: readonly ConfiguredSubscription[], at: number): void {
  db.run('UPDATE endpoints SET configured = 0')
  for (const subscription of subscriptions) configure(db, subscription)
  for (const name of endpointNames(db)) {
    settleRows(db, name, at)
    db.run(UNDEFER, name)
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
function claim(
  db: Connection,
  { owner, now, wallNow = now, leaseMs, slots, only }: ClaimRequest,
): readonly ClaimedDelivery[] {
  const rows: ClaimRow[] = []
  const among = only === undefined ? {} : { only: JSON.stringify(only) }
  for (const [subscription, amount] of slots) {
    if (amount <= 0) continue
    wake(db, subscription, now)
    const ready = db.all(only === undefined ? READY : READY_OF, { subscription, slots: amount, ...among })
    for (const { ref } of ready) db.run(TAKE, owner, now + leaseMs, wallNow, ref)
    rows.push(...ready)
  }
  const events = eventReader(db)
  return rows
    .sort((a, b) => a.event - b.event)
    .flatMap(({ id, subscription, round, event, next_attempt_at: dueAt }) =>
      events(event).map((found) => claimedDelivery({ id, subscription, attempts: round, dueAt }, found)),
    )
}

function waiting(db: Connection, { now, most, only }: WaitingRequest): readonly WaitingDelivery[] {
  const among = only === undefined ? null : JSON.stringify(only)
  return [...most].flatMap(([subscription, amount]) => {
    if (amount <= 0) return []
    wake(db, subscription, now)
    const sought = { subscription, most: amount, only: among }
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

/** Asking costs far less than moving nothing, and most have nothing to move. */
function wake(db: Connection, subscription: string, now: number): void {
  const wakeAt = db.one(NEXT_WAITING, subscription)?.at
  if (wakeAt !== undefined && wakeAt <= now) db.run(WAKE, loadSteady(db).aheadMs, subscription, now)
}

interface ClaimedEvent extends Pick<ClaimedDelivery, 'event' | 'rangAt'> {
  readonly object: StoredBody | null
}

/** The bytes of its record are unpacked where they are asked for: whoever sends many need not wait for the last. */
function claimedDelivery(
  row: Pick<ClaimedDelivery, 'id' | 'subscription' | 'attempts' | 'dueAt'>,
  { event, object, rangAt }: ClaimedEvent,
): ClaimedDelivery {
  const delivery = { ...row, rangAt, event }
  if (object === null) return delivery
  return {
    ...delivery,
    get objectJson() {
      return object.json
    },
  }
}

/** Reads events by `ref`, each once, however many subscriptions hear it. */
function eventReader(db: Connection): (ref: number) => readonly ClaimedEvent[] {
  const bodies = new BodyReader(db)
  const known = new Map<number, readonly ClaimedEvent[]>()
  return (ref) => {
    const events = known.get(ref) ?? db.all(EVENT, ref).map((row) => claimedEvent(row, bodies))
    known.set(ref, events)
    return events
  }
}

function claimedEvent(row: EventRow, bodies: BodyReader): ClaimedEvent {
  return { rangAt: row.stored_at, event: toEvent(row, bodies), object: bodies.find(row.object_body) }
}

function nextDueAt(db: Connection, subscriptions: readonly string[]): number | null {
  let next: number | null = null
  for (const subscription of subscriptions) {
    for (const due of [db.one(NEXT_READY, { subscription }), db.one(NEXT_WAITING, subscription)]) {
      const at = due?.at ?? null
      if (at !== null && (next === null || at < next)) next = at
    }
  }
  return next
}
