import { MINUTE } from './time.ts'

/** Of delays, minutes. */
export interface Summary {
  readonly count: number
  readonly mean: number
  readonly median: number
  readonly p95: number
}

export function summarise(delays: readonly number[]): Summary {
  const sorted = delays.toSorted((one, other) => one - other)
  const quantile = (part: number): number => (sorted[Math.floor(sorted.length * part)] ?? Number.NaN) / MINUTE
  const mean = delays.reduce((sum, delay) => sum + delay, 0) / delays.length / MINUTE
  return { count: delays.length, mean, median: quantile(0.5), p95: quantile(0.95) }
}
