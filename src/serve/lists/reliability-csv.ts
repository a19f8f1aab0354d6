import type { Reliability } from '../../model/reliability.ts'
import { RELIABILITY_ORDERS, reliabilityJson } from '../../report/reliability.ts'
import { type Cell, csvLine } from './csv.ts'

/** All carriers or lanes as one table, in the order that they are given in: a list of them is known as a whole. */
export function reliabilityCsv(items: readonly Reliability[]): Response {
  const lines = items.map((each) => {
    const { key, median_drift_minutes, n, within_day_of_first, within_day_of_last } = reliabilityJson(each)
    const cells: readonly Cell[] = [key, n, within_day_of_first, within_day_of_last, median_drift_minutes]
    return csvLine(cells)
  })
  return new Response([csvLine(RELIABILITY_ORDERS), ...lines].join(''), {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8; header=present',
      'Content-Disposition': 'attachment; filename="reliability.csv"',
      'Cache-Control': 'no-store',
    },
  })
}
