/** Longer timers fire at once in Node. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

export interface Deadline {
  hasPassed(): boolean
  /** Frees the timer and lets go of the caller's signal. */
  end(): void
}

/**
 * One deadline for a whole exchange: undici's own time-outs are coarse, and a dripping body never trips them. `cut` is called
 * when the time is up, or when the caller's signal aborts.
 */
export function startDeadline(timeoutMs: number, caller: AbortSignal | undefined, cut: () => void): Deadline {
  let passed = false
  const timer = setTimeout(
    () => {
      passed = true
      cut()
    },
    Math.min(timeoutMs, LONGEST_TIMER_MS),
  )
  caller?.addEventListener('abort', cut, { once: true })
  return {
    hasPassed: () => passed,
    end: () => {
      clearTimeout(timer)
      caller?.removeEventListener('abort', cut)
    },
  }
}
