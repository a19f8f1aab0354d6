import type { SubjectResource } from './resource.ts'

type EventFamily = 'diff' | 'calendar' | 'service'

export interface EventTypeInfo {
  readonly type: string
  readonly family: EventFamily
  readonly resource: SubjectResource
  /** When it rings, in one sentence. */
  readonly when: string
}

/** Every event type that Shipbell rings today (contract section 4). A type is added here first; the rest follows from it. */
export const EVENT_CATALOGUE = [
  {
    type: 'shipment.created',
    family: 'diff',
    resource: 'shipment',
    when: 'A shipment was seen for the first time after the baseline.',
  },
  { type: 'shipment.status_changed', family: 'diff', resource: 'shipment', when: 'The status changed.' },
  {
    type: 'shipment.pickup_date_changed',
    family: 'diff',
    resource: 'shipment',
    when: 'The pickup date moved, appeared, went, or changed between estimated and planned.',
  },
  {
    type: 'shipment.etd_changed',
    family: 'diff',
    resource: 'shipment',
    when: 'The departure date (ETD) moved, appeared, went, or changed between estimated and planned.',
  },
  {
    type: 'shipment.eta_changed',
    family: 'diff',
    resource: 'shipment',
    when: 'The arrival date (ETA) moved, appeared, went, or changed between estimated and planned.',
  },
  {
    type: 'shipment.delivery_date_changed',
    family: 'diff',
    resource: 'shipment',
    when: 'The delivery date moved, appeared, went, or changed between estimated and planned.',
  },
  { type: 'shipment.picked_up', family: 'diff', resource: 'shipment', when: 'The pickup became actual.' },
  { type: 'shipment.departed', family: 'diff', resource: 'shipment', when: 'The departure became actual.' },
  { type: 'shipment.arrived', family: 'diff', resource: 'shipment', when: 'The arrival became actual.' },
  { type: 'shipment.delivered', family: 'diff', resource: 'shipment', when: 'The delivery became actual.' },
  {
    type: 'shipment.milestone_corrected',
    family: 'diff',
    resource: 'shipment',
    when: 'An actual date was taken back, or its instant moved.',
  },
  {
    type: 'shipment.problem_reported',
    family: 'diff',
    resource: 'shipment',
    when: 'A main tracking date became a problem.',
  },
  {
    type: 'shipment.problem_cleared',
    family: 'diff',
    resource: 'shipment',
    when: 'A main tracking date is no longer a problem.',
  },
  {
    type: 'shipment.rolled',
    family: 'diff',
    resource: 'shipment',
    when: 'Vessel, voyage or flight changed on a booking that had one, before departure.',
  },
  {
    type: 'shipment.booking_updated',
    family: 'diff',
    resource: 'shipment',
    when: 'Another part of the booking changed: carrier, bills, booking number.',
  },
  { type: 'shipment.container_added', family: 'diff', resource: 'shipment', when: 'A container joined the cargo.' },
  {
    type: 'shipment.container_updated',
    family: 'diff',
    resource: 'shipment',
    when: 'A container changed, its seal for example.',
  },
  { type: 'shipment.container_removed', family: 'diff', resource: 'shipment', when: 'A container left the cargo.' },
  {
    type: 'shipment.cargo_updated',
    family: 'diff',
    resource: 'shipment',
    when: 'Weight, volume, TEU or loads changed.',
  },
  {
    type: 'shipment.invoice_status_changed',
    family: 'diff',
    resource: 'shipment',
    when: 'The invoice status of the shipment changed.',
  },
  { type: 'shipment.updated', family: 'diff', resource: 'shipment', when: 'Anything else in the shipment changed.' },
  { type: 'tracking.event_added', family: 'diff', resource: 'tracking', when: 'A tracking event appeared.' },
  {
    type: 'tracking.event_updated',
    family: 'diff',
    resource: 'tracking',
    when: 'The date or status of a tracking event changed.',
  },
  { type: 'tracking.event_actualised', family: 'diff', resource: 'tracking', when: 'A tracking event became actual.' },
  { type: 'tracking.event_retracted', family: 'diff', resource: 'tracking', when: 'A tracking event went away.' },
  { type: 'tracking.status_changed', family: 'diff', resource: 'tracking', when: 'The tracking status changed.' },
  { type: 'tracking.updated', family: 'diff', resource: 'tracking', when: 'Anything else in the tracking changed.' },
  {
    type: 'invoice.created',
    family: 'diff',
    resource: 'invoice',
    when: 'An invoice was seen for the first time after the baseline.',
  },
  { type: 'invoice.status_changed', family: 'diff', resource: 'invoice', when: 'The status changed.' },
  { type: 'invoice.due_date_changed', family: 'diff', resource: 'invoice', when: 'The due date changed.' },
  {
    type: 'invoice.amount_changed',
    family: 'diff',
    resource: 'invoice',
    when: 'A total per currency or a VAT rate changed.',
  },
  { type: 'invoice.updated', family: 'diff', resource: 'invoice', when: 'Anything else in the invoice changed.' },
  { type: 'invoice.due', family: 'calendar', resource: 'invoice', when: 'The status of an open invoice became due.' },
  {
    type: 'credit_note.created',
    family: 'diff',
    resource: 'invoice',
    when: 'A credit note was seen for the first time after the baseline.',
  },
  { type: 'credit_note.status_changed', family: 'diff', resource: 'invoice', when: 'The status changed.' },
  { type: 'credit_note.due_date_changed', family: 'diff', resource: 'invoice', when: 'The due date changed.' },
  {
    type: 'credit_note.amount_changed',
    family: 'diff',
    resource: 'invoice',
    when: 'A total per currency or a VAT rate changed.',
  },
  {
    type: 'credit_note.updated',
    family: 'diff',
    resource: 'invoice',
    when: 'Anything else in the credit note changed.',
  },
  {
    type: 'account.baseline_completed',
    family: 'service',
    resource: 'account',
    when: 'The first complete pass over a resource ended.',
  },
  { type: 'account.unreachable', family: 'service', resource: 'account', when: 'Three requests in a row failed.' },
  {
    type: 'account.unauthorized',
    family: 'service',
    resource: 'account',
    when: 'The platform refused the API key (401 or 403).',
  },
  { type: 'account.recovered', family: 'service', resource: 'account', when: 'The platform answers again.' },
] as const satisfies readonly EventTypeInfo[]

export type EventType = (typeof EVENT_CATALOGUE)[number]['type']

const BY_TYPE: ReadonlyMap<string, EventTypeInfo> = new Map(EVENT_CATALOGUE.map((info) => [info.type, info]))

export function eventTypeInfo(type: string): EventTypeInfo | undefined {
  return BY_TYPE.get(type)
}
