import { causeOfFailure } from './failure-rows.ts'

/** Rows of one slice that are counted in an index: some milliseconds, ten where each failed for a cause of its own. */
export const COUNTED_SLICE = 5_000
/** So many whose events are looked at end a slice. */
export const MOST_COUNTED_BY_EVENT = 2_000

/** Rows of a span with the same failure. */
export interface RetryableGroup {
  readonly span: number
  readonly status: number | null
  readonly error: string | null
  /** Rows that were looked at, the last of them, and those of them that are of a state that is asked for and no tests. */
  readonly rows: number
  readonly last: number
  readonly amount: number
}

export interface CountedSlice {
  readonly rows: number
  readonly amount: number
  readonly after: number | null
}

export function rowsOf(groups: readonly RetryableGroup[]): number {
  return groups.reduce((sum, { rows }) => sum + rows, 0)
}

/** Of groups with the cause that is asked for. */
export function amountOf(groups: readonly RetryableGroup[], cause: string | undefined): number {
  const matching = groups.filter((group) => cause === undefined || causeOfFailure(group) === cause)
  return matching.reduce((sum, { amount }) => sum + amount, 0)
}
