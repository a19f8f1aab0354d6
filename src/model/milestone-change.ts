import type { EventType } from './event-catalogue.ts'
import { MILESTONES, type Milestone } from './shipment.ts'

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

export interface MilestoneChange {
  readonly milestone: Milestone
  /** Statuses before and after; null: there was, or is, no date. */
  readonly from: string | null
  readonly to: string | null
  /** Whether the date became another, be its status what it may. */
  readonly hasMoved: boolean
}

/** How the change of a main tracking date is called: the first that applies, in the order of guarantee E2. */
export function milestoneChangeType({ from, hasMoved, milestone, to }: MilestoneChange): EventType {
  if (to === 'actual' && from !== 'actual') return REACHED[milestone]
  if (to === 'problem' && from !== 'problem') return 'shipment.problem_reported'
  if (from === 'actual' && (to !== 'actual' || hasMoved)) return 'shipment.milestone_corrected'
  if (from === 'problem' && to !== 'problem') return 'shipment.problem_cleared'
  return CHANGED[milestone]
}

/** Whether an event of a type says that a milestone is reached. */
export function saysReached(type: EventType): boolean {
  return MILESTONES.some((milestone) => REACHED[milestone] === type)
}
