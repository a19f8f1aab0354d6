import { field, isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json.ts'
import { shipmentIdOf } from '../../model/shipment-id.ts'
import type { LeafChange } from '../compare/leaf-change.ts'
import type { Pair } from '../compare/pair.ts'
import { shipmentKey } from './purchase-order-shape.ts'

/** An element of `assigned_order_lines`, beside the order line it stands in. */
export interface Assignment {
  readonly line: Pair
  readonly element: Pair
}

/** The assignment that a leaf belongs to; null where it belongs to none. */
export function assignmentOf({ keys, pairs }: LeafChange): Assignment | null {
  const [line, element] = pairs
  const isAssigned = keys[0] === 'purchase_order_lines' && keys[2] === 'assigned_order_lines'
  return isAssigned && line !== undefined && element !== undefined ? { line, element } : null
}

/** What events tell of an assignment: its line as it is now, or as it was, and the shipment's id. */
export function assignmentExtras({ line, element }: Assignment): JsonObject {
  const assigned = (element.after ?? element.before)?.value ?? null
  return {
    line: (line.after ?? line.before)?.value ?? null,
    shipment_id: isJsonObject(assigned) ? shipmentIdOf(assigned, null) : null,
  }
}

/** The keys of the shipments that an order line is assigned to. */
export function shipmentsOf(line: Json | undefined): ReadonlySet<string> {
  const assigned = field(line, 'assigned_order_lines')
  return new Set(isJsonArray(assigned) ? assigned.map(shipmentKey) : [])
}
