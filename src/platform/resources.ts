import type { z } from 'zod'
import type { RecordResource } from '../model/resource.ts'
import { documentSchema } from './wire/document.ts'
import { invoiceSchema } from './wire/invoice.ts'
import { locationSchema } from './wire/location.ts'
import { orderPreparationSchema } from './wire/order-preparation.ts'
import { purchaseOrderSchema } from './wire/purchase-order.ts'
import { shipmentSchema } from './wire/shipment.ts'
import { trackingSchema } from './wire/tracking.ts'

export interface ResourceOnTheWire {
  /** Path of the list, below `base_url`; null where the interface has none. */
  readonly list: string | null
  /** Path below which one record is found by its id. */
  readonly item: string
  /** The field that identifies a record; `shipment`: that of its shipment, which platforms name differently; null: only the path names it. */
  readonly idField: 'shipment' | 'reference' | 'id' | 'po_number' | null
  readonly schema: z.ZodType
}

/** Every resource that can be read: a new one is a schema and a line here. */
export const RESOURCES = {
  shipment: { list: '/v1/shipments', item: '/v1/shipments', idField: 'shipment', schema: shipmentSchema },
  tracking: { list: null, item: '/v1/tracking', idField: 'shipment', schema: trackingSchema },
  invoice: { list: '/v1/invoices', item: '/v1/invoices', idField: 'reference', schema: invoiceSchema },
  document: { list: '/v1/documents', item: '/v1/documents', idField: 'id', schema: documentSchema },
  purchase_order: {
    list: '/v1/purchaseOrders',
    item: '/v1/purchaseOrders',
    idField: 'po_number',
    schema: purchaseOrderSchema,
  },
  location: { list: '/v1/locations', item: '/v1/locations', idField: 'id', schema: locationSchema },
  order_preparation: { list: null, item: '/v1/orderPreparations', idField: null, schema: orderPreparationSchema },
} as const satisfies Readonly<Record<RecordResource, ResourceOnTheWire>>
