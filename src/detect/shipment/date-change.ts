import { formatInstant, parseInstant } from '../../model/instant.ts'
import type { JsonObject } from '../../model/json.ts'
import { trackingDate, type Milestone } from '../../model/shipment.ts'
import type { Comparison } from '../comparison.ts'

/** How far one main tracking date moved, and how far from the first one ever seen (contract section 4, `date_change`). */
export function dateChange({ before, after, learnt }: Comparison, milestone: Milestone): JsonObject {
  const from = trackingDate(before, milestone)
  const to = trackingDate(after, milestone)
  const memory = learnt.milestones?.[milestone]
  const first = memory?.first
  const shift = difference(from?.instant, to?.instant)
  return {
    milestone,
    from: from?.raw ?? null,
    to: to?.raw ?? null,
    shift_minutes: minutes(shift),
    direction: shift === null || shift === 0 ? 'none' : shift > 0 ? 'later' : 'earlier',
    first: first === undefined ? null : { date: first.date, seen_at: formatInstant(first.seenAt) },
    drift_minutes: minutes(difference(parseInstant(first?.date), to?.instant)),
    revision: Math.max(memory?.instants.length ?? 0, 1),
  }
}

function difference(from: number | null | undefined, to: number | null | undefined): number | null {
  return typeof from === 'number' && typeof to === 'number' ? to - from : null
}

/** Adding zero turns -0, which JSON cannot carry, into 0. */
function minutes(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms / 60_000) + 0
}
