import { comesAgain, type Forwarding, MOST_LOOKED_THROUGH, recoveryOf } from '../../ledger/claims.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'
import { loadSteady } from '../accounts/wait-rows.sqlite.ts'

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

export interface ForwardingAt extends Forwarding {
  readonly subscription: string
  /** The present instant of steady time. */
  readonly now: number
}

/** Makes rows of a recovering endpoint due, as `recoveryOf` has it; returns how many. */
export function bringForward(db: Connection, { subscription, ...forwarding }: ForwardingAt): number {
  const { now } = forwarding
  const againAt = db.one(ANY_FORWARDED, { subscription })?.at ?? null
  if (comesAgain(againAt, now)) db.run(FORWARD_AGAIN, { subscription, now })
  const recovery = recoveryOf({ againAt, hasOthers: db.one(ANY, { subscription }) !== undefined })
  if (recovery === 'recovered') db.run(RECOVERED, subscription)
  if (recovery !== 'bring forward') return 0
  return db.run(BRING_FORWARD, { subscription, aheadMs: loadSteady(db).aheadMs, ...forwarding })
}
