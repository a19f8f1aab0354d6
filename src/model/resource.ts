/** What an event can be about: `subject.resource` (guarantee P5). */
export type SubjectResource = RecordResource | 'account' | 'subscription' | 'configuration'

/** The resources whose records come from the platform. */
export const RECORD_RESOURCES = [
  'shipment',
  'tracking',
  'invoice',
  'document',
  'purchase_order',
  'location',
  'order_preparation',
] as const
export type RecordResource = (typeof RECORD_RESOURCES)[number]

/** Whether its records come from the platform. */
export function isRecordResource(resource: SubjectResource): resource is RecordResource {
  return RECORD_RESOURCES.some((each) => each === resource)
}

/** What an account can watch, as named under `watch` (guarantee K3), and the records that are read for it. */
export const RECORD_OF = {
  shipments: 'shipment',
  tracking: 'tracking',
  invoices: 'invoice',
  documents: 'document',
  purchase_orders: 'purchase_order',
  locations: 'location',
  order_preparations: 'order_preparation',
} as const satisfies Readonly<Record<string, RecordResource>>

/** Those of them that the platform lists page by page. */
export const LISTS = ['shipments', 'invoices', 'documents', 'purchase_orders', 'locations'] as const

export type Watchable = keyof typeof RECORD_OF

export const WATCHABLES = [
  'shipments',
  'tracking',
  'invoices',
  'documents',
  'purchase_orders',
  'locations',
  'order_preparations',
] as const satisfies readonly Watchable[]

/** The name under `watch` of what records are read for. */
export function watchedAs(resource: RecordResource): Watchable {
  return WATCHES[resource]
}

const WATCHES = {
  shipment: 'shipments',
  tracking: 'tracking',
  invoice: 'invoices',
  document: 'documents',
  purchase_order: 'purchase_orders',
  location: 'locations',
  order_preparation: 'order_preparations',
} as const satisfies Readonly<Record<RecordResource, Watchable>>
