import type { AccountPause } from '../model/account-limits.ts'
import { CALM, isCalm, rebase, type Backoff, type RequestResult } from './backoff.ts'

/** The longest `Retry-After` that is believed. A longer wait comes of a clock that was set. */
const LONGEST_MS = 86_400_000

/** Back-offs of our own are not longer. */
const TOLD_AFTER_MS = 15 * 60_000

/** Whether people are told of a wait. */
export function isLongWait(since: number, until: number): boolean {
  return until - since > TOLD_AFTER_MS
}

/**
 * What the next process has to know of a back-off after a request; null: nothing. The probe of a refused key is not handed
 * on: a restart, most likely with another key, asks at once.
 */
export function pauseAfter(backoff: Backoff, result: RequestResult, reason: string): AccountPause | null {
  if (isCalm(backoff) || result === 'refused') return null
  const { failures, throttles, notBefore, decidedAt } = backoff
  return { failures, throttles, notBefore, decidedAt, reason, isTold: true }
}

/** The back-off that goes on where another process left it. */
export function resume(pause: AccountPause, now: number): Backoff {
  const { failures, throttles, notBefore, decidedAt } = pause
  const backoff = rebase({ ...CALM, failures, throttles, notBefore, decidedAt }, now)
  return { ...backoff, notBefore: Math.min(backoff.notBefore, now + LONGEST_MS) }
}
