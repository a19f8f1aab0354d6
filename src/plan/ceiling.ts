import type { LearnedCeiling } from '../model/learned-ceiling.ts'

/**
 * What one answer says about the load: `overload` (429, 503), `clean` (the platform did what was asked), or `trouble`, which
 * is no load's fault and no clean time either.
 */
export type LoadSign = 'overload' | 'clean' | 'trouble'

export interface LoadReport {
  readonly sign: LoadSign
  readonly sentAt: number
  readonly answeredAt: number
}

const LOWERED_TO = 0.5
const LEAST = 1 / 16
/** Clean time that brings the whole budget back. */
const RECOVERY_MS = 30 * 60_000
/** Clean time is credited in steps, so that it is not worth writing down with every request, */
const STEP_MS = 60_000
/** and at most so much of it for one answer: silence proves nothing. */
const LONGEST_STEP_MS = 5 * 60_000
const ROUNDING = 1e-9

/**
 * Additive increase, multiplicative decrease. null: the whole budget. What was already under way when the ceiling was lowered
 * says nothing new, nor does a probe that is turned away before anything was answered again: that is for the back-off.
 */
export function afterAnswer(ceiling: LearnedCeiling | null, report: LoadReport): LearnedCeiling | null {
  const { sign, sentAt, answeredAt } = report
  if (ceiling === null) return sign === 'overload' ? lowered(1, answeredAt) : null
  const overlapped = sentAt <= ceiling.loweredAt && ceiling.loweredAt <= answeredAt
  if (overlapped) return ceiling
  const uncredited = { ...ceiling, creditedTo: answeredAt }
  switch (sign) {
    case 'overload':
      return ceiling.isStrained ? uncredited : lowered(ceiling.fraction, answeredAt)
    case 'trouble':
      return uncredited
    case 'clean':
      if (ceiling.isStrained) return { ...uncredited, isStrained: false }
      return raised(ceiling, answeredAt)
    default:
      return sign satisfies never
  }
}

/** How many requests of a budget may be sent in one of its windows, under this ceiling and with room left for others. */
export function allowedRequests(
  { requests, share }: { readonly requests: number; readonly share: number },
  fraction: number,
): number {
  return Math.max(1, Math.min(requests, Math.ceil(requests * fraction * share - ROUNDING)))
}

function lowered(fraction: number, at: number): LearnedCeiling {
  return { fraction: Math.max(LEAST, fraction * LOWERED_TO), loweredAt: at, creditedTo: at, isStrained: true }
}

function raised(ceiling: LearnedCeiling, answeredAt: number): LearnedCeiling | null {
  const cleanMs = answeredAt - ceiling.creditedTo
  if (cleanMs < 0) return { ...ceiling, creditedTo: answeredAt }
  if (cleanMs < STEP_MS) return ceiling
  const fraction = ceiling.fraction + Math.min(cleanMs, LONGEST_STEP_MS) / RECOVERY_MS
  return fraction >= 1 - ROUNDING ? null : { ...ceiling, fraction, creditedTo: answeredAt }
}
