import type { RecordState } from '../../model/record-state.ts'
import type { ItemFacts } from '../../plan/target.ts'
import { phaseOf } from '../../plan/phase.ts'

/** Tracking is read for 7 days after the read that first showed its shipment finished or cancelled (guarantee D1). */
export const AFTER_CLOSED_MS = 7 * 86_400_000

/** What a shipment says of how often its tracking changes, and until when it is read. */
export function trackingFacts({ id, seen, closedAt }: Pick<RecordState, 'id' | 'seen' | 'closedAt'>): ItemFacts {
  return factsInPhase({ id, closedAt, phase: seen === null ? null : phaseOf(seen) })
}

/** The same of a shipment whose phase is known. */
export function factsInPhase({
  id,
  closedAt,
  phase,
}: Pick<RecordState, 'id' | 'closedAt'> & Pick<ItemFacts, 'phase'>): ItemFacts {
  return {
    target: { kind: 'item', resource: 'tracking', id },
    phase,
    endsAt: closedAt === null ? null : closedAt + AFTER_CLOSED_MS,
  }
}
