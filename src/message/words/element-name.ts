import { isJsonObject, textField, type Json } from '../../model/json.ts'
import { shipmentIdOf } from '../../model/shipment.ts'

/** By which fields people tell the elements of a list apart, the best first. */
const TOLD_APART_BY: Readonly<Record<string, readonly string[]>> = {
  containers: ['container_number', 'seal_number'],
  shipped_order_lines: ['container_number'],
  purchase_order_lines: ['reference'],
  custom_parameters: ['name'],
  lines: ['description', 'category'],
  contacts: ['name', 'email'],
  tracking_steps: ['type'],
  events: ['description'],
}

/** What people call an element of a list of a record, such as a container's number; null: it has no such name. */
export function elementName(list: string, element: Json | undefined): string | null {
  if (!isJsonObject(element)) return null
  if (list === 'assigned_order_lines') return shipmentIdOf(element, null)
  const fields = Object.hasOwn(TOLD_APART_BY, list) ? (TOLD_APART_BY[list] ?? []) : []
  return fields.map((name) => textField(element, name)).find((text) => text !== null) ?? null
}
