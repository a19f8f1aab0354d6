import { LONGEST_SLEEP_MS, type AccountContext } from '../account-context.ts'

/** A calendar of its own may run many times faster than the timers. */
const LOOK_AT_SIMULATED_EVERY_MS = 250
const SIMULATED_FROM_MS = 1_000
const SHORTEST_PAUSE_MS = 50

/** How long a timer sleeps for which the first of some waits (milliseconds) ends: neither at once again, nor for longer than a clock is trusted. */
export function timerPauseMs(
  { longestSleepMs = LONGEST_SLEEP_MS }: Pick<AccountContext, 'longestSleepMs'>,
  waits: readonly number[],
): number {
  return Math.max(Math.min(longestSleepMs, ...waits), SHORTEST_PAUSE_MS)
}

/** The pause of a timer that goes by an account's calendar, whose present is `today`. */
export function calendarPauseMs(
  context: Pick<AccountContext, 'clock' | 'longestSleepMs'>,
  today: number,
  waits: readonly number[],
): number {
  const isSimulated = Math.abs(today - context.clock.now()) >= SIMULATED_FROM_MS
  return timerPauseMs(isSimulated ? { longestSleepMs: LOOK_AT_SIMULATED_EVERY_MS } : context, waits)
}
