/** Requests that have to be sent in every `everyMs`, so that nothing goes unread for longer. */
export interface RefreshTarget {
  readonly requests: number
  readonly everyMs: number
}

/** Share of the budget for refresh targets that cannot be kept. The rest goes where a change is likely. */
const TARGET_SHARE = 0.75

/** What keeping the refresh targets takes, in requests per millisecond. */
export function requestRate(refreshTargets: readonly RefreshTarget[]): number {
  return refreshTargets.reduce((sum, { requests, everyMs }) => sum + requests / everyMs, 0)
}

/** Sums of parts do not come out even. */
const ROUNDING = 1e-12

/** Whether so many requests in a millisecond are enough for what is needed. */
export function covers(allowed: number, needed: number): boolean {
  return needed <= allowed * (1 + ROUNDING)
}

/**
 * How many times longer than its refresh target everything goes unread, all alike: 1 while `rate`, the requests per millisecond
 * that are allowed, covers the targets.
 */
export function stretchOf(refreshTargets: readonly RefreshTarget[], rate: number): number {
  const needed = requestRate(refreshTargets)
  return covers(rate, needed) ? 1 : needed / (rate * TARGET_SHARE)
}

/** Where the refresh targets leave this part of the budget, a pass starts early enough for all requests that may be ahead of it. */
const LEISURE = 0.2

/**
 * How many of the requests that may be `ahead` of a pass it makes up for by starting early. An early pass takes budget from the
 * refresh targets of items. So the less the targets leave of the budget, the less early it starts.
 */
export function headStart(ahead: number, refreshTargets: readonly RefreshTarget[], rate: number): number {
  const left = 1 - requestRate(refreshTargets) / (rate * stretchOf(refreshTargets, rate))
  return ahead * Math.min(Math.max(0, left / LEISURE), 1)
}

interface DuePass {
  /** When the last pass started. */
  readonly startedAt: number
  readonly everyMs: number
  /** When the pages were last read, in their order. */
  readonly pagesReadAt: readonly number[]
  /** How long each request waits for its turn. */
  readonly slotMs: number
  /** Requests that may be ahead of the first page, as far as is made up for them. */
  readonly ahead: number
}

/** When a pass has to start so that no page, and no pass, is late. Never before half of the time has gone. */
export function passDueAt({ ahead, everyMs, pagesReadAt, slotMs, startedAt }: DuePass): number {
  const pages = pagesReadAt.map((readAt, nth) => readAt - nth * slotMs)
  const oldest = pages.reduce((first, at) => Math.min(first, at), startedAt)
  return Math.ceil(Math.max(oldest + everyMs - ahead * slotMs, startedAt + everyMs / 2))
}

interface Sharing {
  /** What the refresh targets of the one who asks take, in requests per millisecond. */
  readonly needed: number
  /** What the refresh targets of those take who share with it; null: one has not said yet. */
  readonly others: readonly (number | null)[]
  /** What all who share may send. */
  readonly total: number
}

/**
 * What one of several accounts that share a key may send. Where there is enough: what its refresh targets take, and an even part
 * of the rest. Where there is not: max-min fairness (Bertsekas and Gallager, "Data Networks", 6.5.2). An account that has not
 * said what it needs is taken to need an even part. Each says it again whenever it asks, so a share follows what lists hold, the
 * ceiling and a reload.
 */
export function fairShare({ needed, others, total }: Sharing): number {
  const amount = others.length + 1
  const needs = [needed, ...others.map((need) => need ?? total / amount)]
  const left = total - needs.reduce((sum, need) => sum + need, 0)
  return left >= 0 ? needed + left / amount : Math.min(needed, fairLevel(needs, total))
}

/** What each may have at most, so that they have all together, where they need more. */
function fairLevel(needs: readonly number[], total: number): number {
  let left = total
  let amount = needs.length
  for (const need of needs.toSorted((one, other) => one - other)) {
    if (need * amount > left) break
    left -= need
    amount -= 1
  }
  return left / Math.max(1, amount)
}
