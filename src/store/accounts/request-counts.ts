import type { Spending } from '../../model/account-limits.ts'
import type { RequestCount } from '../ports/account-state-port.ts'

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

/** What was spent, as if all requests were sent at the minute's end, or at `now`. */
export function spendingOf({ amount, minute }: RequestMinute, now: number): Spending {
  return { at: Math.min((minute + 1) * MINUTE_MS, now), amount }
}

const SLICE_MS = 5_000
/** A request is counted before it is sent, and takes a while to be. */
const ON_ITS_WAY_MS = 5_000
/** What is older counts by its minute. */
const SLICED_MS = 10 * MINUTE_MS

/** The beginning of the seconds whose requests are counted together. */
export function sliceOf(at: number): number {
  return Math.floor(at / SLICE_MS) * SLICE_MS
}

/** The first slice that still matters. */
export function oldestSlice(at: number): number {
  return sliceOf(at - SLICED_MS)
}

/** A minute of which is known, as far as it is, in which seconds its requests were counted; the earliest first. */
export interface SlicedMinute extends RequestMinute {
  readonly slices: readonly { readonly since: number; readonly amount: number }[]
}

/** What is not known to be older counts as `spendingOf` says. */
export function spendingsOf({ amount, minute, slices }: SlicedMinute, now: number): readonly Spending[] {
  const latest = spendingOf({ amount, minute }, now)
  const known = slices.map((each) => ({
    at: Math.min(each.since + SLICE_MS + ON_ITS_WAY_MS, latest.at),
    amount: each.amount,
  }))
  const rest = amount - known.reduce((sum, each) => sum + each.amount, 0)
  return rest > 0 ? [...known, { ...latest, amount: rest }] : known
}
