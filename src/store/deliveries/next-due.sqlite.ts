import type { OpenClaim, RowInLane } from './open-claims.sqlite.ts'
import { gateAt } from '../endpoints/endpoint-store.sqlite.ts'
import { Query } from '../file/query.ts'
import { mostOf, nextWaking, READY, READY_TESTS, type WithClaims } from './ready-rows.sqlite.ts'

const PLACE = new Query<ReadyPlace>('SELECT ref, lane, turn, next_attempt_at AS dueAt FROM deliveries WHERE ref = ?')
const IS_PENDING = new Query(`SELECT 1 FROM deliveries WHERE ref = ? AND id = ? AND state = 'pending'`)

interface ReadyPlace extends RowInLane {
  readonly dueAt: number
}

/** `DeliveryStore.nextDueAt`, inside the caller's transaction. */
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
  const refs = db.all(testsOnly ? READY_TESTS : READY, { subscription, most: mostOf(claims, subscription, 1) })
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
