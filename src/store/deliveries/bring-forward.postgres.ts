import { comesAgain, type Forwarding, MOST_LOOKED_THROUGH, recoveryOf } from '../../ledger/claims.ts'
import type { Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'

const WAITS = `
  FROM deliveries
  WHERE subscription = :subscription AND state = 'pending' AND wake_at IS NOT NULL AND turn IS DISTINCT FROM 0`
const PUT_OFF = `${WAITS} AND resumes_at IS NULL AND least(round, 1) = 1`
const FORWARDED = `${WAITS} AND resumes_at IS NOT NULL AND not_before`

const ANY = new Query(`SELECT 1 ${PUT_OFF} LIMIT 1`)
const ANY_FORWARDED = new Query<{ at: number }>(
  `SELECT not_before AS at ${FORWARDED} IS NOT NULL ORDER BY not_before LIMIT 1`,
)
// Some at a time: the next claim finds the others.
const FORWARD_AGAIN = new Query(`
  UPDATE deliveries SET resumes_at = NULL
  WHERE ref IN (SELECT ref ${FORWARDED} <= :now ORDER BY not_before LIMIT ${MOST_LOOKED_THROUGH})`)
const BRING_FORWARD = new Query(`
  UPDATE deliveries SET resumes_at = wake_at, wake_at = NULL,
    next_attempt_at = least(next_attempt_at, :now - (SELECT ahead FROM steady_time))
  WHERE ref IN (
    SELECT ref FROM (
      SELECT ref, event, not_before ${PUT_OFF} ORDER BY event LIMIT ${MOST_LOOKED_THROUGH}
    ) AS oldest
    WHERE coalesce(not_before <= :now, true) AND event < :before ORDER BY event LIMIT :most
  )`)
const RECOVERED = new Query('UPDATE endpoints SET recovering = 0 WHERE subscription = :subscription')

export interface ForwardingAt extends Forwarding {
  readonly subscription: string
  /** The present instant of steady time. */
  readonly now: number
}

/** Makes rows of a recovering endpoint due, as `recoveryOf` has it; returns how many. The endpoint is held. */
export async function bringForward(tx: Transaction, { subscription, ...forwarding }: ForwardingAt): Promise<number> {
  const { now } = forwarding
  const againAt = (await tx.one(ANY_FORWARDED, { subscription }))?.at ?? null
  if (comesAgain(againAt, now)) await tx.run(FORWARD_AGAIN, { subscription, now })
  const recovery = recoveryOf({ againAt, hasOthers: (await tx.one(ANY, { subscription })) !== undefined })
  if (recovery === 'recovered') await tx.run(RECOVERED, { subscription })
  if (recovery !== 'bring forward') return 0
  return await tx.run(BRING_FORWARD, { subscription, ...forwarding })
}
