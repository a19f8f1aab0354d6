import type { Delivery } from '../../../src/sandbox/data/delivery.ts'

/** Days before (negative) or after the scheduled one at which the chance of a delivery is taken anew. */
const EDGES = [-120, -60, -30, -14, -7, -3, -1, 0, 1, 2, 4, 8, 15, 31, 61, 1_000] as const

/**
 * How many deliveries a day are recorded of those that are still to come, by the days since the scheduled one: as often as
 * it was so in all of the data, which is as near to a true rate as real deliveries have one.
 */
export function deliveryHazard(deliveries: readonly Delivery[]): (daysSince: number) => number {
  const lags = deliveries.flatMap(({ scheduledDay, delivered }) =>
    scheduledDay === null || delivered === null ? [] : [delivered.recordedDay - scheduledDay],
  )
  const hazards = EDGES.slice(1).map((to, nth) => {
    const from = EDGES[nth] ?? to
    const recorded = lags.filter((lag) => lag >= from && lag < to).length
    const exposure = lags.reduce((days, lag) => days + Math.max(0, Math.min(lag + 1, to) - from), 0)
    return exposure === 0 ? 0 : recorded / exposure
  })
  return (daysSince) => hazards[EDGES.findLastIndex((edge) => edge <= daysSince)] ?? 0
}
