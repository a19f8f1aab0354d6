import type { z } from 'zod'
import type { RecordResource } from '../model/resource.ts'
import { documentSchema } from './wire/document.ts'
import { invoiceSchema } from './wire/invoice.ts'
import { locationSchema } from './wire/location.ts'
import { orderPreparationSchema } from './wire/order-preparation.ts'
import { purchaseOrderSchema } from './wire/purchase-order.ts'
import { shipmentSchema } from './wire/shipment.ts'
import { trackingSchema } from './wire/tracking.ts'

/** What a record of each resource may be. */
export const SCHEMAS = {
  shipment: shipmentSchema,
  tracking: trackingSchema,
  invoice: invoiceSchema,
  document: documentSchema,
  purchase_order: purchaseOrderSchema,
  location: locationSchema,
  order_preparation: orderPreparationSchema,
}

const SCHEMA_OF: Readonly<Record<RecordResource, z.ZodType>> = SCHEMAS

/** What a record of a resource may be, whichever resource it is. */
export function schemaOf(resource: RecordResource): z.ZodType {
  return SCHEMA_OF[resource]
}
