import type { OpenClaims, RowInLane } from './open-claims.sqlite.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'
import { loadSteady } from '../accounts/wait-rows.sqlite.ts'
import {
  comesAgain,
  type ForwardingAt,
  MOST_LOOKED_THROUGH,
  recoveryOf,
  type Sought,
  WOKEN_AT_ONCE,
} from '../../ledger/claims.ts'

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
export const IS_READY = `subscription = CAST(:subscription AS TEXT) AND state = 'pending' AND wake_at IS NULL AND turn IS NOT 0`
const IS_WAITING = `subscription = CAST(? AS TEXT) AND state = 'pending' AND wake_at IS NOT NULL AND turn IS NOT 0`
export const CHOSEN = 'json_each(:only) AS chosen CROSS JOIN deliveries ON deliveries.id = chosen.value'
const WAKE_OF = `
  UPDATE deliveries SET ${AWAKE}
  WHERE ref IN (
    SELECT ref FROM ${CHOSEN}
    WHERE subscription = :subscription AND state = 'pending' AND turn IS NOT 0 AND wake_at <= :now
  )`
export const READY: Readonly<Record<Sought, Query<Ref>>> = {
  oldest: readyRefs('deliveries INDEXED BY deliveries_ready', 'true', 'event'),
  newest: readyRefs('deliveries INDEXED BY deliveries_ready', 'true', 'event DESC'),
  tests: readyRefs('deliveries INDEXED BY deliveries_tests', 'test = 1', 'event'),
  chosen: readyRefs(CHOSEN, 'true', 'event'),
  'chosen tests': readyRefs(CHOSEN, 'test = 1', 'event'),
}
const NEXT_WAITING = new Query<{ at: number }>(`
  SELECT wake_at AS at FROM deliveries INDEXED BY deliveries_waiting WHERE ${IS_WAITING} ORDER BY wake_at LIMIT 1`)

export type Ref = Pick<RowInLane, 'ref'>

/** By an index alone, because those that are under way are among them: claims are in memory. */
function readyRefs(rows: string, condition: string, order: string): Query<Ref> {
  return new Query(`
    SELECT ref FROM ${rows}
    WHERE ${IS_READY} AND ${condition}
    ORDER BY ${order} LIMIT CAST(:most AS INTEGER)`)
}

/** A store, and what is under way of it. */
export interface WithClaims {
  readonly db: Connection
  readonly claims: OpenClaims
}

/**
 * How many ready rows are looked at to find as many as are wanted that may be claimed. Each row under way keeps one other from that
 * at most: itself, or the one that got the turn of its lane meanwhile.
 */
export function mostOf(claims: OpenClaims, subscription: string, wanted: number): number {
  return wanted + claims.amountOf(subscription)
}

/**
 * Makes ready what has come due. Asks first: that costs far less than an update that moves nothing, and most subscriptions have nothing to
 * move.
 */
export function wake(db: Connection, subscription: string, { now, most }: { now: number; most: number }): void {
  const wakeAt = nextWaking(db, subscription)
  if (wakeAt === null || wakeAt > now) return
  db.run(WAKE, { subscription, now, most: Math.max(most, WOKEN_AT_ONCE), aheadMs: loadSteady(db).aheadMs })
}

/** Makes ready what has come due of these deliveries alone: their ids as JSON. */
export function wakeOf(db: Connection, subscription: string, { now, only }: { now: number; only: string }): void {
  db.run(WAKE_OF, { subscription, now, only, aheadMs: loadSteady(db).aheadMs })
}

/** When the next row comes due that waits; null: none does. */
export function nextWaking(db: Connection, subscription: string): number | null {
  return db.one(NEXT_WAITING, subscription)?.at ?? null
}

// `claimed_by IS NULL` is the index's: only earlier versions wrote it.
const PUT_OFF = `
  FROM deliveries INDEXED BY deliveries_put_off
  WHERE subscription = CAST(:subscription AS TEXT) AND state = 'pending' AND wake_at IS NOT NULL AND claimed_by IS NULL
    AND turn IS NOT 0 AND resumes_at IS NULL AND (round = 0) = 0`
const ANY = new Query(`SELECT 1 ${PUT_OFF} LIMIT 1`)
const BRING_FORWARD = `
  UPDATE deliveries SET resumes_at = wake_at, wake_at = NULL, next_attempt_at = min(next_attempt_at, :now - :aheadMs)
  WHERE ref IN (
    SELECT ref FROM (SELECT ref, event, not_before ${PUT_OFF} ORDER BY event LIMIT ${MOST_LOOKED_THROUGH})
    WHERE ifnull(not_before <= :now, 1) AND event < :before
    ORDER BY event LIMIT CAST(:most AS INTEGER)
  )`
// Some at a time: the next claim finds the others.
const FORWARDED = `
  FROM deliveries INDEXED BY deliveries_forwarded
  WHERE subscription = CAST(:subscription AS TEXT) AND state = 'pending' AND wake_at IS NOT NULL AND claimed_by IS NULL
    AND turn IS NOT 0 AND resumes_at IS NOT NULL`
const ANY_FORWARDED = new Query<{ at: number | null }>(
  `SELECT not_before AS at ${FORWARDED} AND not_before IS NOT NULL ORDER BY not_before LIMIT 1`,
)
const FORWARD_AGAIN = `
  UPDATE deliveries SET resumes_at = NULL
  WHERE ref IN (SELECT ref ${FORWARDED} AND not_before <= :now ORDER BY not_before LIMIT ${MOST_LOOKED_THROUGH})`
const RECOVERED = 'UPDATE endpoints SET recovering = 0 WHERE subscription = ?'

/**
 * Makes rows of a recovering endpoint due, as `recoveryOf` has it; returns how many. Indexes are named, because SQLite knows no amounts.
 */
export function bringForward(db: Connection, { subscription, ...forwarding }: ForwardingAt): number {
  const { now } = forwarding
  const againAt = db.one(ANY_FORWARDED, { subscription })?.at ?? null
  if (comesAgain(againAt, now)) db.run(FORWARD_AGAIN, { subscription, now })
  const recovery = recoveryOf({ againAt, hasOthers: db.one(ANY, { subscription }) !== undefined })
  if (recovery === 'recovered') db.run(RECOVERED, subscription)
  if (recovery !== 'bring forward') return 0
  return db.run(BRING_FORWARD, { subscription, aheadMs: loadSteady(db).aheadMs, ...forwarding })
}
