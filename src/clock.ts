/** The only source of time. Instants are milliseconds since the Unix epoch. */
export interface Clock {
  /** Wall-clock time: timers, signatures, read times. */
  now(): number
  /** The day an account's due dates are judged against; differs from `now()` only where a simulated platform drives it. */
  calendarNow(account: string): number
  /** Resolves after `ms`, or at once when `signal` aborts; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Calls `act` once, after `ms`, unless it is disposed of before: what costs little where most timers never go off. */
  after(ms: number, act: () => void): Disposable
}

/** Node clamps longer timers to 1 ms, so longer sleeps end early and their loop looks again. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  calendarNow: () => Date.now(),
  sleep: async (ms, signal) => {
    if (signal?.aborted === true) return
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', end)
        resolve()
      }
      const timer = setTimeout(end, withinTimer(ms))
      signal?.addEventListener('abort', end)
    })
  },
  after: (ms, act) => setTimeout(act, withinTimer(ms)),
}

function withinTimer(ms: number): number {
  return Math.min(Math.max(ms, 0), LONGEST_TIMER_MS)
}
