import type { AccountPause } from '../model/account-limits.ts'

/** How long an account stays quiet after failures (guarantee D9). Instants and durations are milliseconds. */
export interface Backoff {
  /** Failed requests in a row; failures in parallel count once. */
  readonly failures: number
  readonly refusals: number
  readonly throttles: number
  /** No request is sent before. */
  readonly notBefore: number
  /** When that was decided. */
  readonly decidedAt: number
  /** When the last counted failure's answer arrived. */
  readonly failedAt: number
}

const NEVER = Number.NEGATIVE_INFINITY

export const CALM: Backoff = {
  failures: 0,
  refusals: 0,
  throttles: 0,
  notBefore: NEVER,
  decidedAt: NEVER,
  failedAt: NEVER,
}

/** `declined`: something is not for this key, or an item fails that others do not share; it says nothing of anything else. */
export type RequestResult = 'success' | 'failure' | 'refused' | 'declined' | 'throttled'

export interface RequestReport {
  readonly result: RequestResult
  readonly sentAt: number
  readonly answeredAt: number
  /** From `Retry-After`: a floor for every request of the account. */
  readonly retryAfterMs: number | null
}

const FAILURE_FIRST_MS = 1_000
const FAILURE_MOST_MS = 5 * 60_000
const PROBE_FIRST_MS = 15_000
const PROBE_MOST_MS = 15 * 60_000
const JITTER = 0.1

/**
 * What a request's end does to the back-off. A request that was already under way when the last failure arrived says nothing
 * new: failures in parallel count once, and a success sent before a failure does not end the back-off.
 */
export function afterRequest(backoff: Backoff, report: RequestReport, random: number): Backoff {
  const { answeredAt, retryAfterMs } = report
  const overlapped = report.sentAt <= backoff.failedAt && backoff.failedAt <= answeredAt
  const floor = retryAfterMs === null || retryAfterMs <= 0 ? NEVER : answeredAt + retryAfterMs
  const quiet = (notBefore: number): Pick<Backoff, 'notBefore' | 'decidedAt'> => ({ notBefore, decidedAt: answeredAt })
  if (overlapped) return floor > backoff.notBefore ? { ...backoff, ...quiet(floor) } : backoff
  const wait = (first: number, most: number, count: number): number =>
    Math.max(floor, answeredAt + delay({ first, most, count, random }))
  switch (report.result) {
    case 'success':
      return isCalm(backoff) ? backoff : CALM
    case 'declined':
      return backoff
    case 'throttled': {
      const throttles = backoff.throttles + 1
      const notBefore = floor === NEVER ? wait(FAILURE_FIRST_MS, FAILURE_MOST_MS, throttles) : floor
      return { ...backoff, throttles, ...quiet(notBefore), failedAt: answeredAt }
    }
    case 'failure': {
      const failures = backoff.failures + 1
      return { ...backoff, failures, ...quiet(wait(FAILURE_FIRST_MS, FAILURE_MOST_MS, failures)), failedAt: answeredAt }
    }
    case 'refused': {
      const refusals = backoff.refusals + 1
      const notBefore = Math.max(floor, answeredAt + probeDelay(refusals, random))
      return { ...backoff, refusals, ...quiet(notBefore), failedAt: answeredAt }
    }
    default:
      return report.result satisfies never
  }
}

/** A back-off on a clock that was set back: what was decided lasts as long as it was to last, counted from `now`. */
export function rebase(backoff: Backoff, now: number): Backoff {
  const setBack = backoff.decidedAt - now
  if (setBack <= 0) return backoff
  return { ...backoff, notBefore: backoff.notBefore - setBack, decidedAt: now, failedAt: backoff.failedAt - setBack }
}

/** While not calm, one request at a time probes the platform. */
export function isCalm(backoff: Backoff): boolean {
  return backoff.failures === 0 && backoff.refusals === 0 && backoff.throttles === 0
}

/** How long what was refused so often in a row is left alone. */
export function probeDelay(count: number, random: number): number {
  return delay({ first: PROBE_FIRST_MS, most: PROBE_MOST_MS, count, random })
}

/** Doubles from `first` with each count, plus up to a tenth at random, at most `most`. */
export function delay(step: { first: number; most: number; count: number; random: number }): number {
  const doubled = step.first * 2 ** Math.min(step.count - 1, 30)
  return Math.min(doubled * (1 + JITTER * step.random), step.most)
}

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
