import { ACCOUNT_EVENT_TYPES, ENDPOINT_EVENT_TYPES, OWN_EVENT_TYPES } from './service-event-types.ts'
import { CALENDAR_EVENT_TYPES } from './calendar-event-types.ts'
import { DERIVED_EVENT_TYPES } from './derived-event-types.ts'
import { EXPECTATION_EVENT_TYPES } from './expectation-event-types.ts'
import type { EventTypeInfo } from './event-type-info.ts'
import { SHIPMENT_EVENT_TYPES } from './shipment-event-types.ts'
import { SNAPSHOT_EVENT_TYPES } from './snapshot-event-types.ts'

/** Every event type that Shipbell rings today (guarantee E1). A type is added here first; the rest follows from it. */
export const EVENT_CATALOGUE = [
  ...SHIPMENT_EVENT_TYPES,
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
    type: 'purchase_order.shipment_status_changed',
    family: 'diff',
    resource: 'purchase_order',
    when: 'The status of a shipment that order lines are assigned to changed, as the order repeats it.',
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
  ...DERIVED_EVENT_TYPES,
  ...EXPECTATION_EVENT_TYPES,
  ...SNAPSHOT_EVENT_TYPES,
  ...ACCOUNT_EVENT_TYPES,
  ...OWN_EVENT_TYPES,
  ...ENDPOINT_EVENT_TYPES,
] as const satisfies readonly EventTypeInfo[]

export type EventType = (typeof EVENT_CATALOGUE)[number]['type']

const BY_TYPE: ReadonlyMap<string, EventTypeInfo> = new Map(EVENT_CATALOGUE.map((info) => [info.type, info]))

export function eventTypeInfo(type: string): EventTypeInfo | undefined {
  return BY_TYPE.get(type)
}
