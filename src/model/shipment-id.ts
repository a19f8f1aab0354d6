import { asText, field, type JsonObject } from './json.ts'

const USUAL = 'platform_shipment_id'

/** The field that holds a shipment's id: `platform_shipment_id`, or the only `*_shipment_id` (contract section 3.11). */
export function shipmentIdFieldOf(record: JsonObject): string | null {
  if (Object.hasOwn(record, USUAL)) return USUAL
  const candidates = Object.keys(record).filter((key) => key.endsWith('_shipment_id'))
  return candidates.length === 1 ? (candidates[0] ?? null) : null
}

/** The id of the shipment that a record is or belongs to; null where it names none. */
export function shipmentIdOf(record: JsonObject, idField: string | null): string | null {
  const name = idField ?? shipmentIdFieldOf(record)
  return name === null ? null : asText(field(record, name))
}
