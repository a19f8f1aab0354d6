/** Longer timers fire at once in Node. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

export interface Deadline {
  /** Aborts when the time is up, or with the caller's signal. */
  readonly signal: AbortSignal
  hasPassed(): boolean
  /** Frees the timer and lets go of the caller's signal. */
  end(): void
}

/** One deadline for a whole exchange: undici's own time-outs are coarse, and a dripping body never trips them. */
export function startDeadline(timeoutMs: number, caller: AbortSignal | undefined): Deadline {
  const controller = new AbortController()
  let passed = false
  const timer = setTimeout(
    () => {
      passed = true
      controller.abort()
    },
    Math.min(timeoutMs, LONGEST_TIMER_MS),
  )
  const follow = (): void => controller.abort()
  caller?.addEventListener('abort', follow, { once: true })
  return {
    signal: controller.signal,
    hasPassed: () => passed,
    end: () => {
      clearTimeout(timer)
      caller?.removeEventListener('abort', follow)
    },
  }
}
