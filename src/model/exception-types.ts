import { EVENT_CATALOGUE, type EventType } from './event-catalogue.ts'

/**
 * Which open exceptions of its subject an event closes: all of the type; that of its milestone; those of its milestone and of
 * earlier ones; that of its milestone where its date lies ahead now; that of its expectation.
 */
export type Closes = 'all' | 'of milestone' | 'up to milestone' | 'where date is ahead' | 'of expectation'

interface ExceptionType {
  /** What tells open exceptions of one subject apart; left out: there is one of the type. */
  readonly per?: 'milestone' | 'expectation'
  readonly closedBy: Readonly<Partial<Record<EventType, Closes>>>
}

/** The event types that open an exception, and those that close it. What opens is added here, and the rest follows. */
export const EXCEPTION_TYPES: Readonly<Partial<Record<EventType, ExceptionType>>> = {
  'shipment.problem_reported': {
    per: 'milestone',
    closedBy: {
      'shipment.problem_cleared': 'of milestone',
      'shipment.picked_up': 'of milestone',
      'shipment.departed': 'of milestone',
      'shipment.arrived': 'of milestone',
      'shipment.delivered': 'of milestone',
    },
  },
  'shipment.milestone_overdue': {
    per: 'milestone',
    closedBy: {
      'shipment.picked_up': 'up to milestone',
      'shipment.departed': 'up to milestone',
      'shipment.arrived': 'up to milestone',
      'shipment.delivered': 'up to milestone',
      'shipment.pickup_date_changed': 'where date is ahead',
      'shipment.etd_changed': 'where date is ahead',
      'shipment.eta_changed': 'where date is ahead',
      'shipment.delivery_date_changed': 'where date is ahead',
      'shipment.problem_reported': 'where date is ahead',
      'shipment.problem_cleared': 'where date is ahead',
      'shipment.milestone_corrected': 'where date is ahead',
    },
  },
  'shipment.delivery_at_risk': {
    closedBy: { 'shipment.delivery_back_on_track': 'all', 'shipment.delivered': 'all' },
  },
  'purchase_order.delivery_at_risk': {
    closedBy: { 'purchase_order.delivery_back_on_track': 'all', 'purchase_order.delivered': 'all' },
  },
  'expectation.missed': {
    per: 'expectation',
    closedBy: { 'expectation.met': 'of expectation', 'expectation.withdrawn': 'of expectation' },
  },
  'invoice.overdue': { closedBy: { 'invoice.overdue_cleared': 'all' } },
}

/** The types of events that open an exception. */
export const OPENING_TYPES: readonly EventType[] = EVENT_CATALOGUE.map(({ type }) => type).filter((type) =>
  Object.hasOwn(EXCEPTION_TYPES, type),
)

/** The types of events that may open, close or end an exception: commits of others look at none. */
const CONCERNED: ReadonlySet<string> = new Set([
  ...Object.entries(EXCEPTION_TYPES).flatMap(([type, { closedBy }]) => [type, ...Object.keys(closedBy)]),
  'shipment.status_changed',
])

export function concernsExceptions(type: EventType): boolean {
  return CONCERNED.has(type) || isRemoval(type)
}

export function isRemoval(type: EventType): boolean {
  return type.endsWith('.removed')
}
