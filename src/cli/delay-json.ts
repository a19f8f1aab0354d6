import type { JsonObject } from '../model/json.ts'

interface Delay {
  readonly meanMs: number
  readonly p95Ms: number
}

/** How long changes go, or went, unseen. */
export function delayJson(delay: Delay | null): JsonObject | null {
  return delay && { mean_seconds: Math.round(delay.meanMs) / 1_000, p95_seconds: Math.round(delay.p95Ms) / 1_000 }
}
