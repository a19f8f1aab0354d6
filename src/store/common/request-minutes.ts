import type { Spending } from '../../model/account-limits.ts'
import type { RequestCount } from '../account-state-port.ts'

const MINUTE_MS = 60_000
const KEPT_MS = 7 * 24 * 60 * MINUTE_MS

/** Requests of one minute, which are counted together. */
export interface RequestMinute {
  readonly minute: number
  readonly amount: number
}

/** Minutes since the Unix epoch. */
export function minuteOf(at: number): number {
  return Math.floor(at / MINUTE_MS)
}

/** The first minute whose count still matters: older than a week, and than they count for, none does. */
export function oldestMinute({ at, countForMs = 0 }: RequestCount): number {
  return minuteOf(at - Math.max(KEPT_MS, countForMs))
}

/** As if all were sent at the minute's end, or at `now`. */
export function spendingOf({ amount, minute }: RequestMinute, now: number): Spending {
  return { at: Math.min((minute + 1) * MINUTE_MS, now), amount }
}
