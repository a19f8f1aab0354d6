import { formatDuration } from '../model/duration.ts'
import type { JsonObject } from '../model/json.ts'
import type { Delay } from '../plan/forecast.ts'

const STEPS = [
  { below: 10 * 60_000, stepMs: 1_000 },
  { below: 2 * 3_600_000, stepMs: 60_000 },
  { below: 2 * 86_400_000, stepMs: 10 * 60_000 },
] as const
const LARGEST_STEP_MS = 3_600_000

/** A duration as exact as anybody wants to know it: seconds, and of longer ones minutes, then hours. */
export function roughDuration(ms: number, round: (steps: number) => number = Math.round): string {
  const stepMs = STEPS.find(({ below }) => ms < below)?.stepMs ?? LARGEST_STEP_MS
  return formatDuration(round(ms / stepMs) * stepMs)
}

/** How long changes go, or went, unseen. */
export function delayJson(delay: Delay | null): JsonObject | null {
  return delay && { mean_seconds: Math.round(delay.meanMs) / 1_000, p95_seconds: Math.round(delay.p95Ms) / 1_000 }
}
