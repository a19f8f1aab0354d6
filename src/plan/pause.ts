import type { AccountPause } from '../model/account-limits.ts'
import { CALM, isCalm, rebase, type Backoff, type RequestResult } from './backoff.ts'

/** As long as any `Retry-After` is believed: a clock that was set says no more than that. */
const LONGEST_MS = 86_400_000

/**
 * What the next process has to know of a back-off after a request; null: nothing. The probe of a refused key is not handed
 * on: a restart, most likely with another key, asks at once.
 */
export function pauseAfter(backoff: Backoff, result: RequestResult, reason: string): AccountPause | null {
  if (isCalm(backoff) || result === 'refused') return null
  const { failures, throttles, notBefore, decidedAt } = backoff
  return { failures, throttles, notBefore, decidedAt, reason }
}

/** The back-off that goes on where another process left it. */
export function resume(pause: AccountPause, now: number): Backoff {
  const { failures, throttles, notBefore, decidedAt } = pause
  const backoff = rebase({ ...CALM, failures, throttles, notBefore, decidedAt }, now)
  return { ...backoff, notBefore: Math.min(backoff.notBefore, now + LONGEST_MS) }
}
