/**
 * How steady time stands. Waits are measured by it and not by the wall clock: it shows what that shows plus `aheadMs`, and goes on
 * evenly where that is set, forwards or backwards.
 */
export interface SteadyMark {
  /** The latest instant of it at which a wait is known to have begun. */
  readonly latest: number
  readonly aheadMs: number
}

/** What outlives a process of the time that waits are measured by. */
export interface SteadyStore {
  steadyTime(): Promise<SteadyMark>

  /**
   * The wall clock was set, or stands elsewhere than when the last process ended. What waits goes on waiting for as long as it
   * had to; but rows that were put off without an attempt are due again, for they waited until that clock shows an hour.
   */
  keepSteadyTime(mark: SteadyMark): Promise<void>
}
