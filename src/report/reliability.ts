import type { Reliability } from '../model/reliability.ts'

/** How lists of carriers and lanes are sorted, by the names that answers have. */
export const RELIABILITY_ORDERS = [
  'key',
  'n',
  'within_day_of_first',
  'within_day_of_last',
  'median_drift_minutes',
] as const
export type ReliabilityOrder = (typeof RELIABILITY_ORDERS)[number]

export function reliabilityJson(each: Reliability) {
  return {
    key: each.key,
    n: each.n,
    within_day_of_first: each.nearFirst / each.n,
    within_day_of_last: each.nearLast / each.n,
    median_drift_minutes: each.medianDriftMinutes,
  }
}

const VALUES: Readonly<Record<Exclude<ReliabilityOrder, 'key'>, (each: Reliability) => number>> = {
  n: ({ n }) => n,
  within_day_of_first: ({ n, nearFirst }) => nearFirst / n,
  within_day_of_last: ({ n, nearLast }) => nearLast / n,
  median_drift_minutes: ({ medianDriftMinutes }) => medianDriftMinutes,
}

/** Sorts by a name, or with `-` before it the other way round; equal ones by the most arrivals, then by key. */
export function sortedReliability(
  items: readonly Reliability[],
  order: ReliabilityOrder | `-${ReliabilityOrder}`,
): readonly Reliability[] {
  const name = RELIABILITY_ORDERS.find((each) => each === order.replace('-', '')) ?? 'n'
  const direction = order.startsWith('-') ? -1 : 1
  const compared = (one: Reliability, other: Reliability): number => {
    if (name === 'key') return direction * byKey(one, other)
    const value = VALUES[name]
    return direction * (value(one) - value(other)) || other.n - one.n || byKey(one, other)
  }
  return items.toSorted(compared)
}

function byKey({ key: one }: Reliability, { key: other }: Reliability): number {
  return one === other ? 0 : one < other ? -1 : 1
}

/** With fewer arrivals nobody is called the least reliable one. */
const LEAST_FOR_WORST = 5

/** Whoever kept the smallest share of first dates, where there are several to choose from; null: nobody can be named. */
export function leastReliable(items: readonly Reliability[]): Reliability | null {
  const known = items.filter(({ n }) => n >= LEAST_FOR_WORST)
  const [first, second] = sortedReliability(known, 'within_day_of_first')
  if (first === undefined || second === undefined) return null
  return first.nearFirst / first.n < second.nearFirst / second.n ? first : null
}
