import type { z } from 'zod'
import { customParameters, filledText, listOf, number, objectOf, price, simpleDate, text } from './body-fields.ts'

const productLine = objectOf({
  reference: filledText.optional(),
  ordered_quantity: number.optional(),
  unit_price: price.optional(),
  volume: number.optional(),
  volume_unit: text.optional(),
  product: objectOf({
    sku: text.optional(),
    hs_code: text.optional(),
    description: text.optional(),
    is_hazardous: text.optional(),
    hazardous_description: text.optional(),
    custom_parameters: customParameters.optional(),
  }).optional(),
})

const productLines = listOf(productLine)

/** Body of endpoint 6. The interface does not say what is required: the sandbox wants the reference and the lines, of which there may be none. */
export const purchaseOrderDraft = objectOf({
  reference: filledText,
  supplier_id: text.optional(),
  product_lines: productLines,
  custom_parameters: customParameters.optional(),
  desired_delivery_date: simpleDate.optional(),
  desired_ex_factory_date: simpleDate.optional(),
})

/** Body of endpoint 7. */
export const purchaseOrderUpdate = objectOf({ reference: filledText, product_lines: productLines })

export type ProductLine = z.infer<typeof productLine>
export type PurchaseOrderDraft = z.infer<typeof purchaseOrderDraft>
export type PurchaseOrderUpdate = z.infer<typeof purchaseOrderUpdate>
