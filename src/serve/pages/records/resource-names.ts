import type { RecordResource } from '../../../model/resource.ts'

/** What the lists of records are called, in the order in which people look for them. */
export const RESOURCE_NAMES = {
  shipment: { many: 'Shipments', one: 'Shipment' },
  invoice: { many: 'Invoices', one: 'Invoice' },
  document: { many: 'Documents', one: 'Document' },
  purchase_order: { many: 'Purchase orders', one: 'Purchase order' },
  tracking: { many: 'Tracking', one: 'Tracking' },
  location: { many: 'Locations', one: 'Location' },
  order_preparation: { many: 'Order preparations', one: 'Order preparation' },
} as const satisfies Readonly<Record<RecordResource, { readonly many: string; readonly one: string }>>

export function isRecordResource(name: string): name is RecordResource {
  return Object.hasOwn(RESOURCE_NAMES, name)
}
