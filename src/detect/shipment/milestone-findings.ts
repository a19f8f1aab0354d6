import type { EventType } from '../../model/event-catalogue.ts'
import { formatInstant, parseInstant } from '../../model/instant.ts'
import type { JsonObject } from '../../model/json.ts'
import { MILESTONES, trackingDate, trackingStatus, type Milestone } from '../../model/shipment.ts'
import type { Claims } from '../claims.ts'
import type { LeafChange } from '../compare/leaf-change.ts'
import type { Comparison } from '../comparison.ts'
import { leavesFinding, type Finding } from '../finding.ts'
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
  if (!claims.hasUnder('main_tracking_dates')) return []
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

/** The first that applies, in the order of guarantee E2. */
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
  return trackingStatus(comparison[side], milestone)
}

/** How far one main tracking date moved, and how far from the first one ever seen (guarantee E4, `date_change`). */
function dateChange({ before, after, learnt }: Comparison, milestone: Milestone): JsonObject {
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
