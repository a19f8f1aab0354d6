/** What an account can watch, as named under `watch` (contract section 2). */
export const WATCHABLE = [
  'shipments',
  'tracking',
  'invoices',
  'documents',
  'purchase_orders',
  'locations',
  'order_preparations',
] as const
export type Watchable = (typeof WATCHABLE)[number]

/** What an event can be about: `subject.resource` (contract section 5). */
export const SUBJECT_RESOURCES = [
  'shipment',
  'tracking',
  'invoice',
  'document',
  'purchase_order',
  'location',
  'order_preparation',
  'account',
  'subscription',
] as const
export type SubjectResource = (typeof SUBJECT_RESOURCES)[number]

/** The resources whose records come from the platform. */
export type RecordResource = Exclude<SubjectResource, 'account' | 'subscription'>

export const RECORD_OF = {
  shipments: 'shipment',
  tracking: 'tracking',
  invoices: 'invoice',
  documents: 'document',
  purchase_orders: 'purchase_order',
  locations: 'location',
  order_preparations: 'order_preparation',
} as const satisfies Record<Watchable, RecordResource>
