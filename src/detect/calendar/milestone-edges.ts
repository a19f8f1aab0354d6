import { formatInstant } from '../../model/instant.ts'
import { field, type JsonObject } from '../../model/json.ts'
import { MILESTONES, trackingDate, type Milestone } from '../../model/shipment.ts'
import type { Edge } from './calendar-rules.ts'

export interface MilestoneEdge extends Edge {
  readonly milestone: Milestone
  /** The planned or estimated date. */
  readonly date: number
}

/** Whether a shipment is expected to move as planned. */
export function isUnderWay(shipment: JsonObject): boolean {
  const status = field(shipment, 'status')
  return status === 'booked' || status === 'in_progress'
}

/** An edge for every planned or estimated date, in the order of milestones, whatever the shipment's status. */
export function milestoneEdges(shipment: JsonObject, graceMs: number): readonly MilestoneEdge[] {
  return MILESTONES.flatMap((milestone) => {
    const entry = trackingDate(shipment, milestone)
    if (entry?.instant == null || (entry.status !== 'planned' && entry.status !== 'estimated')) return []
    const date = entry.instant
    return [{ milestone, date, key: `milestone_overdue/${milestone}/${formatInstant(date)}`, at: date + graceMs }]
  })
}

/** A later milestone is actual: the shipment has passed this one, whatever its date says. */
export function isOvertaken(shipment: JsonObject, milestone: Milestone): boolean {
  const later = MILESTONES.slice(MILESTONES.indexOf(milestone) + 1)
  return later.some((each) => trackingDate(shipment, each)?.status === 'actual')
}
