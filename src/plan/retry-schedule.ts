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
  /** Jitter, in [0, 1). */
  readonly random: number
  /** Where the attempt was brought forward: when it was due. */
  readonly resumesAt?: number | null
}

export interface Retry {
  readonly at: number
  /** What `Retry-After` asks for: the row is not brought forward before. */
  readonly notBefore?: number
  /** `false`: the attempt was none of the schedule's. */
  readonly scheduled?: false
}

/**
 * When a failed delivery is attempted again (guarantee S3): the schedule with additive jitter of 0 to 20 %, never
 * before what `Retry-After` asks for (at most 24 h), or not at all once the schedule has ended. An attempt that was brought
 * forward takes none of the retries: the next is when it was due.
 */
export function nextRetry({
  attempts,
  retryMs,
  retryAfterMs,
  now,
  random,
  resumesAt = null,
}: FailedAttempt): Retry | 'exhausted' {
  const floor = now + Math.min(retryAfterMs ?? 0, LONGEST_RETRY_AFTER_MS)
  const asked = retryAfterMs === null ? {} : { notBefore: floor }
  if (resumesAt !== null && resumesAt > now) return { at: Math.max(resumesAt, floor), ...asked, scheduled: false }
  const scheduled = retryMs[attempts - 1]
  if (scheduled === undefined) return 'exhausted'
  return { at: Math.max(now + Math.round(scheduled * (1 + JITTER * random)), floor), ...asked }
}
