import type { EventTypeInfo } from './event-type-info.ts'

/** Records as they stand, for a subscription that starts full: no pattern routes them. */
export const SNAPSHOT_EVENT_TYPES = [
  {
    type: 'shipment.snapshot',
    family: 'snapshot',
    resource: 'shipment',
    when: 'A subscription is sent every known shipment.',
  },
  {
    type: 'tracking.snapshot',
    family: 'snapshot',
    resource: 'tracking',
    when: 'A subscription is sent the tracking of every known shipment.',
  },
  {
    type: 'invoice.snapshot',
    family: 'snapshot',
    resource: 'invoice',
    when: 'A subscription is sent every known invoice.',
  },
  {
    type: 'credit_note.snapshot',
    family: 'snapshot',
    resource: 'invoice',
    when: 'A subscription is sent every known credit note.',
  },
  {
    type: 'document.snapshot',
    family: 'snapshot',
    resource: 'document',
    when: 'A subscription is sent every known document.',
  },
  {
    type: 'purchase_order.snapshot',
    family: 'snapshot',
    resource: 'purchase_order',
    when: 'A subscription is sent every known purchase order.',
  },
  {
    type: 'location.snapshot',
    family: 'snapshot',
    resource: 'location',
    when: 'A subscription is sent every known location.',
  },
  {
    type: 'order_preparation.snapshot',
    family: 'snapshot',
    resource: 'order_preparation',
    when: 'A subscription is sent every known order preparation.',
  },
] as const satisfies readonly EventTypeInfo[]
