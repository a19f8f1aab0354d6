import { toWaiting, type WaitingRow } from './claimed-delivery.ts'
import type { ClaimAmong, WaitingDelivery, WaitingRequest } from '../ports/delivery-port.ts'
import {
  bringForward,
  CHOSEN,
  IS_READY,
  mostOf,
  nextWaking,
  READY,
  wake,
  wakeOf,
  type WithClaims,
} from './ready-rows.sqlite.ts'
import type { OpenClaim, RowInLane } from './open-claims.sqlite.ts'
import { gateAt } from '../endpoints/endpoint-store.sqlite.ts'
import { Query } from '../file/query.ts'

const WAITING = waitingAmong('deliveries INDEXED BY deliveries_ready', 'true')
const WAITING_OF = waitingAmong(CHOSEN, 'true')
const TESTS_WAITING = waitingAmong('deliveries INDEXED BY deliveries_tests', 'test = 1')
const TESTS_WAITING_OF = waitingAmong(CHOSEN, 'test = 1')

function waitingAmong(rows: string, condition: string): Query<WaitingRow & RowInLane> {
  return new Query(`
    SELECT deliveries.ref, lane, turn, deliveries.id, subscription, round, next_attempt_at, stored_at,
      account, cause, resource, subject_id
    FROM ${rows} CROSS JOIN events ON events.ref = deliveries.event
    WHERE ${IS_READY} AND ${condition}
    ORDER BY event LIMIT CAST(:most AS INTEGER)`)
}

/**
 * `DeliveryStore.waiting`, inside the caller's write transaction. Endpoint by endpoint, because a statement of SQLite is no round trip;
 * nobody else gathers, because only the process that holds the store's lock sends.
 */
export function waiting(
  store: WithClaims,
  { now, most, only, among, forward }: WaitingRequest,
): readonly WaitingDelivery[] {
  return [...most].flatMap(([subscription, amount]) => {
    if (amount <= 0) return []
    const sought = { subscription, now, most: amount }
    const choice = { among: among?.get(subscription), forward: forward?.get(subscription) ?? 1 }
    const rows = only === undefined ? waitingRows(store, sought, choice) : waitingOf(store, sought, only)
    return rows.map(toWaiting)
  })
}

interface Looked {
  readonly subscription: string
  readonly now: number
  readonly most: number
}

function waitingRows(
  store: WithClaims,
  looked: Looked,
  { among, forward }: { readonly among: ClaimAmong | undefined; readonly forward: number },
): readonly WaitingRow[] {
  const { db } = store
  const { subscription, now, most } = looked
  const gate = gateAt(db, subscription)
  wake(db, subscription, looked)
  if (gate === 'shut' || among === 'tests') return freeWaiting(store, TESTS_WAITING, looked)
  const before = Number.MAX_SAFE_INTEGER
  if (gate === 'recovering' && forward > 0) bringForward(db, { subscription, now, before, most })
  const oldest = freeWaiting(store, WAITING, looked)
  if (oldest.length < most) return oldest
  const seen = new Set(oldest.map(({ id }) => id))
  return [...oldest, ...freeWaiting(store, TESTS_WAITING, looked).filter(({ id }) => !seen.has(id))]
}

function waitingOf(store: WithClaims, looked: Looked, ids: readonly string[]): readonly WaitingRow[] {
  const { db } = store
  const { subscription, now } = looked
  const only = JSON.stringify(ids)
  wakeOf(db, subscription, { now, only })
  const query = gateAt(db, subscription) === 'shut' ? TESTS_WAITING_OF : WAITING_OF
  return freeWaiting(store, query, { ...looked, only })
}

function freeWaiting(
  { db, claims }: WithClaims,
  query: Query<WaitingRow & RowInLane>,
  { subscription, now, most, only }: Looked & { readonly only?: string },
): readonly WaitingRow[] {
  const values = { subscription, most: mostOf(claims, subscription, most), ...(only !== undefined && { only }) }
  const isFree = (row: RowInLane) =>
    !claims.isUnderWay(subscription, row.ref, now) && !claims.waitsInLane(subscription, row)
  return db.all(query, values).filter(isFree).slice(0, most)
}

const PLACE = new Query<ReadyPlace>('SELECT ref, lane, turn, next_attempt_at AS dueAt FROM deliveries WHERE ref = ?')
const IS_PENDING = new Query(`SELECT 1 FROM deliveries WHERE ref = ? AND id = ? AND state = 'pending'`)

interface ReadyPlace extends RowInLane {
  readonly dueAt: number
}

/** `DeliveryStore.nextDueAt`, inside the caller's transaction. Row by row, because claims are in memory, and SQLite has no LATERAL. */
export function nextDueAt(store: WithClaims, subscriptions: readonly string[]): number | null {
  let next: number | null = null
  for (const subscription of subscriptions) {
    const testsOnly = gateAt(store.db, subscription) === 'shut'
    const waits = testsOnly ? null : nextWaking(store.db, subscription)
    for (const at of [readyAt(store, subscription, testsOnly), waits, endOfClaims(store, subscription, testsOnly)])
      if (at !== null && (next === null || at < next)) next = at
  }
  return next
}

/** When the oldest row came due that is ready, and of which nothing is under way; null: there is none. */
function readyAt({ db, claims }: WithClaims, subscription: string, testsOnly: boolean): number | null {
  const refs = db.all(READY[testsOnly ? 'tests' : 'oldest'], { subscription, most: mostOf(claims, subscription, 1) })
  for (const { ref } of refs) {
    if (claims.has(subscription, ref)) continue
    const row = db.one(PLACE, ref)
    if (row !== undefined && !claims.waitsInLane(subscription, row)) return row.dueAt
  }
  return null
}

/** When the first row that is under way, and pending still, may be taken by others; null: there is none. */
function endOfClaims({ db, claims }: WithClaims, subscription: string, testsOnly: boolean): number | null {
  const isPending = ({ id, ref, test }: OpenClaim) =>
    (test === 1 || !testsOnly) && db.one(IS_PENDING, ref, id) !== undefined
  let first: number | null = null
  for (const claim of claims.of(subscription))
    if ((first === null || claim.until < first) && isPending(claim)) first = claim.until
  return first
}
