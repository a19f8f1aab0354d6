import { z } from 'zod'
import type { FieldTree } from '../model/field-tree.ts'
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

/** The fields of every resource that the interface names: one outside them is new to us. */
export function interfaceFields(): Readonly<Record<RecordResource, FieldTree>> {
  return {
    shipment: fieldsOf(SCHEMAS.shipment),
    tracking: fieldsOf(SCHEMAS.tracking),
    invoice: fieldsOf(SCHEMAS.invoice),
    document: fieldsOf(SCHEMAS.document),
    purchase_order: fieldsOf(SCHEMAS.purchase_order),
    location: fieldsOf(SCHEMAS.location),
    order_preparation: fieldsOf(SCHEMAS.order_preparation),
  }
}

/** `part` and `listOf` wrap what they hold; of a union's members at most one is an object or an array. */
function fieldsOf(schema: unknown): FieldTree {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return fieldsOf(schema.unwrap())
  if (schema instanceof z.ZodArray) return { fields: new Map(), elements: fieldsOf(schema.element) }
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape).map(([name, each]) => [name, fieldsOf(each)] as const)
    return { fields: new Map(fields), elements: null }
  }
  const members = schema instanceof z.ZodUnion ? schema.options.map(fieldsOf) : []
  const structured = members.find(({ fields, elements }) => fields.size > 0 || elements !== null)
  return structured ?? { fields: new Map(), elements: null }
}
