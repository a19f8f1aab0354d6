import type { z } from 'zod'
import { field, isJsonArray, isJsonObject, textField, type Json, type JsonObject } from '../../model/json.ts'
import type { Shelf } from '../world/shelf.ts'
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

/** Body of `POST /v1/purchaseOrders`. The interface does not say what is required: the sandbox wants the reference and the lines, of which there may be none. */
export const purchaseOrderDraft = objectOf({
  reference: filledText,
  supplier_id: text.optional(),
  product_lines: productLines,
  custom_parameters: customParameters.optional(),
  desired_delivery_date: simpleDate.optional(),
  desired_ex_factory_date: simpleDate.optional(),
})

/** Body of `PATCH /v1/purchaseOrders`. */
export const purchaseOrderUpdate = objectOf({ reference: filledText, product_lines: productLines })

type ProductLine = z.infer<typeof productLine>
type PurchaseOrderDraft = z.infer<typeof purchaseOrderDraft>
type PurchaseOrderUpdate = z.infer<typeof purchaseOrderUpdate>

/** Purchase orders that can be read and written. What is written lasts as long as the desk. */
export interface PurchaseOrderDesk extends Shelf {
  create(draft: PurchaseOrderDraft, time: number): 'created' | 'exists'
  /** Replaces the lines. */
  update(update: PurchaseOrderUpdate, time: number): 'updated' | 'unknown' | 'on_a_shipment'
}

/** Written orders stand before those of `shelf`, newest first. `supplierName`: what a supplier's id stands for. */
export function purchaseOrderDesk(
  shelf: Shelf,
  supplierName: (supplierId: string, time: number) => string | null,
): PurchaseOrderDesk {
  const written = new Map<string, JsonObject>()
  const replacedLines = new Map<string, readonly JsonObject[]>()
  const amended = (order: JsonObject): JsonObject => {
    const lines = replacedLines.get(textField(order, 'po_number') ?? '')
    return lines === undefined ? order : withLines(order, lines)
  }
  const find: Shelf['find'] = (reference, time) => {
    const order = written.get(reference) ?? shelf.find(reference, time)
    return order === null ? null : amended(order)
  }
  return {
    page: ({ skip, take }, time) => {
      const own = [...written.values()].toReversed().slice(skip, skip + take)
      const rest = shelf.page({ skip: Math.max(0, skip - written.size), take: take - own.length }, time)
      return [...own, ...rest].map(amended)
    },
    find,
    create: (draft, time) => {
      if (find(draft.reference, time) !== null) return 'exists'
      const supplier = draft.supplier_id ?? null
      const name = supplier === null ? null : (supplierName(supplier, time) ?? supplier)
      written.set(draft.reference, renderWrittenOrder(draft, name))
      return 'created'
    },
    update: ({ reference, product_lines }, time) => {
      const order = find(reference, time)
      if (order === null) return 'unknown'
      if (isOnAShipment(order)) return 'on_a_shipment'
      const before = new Map(linesOf(order).map((line) => [textField(line, 'reference'), line]))
      const lines = product_lines.map(renderProductLine)
      replacedLines.set(
        reference,
        lines.map((line) => withQuantity(line, before.get(textField(line, 'reference')))),
      )
      return 'updated'
    },
  }
}

/** A line that is sent without a quantity keeps the one that it had. */
function withQuantity(line: JsonObject, before: Json | undefined): JsonObject {
  return { ...line, ordered_quantity: field(line, 'ordered_quantity') ?? field(before, 'ordered_quantity') ?? null }
}

function isOnAShipment(order: JsonObject): boolean {
  return linesOf(order).some((line) => {
    const assigned = field(line, 'assigned_order_lines')
    return isJsonArray(assigned) && assigned.length > 0
  })
}

/** An order whose lines were replaced may get onto a shipment later: line by line as the ones it had before. */
function withLines(order: JsonObject, lines: readonly JsonObject[]): JsonObject {
  const before = linesOf(order)
  return {
    ...order,
    purchase_order_lines: lines.map((line, index) => ({
      ...line,
      assigned_order_lines: field(before[index], 'assigned_order_lines') ?? [],
    })),
  }
}

function linesOf(order: JsonObject): readonly Json[] {
  const lines = field(order, 'purchase_order_lines')
  return isJsonArray(lines) ? lines.filter(isJsonObject) : []
}

/** An order as it was written, with every field of the order that is read. */
function renderWrittenOrder(draft: PurchaseOrderDraft, supplierName: string | null): JsonObject {
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
function renderProductLine(line: ProductLine, index: number): JsonObject {
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
