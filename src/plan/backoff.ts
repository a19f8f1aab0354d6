/** How long an account stays quiet after failures (contract section 3.9). Instants and durations are milliseconds. */
export interface Backoff {
  /** Failed requests in a row; failures in parallel count once. */
  readonly failures: number
  readonly refusals: number
  readonly throttles: number
  /** No request is sent before. */
  readonly notBefore: number
  /** When the last counted failure's answer arrived. */
  readonly failedAt: number
}

export const CALM: Backoff = {
  failures: 0,
  refusals: 0,
  throttles: 0,
  notBefore: 0,
  failedAt: Number.NEGATIVE_INFINITY,
}

export type RequestResult = 'success' | 'failure' | 'refused' | 'throttled'

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
 * A clock set back (`failedAt` after this answer) lets every answer count.
 */
export function afterRequest(backoff: Backoff, report: RequestReport, random: number): Backoff {
  const overlapped = report.sentAt <= backoff.failedAt && backoff.failedAt <= report.answeredAt
  const floor = report.retryAfterMs === null ? 0 : report.answeredAt + report.retryAfterMs
  const floored = { ...backoff, notBefore: Math.max(backoff.notBefore, floor) }
  if (overlapped) return floored
  const quiet = (first: number, most: number, count: number): number =>
    Math.max(floor, report.answeredAt + delay({ first, most, count, random }))
  switch (report.result) {
    case 'success':
      return floor === 0 && isCalm(backoff) ? backoff : { ...CALM, notBefore: floor }
    case 'throttled': {
      const throttles = backoff.throttles + 1
      const notBefore = floor > 0 ? floor : quiet(FAILURE_FIRST_MS, FAILURE_MOST_MS, throttles)
      return { ...floored, throttles, notBefore: Math.max(notBefore, floored.notBefore), failedAt: report.answeredAt }
    }
    case 'failure': {
      const failures = backoff.failures + 1
      return {
        ...backoff,
        failures,
        notBefore: quiet(FAILURE_FIRST_MS, FAILURE_MOST_MS, failures),
        failedAt: report.answeredAt,
      }
    }
    case 'refused': {
      const refusals = backoff.refusals + 1
      return {
        ...backoff,
        refusals,
        notBefore: quiet(PROBE_FIRST_MS, PROBE_MOST_MS, refusals),
        failedAt: report.answeredAt,
      }
    }
    default:
      return report.result satisfies never
  }
}

/** While not calm, one request at a time probes the platform. */
export function isCalm(backoff: Backoff): boolean {
  return backoff.failures === 0 && backoff.refusals === 0 && backoff.throttles === 0
}

/** Doubles from `first` with each count, plus up to a tenth at random, at most `most`. */
export function delay(step: { first: number; most: number; count: number; random: number }): number {
  const doubled = step.first * 2 ** Math.min(step.count - 1, 30)
  return Math.min(doubled * (1 + JITTER * step.random), step.most)
}
