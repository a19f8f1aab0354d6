import { ACCOUNT_EVENT_TYPES } from './account-event-types.ts'
import { CALENDAR_EVENT_TYPES } from './calendar-event-types.ts'
import { ENDPOINT_EVENT_TYPES } from './endpoint-event-types.ts'
import type { EventTypeInfo } from './event-type-info.ts'

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
  {
    type: 'shipment.removed',
    family: 'diff',
    resource: 'shipment',
    when: 'A shipment is gone: the list no longer shows it, nor is it found by its id.',
  },
  { type: 'shipment.restored', family: 'diff', resource: 'shipment', when: 'A shipment that was removed is back.' },
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
  {
    type: 'tracking.position_changed',
    family: 'diff',
    resource: 'tracking',
    when: 'The track at sea moved on; only with `watch.tracking.positions: true`.',
  },
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
  {
    type: 'invoice.removed',
    family: 'diff',
    resource: 'invoice',
    when: 'An invoice is gone: the list no longer shows it, nor is it found by its id.',
  },
  { type: 'invoice.restored', family: 'diff', resource: 'invoice', when: 'An invoice that was removed is back.' },
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
    type: 'credit_note.removed',
    family: 'diff',
    resource: 'invoice',
    when: 'A credit note is gone: the list no longer shows it, nor is it found by its id.',
  },
  {
    type: 'credit_note.restored',
    family: 'diff',
    resource: 'invoice',
    when: 'A credit note that was removed is back.',
  },
  {
    type: 'document.added',
    family: 'diff',
    resource: 'document',
    when: 'A document was seen for the first time after the baseline.',
  },
  { type: 'document.classified', family: 'diff', resource: 'document', when: 'A document without a type got one.' },
  { type: 'document.updated', family: 'diff', resource: 'document', when: 'Anything else in the document changed.' },
  {
    type: 'document.removed',
    family: 'diff',
    resource: 'document',
    when: 'A document is gone: the list no longer shows it, nor is it found by its id.',
  },
  { type: 'document.restored', family: 'diff', resource: 'document', when: 'A document that was removed is back.' },
  {
    type: 'purchase_order.created',
    family: 'diff',
    resource: 'purchase_order',
    when: 'A purchase order was seen for the first time after the baseline.',
  },
  {
    type: 'purchase_order.assigned',
    family: 'diff',
    resource: 'purchase_order',
    when: 'An order line was assigned to a shipment.',
  },
  {
    type: 'purchase_order.unassigned',
    family: 'diff',
    resource: 'purchase_order',
    when: 'An order line is no longer assigned to a shipment.',
  },
  {
    type: 'purchase_order.shipped_quantity_changed',
    family: 'diff',
    resource: 'purchase_order',
    when: 'What was shipped of an assigned order line changed.',
  },
  {
    type: 'purchase_order.updated',
    family: 'diff',
    resource: 'purchase_order',
    when: 'Anything else in the purchase order changed.',
  },
  {
    type: 'purchase_order.removed',
    family: 'diff',
    resource: 'purchase_order',
    when: 'A purchase order is gone: the list no longer shows it, nor is it found by its id.',
  },
  {
    type: 'purchase_order.restored',
    family: 'diff',
    resource: 'purchase_order',
    when: 'A purchase order that was removed is back.',
  },
  {
    type: 'location.created',
    family: 'diff',
    resource: 'location',
    when: 'A location was seen for the first time after the baseline.',
  },
  { type: 'location.updated', family: 'diff', resource: 'location', when: 'Anything in the location changed.' },
  {
    type: 'location.removed',
    family: 'diff',
    resource: 'location',
    when: 'A location is gone: the list no longer shows it, nor is it found by its id.',
  },
  { type: 'location.restored', family: 'diff', resource: 'location', when: 'A location that was removed is back.' },
  {
    type: 'order_preparation.created',
    family: 'diff',
    resource: 'order_preparation',
    when: 'An order preparation was seen for the first time after the baseline.',
  },
  {
    type: 'order_preparation.updated',
    family: 'diff',
    resource: 'order_preparation',
    when: 'Anything in the order preparation changed.',
  },
  {
    type: 'order_preparation.removed',
    family: 'diff',
    resource: 'order_preparation',
    when: 'An order preparation is gone: it was no longer found by its reference, twice in a row.',
  },
  {
    type: 'order_preparation.restored',
    family: 'diff',
    resource: 'order_preparation',
    when: 'An order preparation that was removed is back.',
  },
  ...CALENDAR_EVENT_TYPES,
  ...ACCOUNT_EVENT_TYPES,
  {
    type: 'shipbell.test',
    family: 'service',
    resource: 'subscription',
    when: 'An endpoint is tried by `shipbell subscriptions test`.',
  },
  ...ENDPOINT_EVENT_TYPES,
] as const satisfies readonly EventTypeInfo[]

export type EventType = (typeof EVENT_CATALOGUE)[number]['type']

const BY_TYPE: ReadonlyMap<string, EventTypeInfo> = new Map(EVENT_CATALOGUE.map((info) => [info.type, info]))

export function eventTypeInfo(type: string): EventTypeInfo | undefined {
  return BY_TYPE.get(type)
}
