import type { ListGaps } from '../model/list-gaps.ts'

/** For so many passes after its baseline, and for so long, what a list without total order shows for the first time is silent. */
const MOST_PASSES = 5
const LONGEST_MS = 86_400_000

interface Baselined {
  readonly gaps: Pick<ListGaps, 'catchingUp'>
  readonly baselinedAt: number | null
}

/** Whether records that are not known yet count as known at the baseline. */
export function isCatchingUp({ baselinedAt, gaps }: Baselined, now: number): boolean {
  return gaps.catchingUp !== null && baselinedAt !== null && now - baselinedAt <= LONGEST_MS
}

/** What is left to catch up with after a pass; `found`: the records that it showed for the first time. */
export function afterCatchingUp(list: Baselined, found: number, now: number): ListGaps['catchingUp'] {
  const passes = (list.gaps.catchingUp?.passes ?? 0) + 1
  return isCatchingUp(list, now) && found > 0 && passes < MOST_PASSES ? { passes } : null
}
