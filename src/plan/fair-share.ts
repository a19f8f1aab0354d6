interface Sharing {
  /** What the promises of the one who asks take, in requests per millisecond. */
  readonly needed: number
  /** The same of those who share with it; null: it has not said yet. */
  readonly others: readonly (number | null)[]
  /** What all of them may send. */
  readonly total: number
}

/**
 * What one of several who share a flow may send of it: as much as it needs and an even part of what all of them leave; where there
 * is not enough for all, no more than it needs, and as much as whoever has most (max-min fairness: Bertsekas and Gallager, "Data
 * Networks", 6.5.2). Whoever has not said is taken to need an even part.
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
