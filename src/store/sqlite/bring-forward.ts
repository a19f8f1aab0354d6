import type { Connection } from './connection.ts'
import { Query } from './query.ts'
import { loadSteady } from './wait-rows.ts'

/** Of what asked to be left alone for longer, so much is looked through for what did not. */
const MOST_LOOKED_AT = 1_000

const PUT_OFF = `
  FROM deliveries INDEXED BY deliveries_put_off
  WHERE subscription = CAST(:subscription AS TEXT) AND state = 'pending' AND wake_at IS NOT NULL AND claimed_by IS NULL
    AND turn IS NOT 0 AND resumes_at IS NULL AND (round = 0) = 0`
const ANY = new Query(`SELECT 1 ${PUT_OFF} LIMIT 1`)
const BRING_FORWARD = `
  UPDATE deliveries SET resumes_at = wake_at, wake_at = NULL, next_attempt_at = min(next_attempt_at, :now - :aheadMs)
  WHERE ref IN (
    SELECT ref FROM (SELECT ref, event, not_before ${PUT_OFF} ORDER BY event LIMIT ${MOST_LOOKED_AT})
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
  WHERE ref IN (SELECT ref ${FORWARDED} AND not_before <= :now ORDER BY not_before LIMIT ${MOST_LOOKED_AT})`
const RECOVERED = 'UPDATE endpoints SET recovering = 0 WHERE subscription = ?'

export interface Forwarding {
  readonly subscription: string
  /** In steady time. */
  readonly now: number
  /** Only rows of older events. */
  readonly before: number
  readonly most: number
}

/**
 * Makes the oldest rows of a recovering endpoint due that wait for their schedule: not what a channel put off, nor what
 * `Retry-After` still holds back, nor what failed a short while ago when it was brought forward. Returns how many. Where none
 * is left to wait, the endpoint has recovered.
 */
export function bringForward(db: Connection, { subscription, ...forwarding }: Forwarding): number {
  const againAt = db.one(ANY_FORWARDED, { subscription })?.at ?? null
  if (againAt !== null && againAt <= forwarding.now) db.run(FORWARD_AGAIN, { subscription, now: forwarding.now })
  if (db.one(ANY, { subscription }) === undefined) {
    if (againAt === null) db.run(RECOVERED, subscription)
    return 0
  }
  return db.run(BRING_FORWARD, { subscription, aheadMs: loadSteady(db).aheadMs, ...forwarding })
}
