import type { JsonObject } from '../../model/json.ts'
import type { ProductLine, PurchaseOrderDraft } from './purchase-order-body.ts'

/** An order as it was written, with every field of the order that is read. */
export function renderWrittenOrder(draft: PurchaseOrderDraft, supplierName: string | null): JsonObject {
  return {
    po_number: draft.reference,
    supplier_name: supplierName,
    purchase_order_lines: draft.product_lines.map(renderProductLine),
    desired_ex_factory_date: draft.desired_ex_factory_date ?? null,
    desired_delivery_date: draft.desired_delivery_date ?? null,
    custom_parameters: draft.custom_parameters ?? [],
  }
}

/** A line of a request as a line that is read; the interface returns no `volume`, and takes no `name`. */
export function renderProductLine(line: ProductLine, index: number): JsonObject {
  const { product } = line
  return {
    reference: line.reference ?? String((index + 1) * 10),
    product: {
      sku: product?.sku ?? null,
      name: product?.sku ?? null,
      hs_code: product?.hs_code ?? null,
      description: product?.description ?? null,
      is_hazardous: product?.is_hazardous ?? 'false',
      hazardous_description: product?.hazardous_description ?? null,
      custom_parameters: product?.custom_parameters ?? [],
    },
    ordered_quantity: line.ordered_quantity ?? null,
    unit_price: line.unit_price ?? null,
    assigned_order_lines: [],
  }
}
