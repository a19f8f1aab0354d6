import type { EventTypeInfo } from './event-type-info.ts'

/** What records together mean, derived of what events have reported of each. */
export const DERIVED_EVENT_TYPES = [
  {
    type: 'purchase_order.eta_changed',
    family: 'derived',
    resource: 'purchase_order',
    when: 'The expected delivery of the order, the latest of its shipments, moved, appeared, went, or changed its status.',
  },
  {
    type: 'purchase_order.delivery_at_risk',
    family: 'derived',
    resource: 'purchase_order',
    when: 'The expected delivery of the order moved past its desired delivery date.',
  },
  {
    type: 'purchase_order.delivery_back_on_track',
    family: 'derived',
    resource: 'purchase_order',
    when: 'The expected delivery of the order is back on or before its desired delivery date.',
  },
  {
    type: 'purchase_order.fully_assigned',
    family: 'derived',
    resource: 'purchase_order',
    when: 'All that was ordered is assigned to shipments.',
  },
  {
    type: 'purchase_order.delivered',
    family: 'derived',
    resource: 'purchase_order',
    when: 'All that was ordered is assigned, and each of its shipments is delivered.',
  },
] as const satisfies readonly EventTypeInfo[]
