import type { LearnedCeiling } from '../model/account-limits.ts'

/**
 * What one answer says about the load: `overload` (429, 503), `clean` (the platform did what was asked), or `trouble`, which
 * is no load's fault and no clean time either.
 */
export type LoadSign = 'overload' | 'clean' | 'trouble'

export interface LoadReport {
  readonly sign: LoadSign
  readonly sentAt: number
  readonly answeredAt: number
  /** What the platform asked for. */
  readonly retryAfterMs: number | null
}

/** A limit that was found: what is sent is halved. */
const HALF = 0.5
/** A refusal that may be chance, as some platforms answer one request in a hundred under any load. */
const SLIGHTLY_LESS = 0.96
/** One is no chance that asks for so long a rest, */
const LONG_REST_MS = 10_000
/** and one that follows another within so many clean answers. */
const FEW_ANSWERS = 4
const LEAST = 1 / 16
/** Clean time that brings the whole budget back. */
const RECOVERY_MS = 30 * 60_000
/** Clean time is credited in steps, so that it is not worth writing down with every request, */
const STEP_MS = 60_000
/** and at most so much of it for one answer: silence proves nothing. */
const LONGEST_STEP_MS = 5 * 60_000
const ROUNDING = 1e-9

/**
 * Additive increase, multiplicative decrease: little for a refusal that stands alone, half for a limit. null: the whole
 * budget. What was already under way when the ceiling was lowered says nothing new, nor, once it was halved, does a probe that
 * is turned away before anything was answered again: that is for the back-off.
 */
export function afterAnswer(ceiling: LearnedCeiling | null, report: LoadReport): LearnedCeiling | null {
  const { sign, sentAt, answeredAt } = report
  if (ceiling === null) return sign === 'overload' ? lowered(null, report) : null
  const overlapped = sentAt <= ceiling.loweredAt && ceiling.loweredAt <= answeredAt
  if (overlapped) return ceiling
  const uncredited = { ...ceiling, creditedTo: answeredAt }
  switch (sign) {
    case 'overload':
      return ceiling.isStrained && ceiling.doubt === undefined ? uncredited : lowered(ceiling, report)
    case 'trouble':
      return uncredited
    case 'clean':
      if (ceiling.isStrained) return relaxed({ ...uncredited, isStrained: false })
      return raised(relaxed(ceiling), answeredAt)
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

function lowered(ceiling: LearnedCeiling | null, { answeredAt, retryAfterMs }: LoadReport): LearnedCeiling {
  const isLimit = ceiling?.doubt !== undefined || (retryAfterMs ?? 0) >= LONG_REST_MS
  const fraction = (ceiling?.fraction ?? 1) * (isLimit ? HALF : SLIGHTLY_LESS)
  return {
    fraction: Math.max(LEAST, fraction),
    loweredAt: answeredAt,
    creditedTo: answeredAt,
    isStrained: true,
    ...(isLimit ? {} : { doubt: { answers: FEW_ANSWERS } }),
  }
}

/** One clean answer less until the last refusal stands alone. */
function relaxed(ceiling: LearnedCeiling): LearnedCeiling {
  const { doubt, ...rest } = ceiling
  if (doubt === undefined) return ceiling
  return doubt.answers > 1 ? { ...rest, doubt: { answers: doubt.answers - 1 } } : rest
}

function raised(ceiling: LearnedCeiling, answeredAt: number): LearnedCeiling | null {
  const cleanMs = answeredAt - ceiling.creditedTo
  if (cleanMs < 0) return { ...ceiling, creditedTo: answeredAt }
  if (cleanMs < STEP_MS) return ceiling
  const fraction = ceiling.fraction + Math.min(cleanMs, LONGEST_STEP_MS) / RECOVERY_MS
  return fraction >= 1 - ROUNDING ? null : { ...ceiling, fraction, creditedTo: answeredAt }
}
