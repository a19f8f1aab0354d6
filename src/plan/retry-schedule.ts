const LONGEST_RETRY_AFTER_MS = 24 * 3_600_000
const JITTER = 0.2

export interface FailedAttempt {
  /** Attempts made so far, the one that just failed included: 1 after the first. */
  readonly attempts: number
  /** The schedule: n entries are n retries after the first attempt. */
  readonly retryMs: readonly number[]
  /** What the answer's `Retry-After` asks for, from `now`; null where it asks for nothing. */
  readonly retryAfterMs: number | null
  readonly now: number
  /** In [0, 1). */
  readonly random: number
}

/**
 * When a failed delivery is attempted again (contract section 6): the schedule with additive jitter of 0 to 20 %, never
 * before what `Retry-After` asks for (at most 24 h), or not at all once the schedule has ended.
 */
export function nextRetry({
  attempts,
  retryMs,
  retryAfterMs,
  now,
  random,
}: FailedAttempt): { readonly at: number } | 'exhausted' {
  const scheduled = retryMs[attempts - 1]
  if (scheduled === undefined) return 'exhausted'
  const floor = Math.min(retryAfterMs ?? 0, LONGEST_RETRY_AFTER_MS)
  return { at: now + Math.max(Math.round(scheduled * (1 + JITTER * random)), floor) }
}
