/** Requests that have to be sent in every `everyMs`, so that nothing goes unread for longer. */
export interface RefreshTarget {
  readonly requests: number
  readonly everyMs: number
}

/** Where promises cannot be kept they get so much of the budget; what is left goes where change is likely. */
const PROMISED_SHARE = 0.75

/** What keeping the promises takes, in requests per millisecond. */
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
 * How many times longer than promised everything goes unread, all alike: 1 while `rate`, the requests per millisecond that are
 * allowed, covers the promises.
 */
export function stretchOf(refreshTargets: readonly RefreshTarget[], rate: number): number {
  const needed = requestRate(refreshTargets)
  return covers(rate, needed) ? 1 : needed / (rate * PROMISED_SHARE)
}

/** A pass makes up for all that may be ahead of it where the promises, as they are kept, leave so much of the budget. */
const LEISURE = 0.2

/**
 * Of the requests that may be `ahead` of a pass, how many it makes up for by starting early. A pass that comes early takes more
 * than is promised, and before what is promised of items: the less the promises leave of the budget, the less early it comes.
 */
export function headStart(ahead: number, refreshTargets: readonly RefreshTarget[], rate: number): number {
  const left = 1 - requestRate(refreshTargets) / (rate * stretchOf(refreshTargets, rate))
  return ahead * Math.min(Math.max(0, left / LEISURE), 1)
}

export interface DuePass {
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
