import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'
import { loadSteady } from '../accounts/wait-rows.sqlite.ts'

/** How many rows with a long `Retry-After` are looked through for others. */
const MOST_LOOKED_AT = 1_000

// `claimed_by IS NULL` is the index's: only earlier versions wrote it.
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
 * Makes the oldest rows of a recovering endpoint due that wait for their schedule. Left alone is what a channel put off, what
 * `Retry-After` still holds back, and what failed a short while ago when it was brought forward. Returns how many. Where none
 * is left to wait, the endpoint has recovered (`endpoints.recovering`).
 *
 * A row keeps the instant at which it was due (`resumes_at`) and falls back to it when it fails. It may be brought forward again
 * after a minute, then after twice as long each time (`not_before`). So an event that is refused for what it is does not come
 * with each recovery, and one that a short relapse refused does not wait out its whole step. How many come at once is the
 * circuit's to say (`plan/circuit.ts`).
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
