/** How long changes went, or go, unseen. */
export interface Delay {
  readonly meanMs: number
  /** 95 of 100 changes are seen within it. */
  readonly p95Ms: number
}

/** Changes of which each may have happened at any time within `gapMs` before it was seen. */
export interface Gap {
  readonly gapMs: number
  /** How many, or how often: only how they compare matters. */
  readonly changes: number
}

const MOST = 0.95
const STEPS = 50

/** null where there are no changes. */
export function delayOfGaps(gaps: readonly Gap[]): Delay | null {
  const all = gaps.reduce((sum, { changes }) => sum + changes, 0)
  if (all <= 0) return null
  const meanMs = gaps.reduce((sum, { changes, gapMs }) => sum + (changes * gapMs) / 2, 0) / all
  const seenWithin = (ms: number): number =>
    gaps.reduce((sum, { changes, gapMs }) => sum + changes * (ms >= gapMs ? 1 : ms / gapMs), 0)
  let [least, most] = [0, gaps.reduce((longest, { gapMs }) => Math.max(longest, gapMs), 0)]
  for (let step = 0; step < STEPS; step += 1) {
    const middle = (least + most) / 2
    if (seenWithin(middle) < MOST * all) least = middle
    else most = middle
  }
  return { meanMs, p95Ms: most }
}

/** Of delays that are known; null where there are none. */
export function delayOf(delaysMs: readonly number[]): Delay | null {
  if (delaysMs.length === 0) return null
  const sorted = delaysMs.toSorted((left, right) => left - right)
  const meanMs = sorted.reduce((sum, each) => sum + each, 0) / sorted.length
  return { meanMs, p95Ms: sorted[Math.ceil(MOST * sorted.length) - 1] ?? 0 }
}
