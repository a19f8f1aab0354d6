import { field, isJsonArray, isJsonObject, textField, type Json, type JsonObject } from '../../model/json.ts'
import type { Shelf } from '../world/shelf.ts'
import type { PurchaseOrderDraft, PurchaseOrderUpdate } from './purchase-order-body.ts'
import { renderProductLine, renderWrittenOrder } from './render-written-order.ts'

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
