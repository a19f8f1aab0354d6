import { causeOfFailure } from './failure-rows.ts'

/** Rows of one slice that are counted in an index: some milliseconds, ten where each failed for a cause of its own. */
export const COUNTED_SLICE = 5_000
/** How many rows whose events are looked at end a slice. */
const MOST_COUNTED_BY_EVENT = 2_000

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

/** How many events of a span can be sent. */
export type Sendable = 'all' | 'none' | 'some'

/** The groups of whole spans up to the one at which too many events would be looked at, and whether that is one of them. */
export function cutSlice(
  groups: readonly RetryableGroup[],
  sendable: (group: RetryableGroup) => Sendable,
): readonly [readonly RetryableGroup[], boolean] {
  const taken: RetryableGroup[] = []
  let looked = 0
  for (const [, found] of Map.groupBy(groups, ({ span }) => span)) {
    taken.push(...found)
    looked += rowsOf(found.filter((group) => sendable(group) === 'some'))
    if (looked >= MOST_COUNTED_BY_EVENT) return [taken, true]
  }
  return [taken, false]
}

export function rowsOf(groups: readonly RetryableGroup[]): number {
  return groups.reduce((sum, { rows }) => sum + rows, 0)
}

/** How many of the rows that count failed with the cause that is asked for. */
export function amountOf(groups: readonly RetryableGroup[], cause: string | undefined): number {
  const matching = groups.filter((group) => cause === undefined || causeOfFailure(group) === cause)
  return matching.reduce((sum, { amount }) => sum + amount, 0)
}
