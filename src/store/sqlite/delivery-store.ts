import type {
  ClaimAmong,
  ClaimRequest,
  ClaimedDelivery,
  DeliveryStore,
  WaitingDelivery,
  WaitingRequest,
} from '../delivery-port.ts'
import {
  claimedDelivery,
  claimedEvent,
  type ClaimedEvent,
  type ClaimedRow,
  toWaiting,
  type WaitingRow,
} from '../common/claimed-delivery.ts'
import { BodyReader } from './bodies.ts'
import { bringForward } from './bring-forward.ts'
import type { Connection } from './connection.ts'
import { endpointNames, endpointStore, gateOf } from './endpoint-rows.ts'
import type { EventRow } from '../common/event-row.ts'
import { Query } from './query.ts'
import { loadCooldowns, loadSteady, saveSteady } from './wait-rows.ts'
import { settleDeliveries } from './settle-deliveries.ts'
import { reconsiderAll, syncSubscriptions } from './sync-subscriptions.ts'

/** Rows that come due at one instant are woken claim by claim, where no more are asked for. */
const WOKEN_AT_ONCE = 1_000

const AWAKE = 'wake_at = NULL, next_attempt_at = min(next_attempt_at, wake_at - :aheadMs)'
const WAKE = `
  UPDATE deliveries SET ${AWAKE}
  WHERE ref IN (
    SELECT ref FROM deliveries INDEXED BY deliveries_waiting
    WHERE subscription = CAST(:subscription AS TEXT) AND state = 'pending' AND turn IS NOT 0 AND wake_at <= :now
    ORDER BY wake_at LIMIT CAST(:most AS INTEGER)
  )`
// SQLite prepares a statement anew at each use where a parameter could decide whether a partial index applies, or is a LIMIT.
// A cast keeps it from doing so: worth 6 to 80 µs in every hot path over `deliveries` or `records`.
const IS_READY = `subscription = CAST(:subscription AS TEXT) AND state = 'pending' AND wake_at IS NULL AND turn IS NOT 0`
const IS_WAITING = `subscription = CAST(? AS TEXT) AND state = 'pending' AND wake_at IS NOT NULL AND turn IS NOT 0`
const CHOSEN = 'json_each(:only) AS chosen CROSS JOIN deliveries ON deliveries.id = chosen.value'
const WAKE_OF = `
  UPDATE deliveries SET ${AWAKE}
  WHERE ref IN (
    SELECT ref FROM ${CHOSEN}
    WHERE subscription = :subscription AND state = 'pending' AND turn IS NOT 0 AND wake_at <= :now
  )`
const READY = readyRows('deliveries INDEXED BY deliveries_ready', 'true', 'event')
const READY_NEWEST = readyRows('deliveries INDEXED BY deliveries_ready', 'true', 'event DESC')
const READY_TESTS = readyRows('deliveries INDEXED BY deliveries_tests', 'test = 1', 'event')
const READY_OF = readyRows(CHOSEN, 'true', 'event')
const READY_TESTS_OF = readyRows(CHOSEN, 'test = 1', 'event')
// What was due by a clock that was ahead is due now. An instant later than now then shows that a command asked for the row meanwhile.
const TAKE = `
  UPDATE deliveries SET claimed_by = ?, wake_at = ?, next_attempt_at = min(next_attempt_at, ?)
  WHERE ref IN (SELECT value FROM json_each(?))`
const WAITING = waitingAmong('deliveries INDEXED BY deliveries_ready', 'true')
const WAITING_OF = waitingAmong(CHOSEN, 'true')
const TESTS_WAITING = waitingAmong('deliveries INDEXED BY deliveries_tests', 'test = 1')
const TESTS_WAITING_OF = waitingAmong(CHOSEN, 'test = 1')
const RECOVER = `
  UPDATE deliveries SET claimed_by = NULL, wake_at = NULL
  WHERE subscription = ? AND state IN ('pending', 'held', 'discarded') AND claimed_by IS NOT NULL`
const NEXT_READY = nextReady('deliveries_ready', 'true')
const NEXT_TEST = nextReady('deliveries_tests', 'test = 1')
const NEXT_WAITING = new Query<{ at: number }>(`
  SELECT wake_at AS at FROM deliveries INDEXED BY deliveries_waiting WHERE ${IS_WAITING} ORDER BY wake_at LIMIT 1`)
const EVENTS = new Query<EventRow>('SELECT events.* FROM json_each(?) CROSS JOIN events ON events.ref = value')

interface ClaimRow extends ClaimedRow {
  readonly ref: number
}

function readyRows(rows: string, condition: string, order: string): Query<ClaimRow> {
  return new Query(`
    SELECT ref, deliveries.id, subscription, round, event, next_attempt_at, resumes_at, last_told FROM ${rows}
    WHERE ${IS_READY} AND ${condition}
    ORDER BY ${order} LIMIT CAST(:slots AS INTEGER)`)
}

function nextReady(index: string, condition: string): Query<{ at: number }> {
  return new Query(`
    SELECT next_attempt_at AS at FROM deliveries INDEXED BY ${index} WHERE ${IS_READY} AND ${condition} ORDER BY event LIMIT 1`)
}

function waitingAmong(rows: string, condition: string): Query<WaitingRow> {
  return new Query(`
    SELECT deliveries.id, subscription, round, next_attempt_at, stored_at, account, cause, resource
    FROM ${rows} CROSS JOIN events ON events.ref = deliveries.event
    WHERE ${IS_READY} AND ${condition}
    ORDER BY event LIMIT CAST(:most AS INTEGER)`)
}

export function deliveryStore(db: Connection): DeliveryStore {
  // Events of one change are seldom claimed all at once: what the last claim unpacked is at hand for the next.
  let bodies: BodyReader | undefined
  return {
    ...endpointStore(db),
    syncSubscriptions: (subscriptions, at) => db.write(() => syncSubscriptions(db, subscriptions, at)),
    claim: (request) => {
      bodies = new BodyReader(db, bodies)
      const reader = bodies
      return db.write(() => claim(db, request, reader))
    },
    waiting: (request) => db.write(() => waiting(db, request)),
    cooldowns: () => db.read(() => loadCooldowns(db)),
    settle: (owner, attemptResults) => {
      db.countSettled(attemptResults.length)
      return db.write(() => settleDeliveries(db, owner, attemptResults))
    },
    recoverClaims: () =>
      db.write(() => endpointNames(db).reduce((recovered, name) => recovered + db.run(RECOVER, name), 0)),
    nextDueAt: (subscriptions) => db.read(() => nextDueAt(db, subscriptions ?? endpointNames(db))),
    steadyTime: () => db.read(() => loadSteady(db)),
    keepSteadyTime: (mark) =>
      db.write(() => {
        saveSteady(db, mark)
        reconsiderAll(db, mark.latest - mark.aheadMs)
      }),
  }
}

/**
 * Rows that came due since the last claim are moved among the ready ones first, each once per wait, so that the oldest event
 * is found without looking through a backlog of rows that are ready or waiting.
 */
function claim(
  db: Connection,
  { owner, now, wallNow = now, leaseMs, slots, only, among, forward }: ClaimRequest,
  bodies: BodyReader,
): readonly ClaimedDelivery[] {
  const rows: ClaimRow[] = []
  for (const [subscription, amount] of slots) {
    if (amount <= 0) continue
    const choice = { only, among: among?.get(subscription), forward: forward?.get(subscription) ?? amount }
    const ready = readyOf(db, { subscription, now, slots: amount, ...choice })
    rows.push(...ready)
  }
  if (rows.length === 0) return []
  const refs = rows.map(({ ref }) => ref)
  db.run(TAKE, owner, now + leaseMs, wallNow, JSON.stringify(refs))
  const events = readEvents(db, rows, bodies)
  return rows
    .sort((a, b) => a.event - b.event)
    .flatMap((row) => {
      const event = events.get(row.event)
      return event === undefined ? [] : [claimedDelivery(row, event)]
    })
}

interface Sought {
  readonly subscription: string
  readonly now: number
  readonly slots: number
  readonly only: readonly string[] | undefined
  readonly among: ClaimAmong | undefined
  readonly forward: number
}

function readyOf(db: Connection, { only, among, forward, ...sought }: Sought): readonly ClaimRow[] {
  const { subscription, now, slots } = sought
  const gate = gateOf(db, subscription)
  const testsOnly = gate === 'shut' || among === 'tests'
  if (only !== undefined) {
    const chosen = { ...sought, only: JSON.stringify(only) }
    db.run(WAKE_OF, { subscription, now, only: chosen.only, aheadMs: loadSteady(db).aheadMs })
    return db.all(testsOnly ? READY_TESTS_OF : READY_OF, chosen)
  }
  wake(db, subscription, { now, most: slots })
  if (testsOnly) return db.all(READY_TESTS, sought)
  if (among === 'newest') return db.all(READY_NEWEST, sought)
  const ready = db.all(READY, sought)
  const most = forward - ready.filter(({ resumes_at: at }) => (at ?? 0) > now).length
  if (gate === 'open' || most <= 0) return ready
  const before = (ready.length < slots ? undefined : ready.at(-1)?.event) ?? Number.MAX_SAFE_INTEGER
  return bringForward(db, { subscription, now, before, most }) > 0 ? db.all(READY, sought) : ready
}

function waiting(db: Connection, { now, most, only, among, forward }: WaitingRequest): readonly WaitingDelivery[] {
  return [...most].flatMap(([subscription, amount]) => {
    if (amount <= 0) return []
    const sought = { subscription, now, most: amount }
    const choice = { among: among?.get(subscription), forward: forward?.get(subscription) ?? 1 }
    const rows = only === undefined ? waitingRows(db, sought, choice) : waitingOf(db, sought, only)
    return rows.map(toWaiting)
  })
}

interface Looked {
  readonly subscription: string
  readonly now: number
  readonly most: number
}

function waitingRows(
  db: Connection,
  looked: Looked,
  { among, forward }: Pick<Sought, 'among' | 'forward'>,
): readonly WaitingRow[] {
  const { subscription, now, most } = looked
  const gate = gateOf(db, subscription)
  wake(db, subscription, looked)
  if (gate === 'shut' || among === 'tests') return db.all(TESTS_WAITING, { ...looked })
  const before = Number.MAX_SAFE_INTEGER
  if (gate === 'recovering' && forward > 0) bringForward(db, { subscription, now, before, most })
  const oldest = db.all(WAITING, { ...looked })
  if (oldest.length < most) return oldest
  const seen = new Set(oldest.map(({ id }) => id))
  return [...oldest, ...db.all(TESTS_WAITING, { ...looked }).filter(({ id }) => !seen.has(id))]
}

function waitingOf(db: Connection, looked: Looked, ids: readonly string[]): readonly WaitingRow[] {
  const { subscription, now } = looked
  const only = JSON.stringify(ids)
  db.run(WAKE_OF, { subscription, now, only, aheadMs: loadSteady(db).aheadMs })
  return db.all(gateOf(db, subscription) === 'shut' ? TESTS_WAITING_OF : WAITING_OF, { ...looked, only })
}

/** Asks first: that costs far less than an update that moves nothing, and most subscriptions have nothing to move. */
function wake(db: Connection, subscription: string, { now, most }: { now: number; most: number }): void {
  const wakeAt = db.one(NEXT_WAITING, subscription)?.at
  if (wakeAt === undefined || wakeAt > now) return
  db.run(WAKE, { subscription, now, most: Math.max(most, WOKEN_AT_ONCE), aheadMs: loadSteady(db).aheadMs })
}

/** The events of these rows by `ref`, each once, however many subscriptions get it. */
function readEvents(db: Connection, rows: readonly ClaimRow[], bodies: BodyReader): ReadonlyMap<number, ClaimedEvent> {
  const refs = new Set(rows.map(({ event }) => event))
  const read = db.all(EVENTS, JSON.stringify([...refs]))
  return new Map(read.map((row) => [row.ref, claimedEvent(row, bodies)]))
}

function nextDueAt(db: Connection, subscriptions: readonly string[]): number | null {
  let next: number | null = null
  for (const subscription of subscriptions) {
    const sends = gateOf(db, subscription) !== 'shut'
    const ready = db.one(sends ? NEXT_READY : NEXT_TEST, { subscription })
    for (const due of [ready, sends ? db.one(NEXT_WAITING, subscription) : undefined]) {
      const at = due?.at ?? null
      if (at !== null && (next === null || at < next)) next = at
    }
  }
  return next
}
