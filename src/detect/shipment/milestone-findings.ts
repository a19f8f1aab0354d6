import type { EventType } from '../../model/event-catalogue.ts'
import { MILESTONES, trackingDate, type Milestone } from '../../model/shipment.ts'
import type { Claims } from '../claims.ts'
import type { LeafChange } from '../compare/leaf-change.ts'
import type { Comparison } from '../comparison.ts'
import { leavesFinding, type Finding } from '../finding.ts'
import { dateChange } from './date-change.ts'
import { rememberActual } from './milestone-memory.ts'

const REACHED: Readonly<Record<Milestone, EventType>> = {
  pickup: 'shipment.picked_up',
  departure: 'shipment.departed',
  arrival: 'shipment.arrived',
  delivery: 'shipment.delivered',
}

const CHANGED: Readonly<Record<Milestone, EventType>> = {
  pickup: 'shipment.pickup_date_changed',
  departure: 'shipment.etd_changed',
  arrival: 'shipment.eta_changed',
  delivery: 'shipment.delivery_date_changed',
}

/** One event per `main_tracking_dates` entry that changed. */
export function milestoneFindings(comparison: Comparison, claims: Claims): readonly Finding[] {
  return MILESTONES.flatMap((milestone) => {
    const leaves = claims.takeUnder('main_tracking_dates', `${milestone}_date`)
    return leaves.length === 0 ? [] : milestoneFinding(comparison, milestone, leaves)
  })
}

function milestoneFinding(
  comparison: Comparison,
  milestone: Milestone,
  leaves: readonly LeafChange[],
): readonly Finding[] {
  const type = typeOf(comparison, milestone, leaves)
  const corrected = type === 'shipment.milestone_corrected'
  const corrects = comparison.memory.milestones?.[milestone]?.actualEventId ?? null
  const tellsActual =
    statusOf(comparison, 'after', milestone) === 'actual' && (corrected || type === REACHED[milestone])
  return leavesFinding(type, leaves, {
    cause: corrected ? 'correction' : 'change',
    extras: { date_change: dateChange(comparison, milestone), ...(corrected ? { corrects } : {}) },
    ...(tellsActual ? { remember: (memory, id) => rememberActual(memory, milestone, id) } : {}),
  })
}

/** The first that applies, in the order of contract section 4. */
function typeOf(comparison: Comparison, milestone: Milestone, leaves: readonly LeafChange[]): EventType {
  const from = statusOf(comparison, 'before', milestone)
  const to = statusOf(comparison, 'after', milestone)
  if (to === 'actual' && from !== 'actual') return REACHED[milestone]
  if (to === 'problem' && from !== 'problem') return 'shipment.problem_reported'
  const moved = leaves.some((leaf) => leaf.keys[2] === 'date')
  if (from === 'actual' && (to !== 'actual' || moved)) return 'shipment.milestone_corrected'
  if (from === 'problem' && to !== 'problem') return 'shipment.problem_cleared'
  return CHANGED[milestone]
}

function statusOf(comparison: Comparison, side: 'before' | 'after', milestone: Milestone): string | null {
  return trackingDate(comparison[side], milestone)?.status ?? null
}
