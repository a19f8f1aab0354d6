import { asText, field, isJsonObject, type Json, type JsonObject } from './json.ts'

const USUAL = 'platform_shipment_id'

/**
 * The field that holds the id of a page's shipments: `platform_shipment_id` if any row has it, or else the `*_shipment_id`
 * that most rows have, if there is one such (guarantee D11).
 */
export function shipmentIdFieldOf(rows: readonly Json[]): string | null {
  const records = rows.filter((row) => isJsonObject(row))
  if (records.some((record) => Object.hasOwn(record, USUAL))) return USUAL
  const names = Map.groupBy(records.flatMap(candidatesOf), (name) => name)
  const [first, second] = [...names].sort(([, left], [, right]) => right.length - left.length)
  return first === undefined || second?.[1].length === first[1].length ? null : first[0]
}

/**
 * The field that identifies shipments where no row has another that could be taken for it; null where one has, or none has
 * any.
 */
export function certainShipmentIdField(rows: readonly Json[]): string | null {
  const records = rows.filter((row) => isJsonObject(row))
  if (records.some((record) => Object.hasOwn(record, USUAL))) return USUAL
  const [name, ...others] = new Set(records.flatMap(candidatesOf))
  return name === undefined || others.length > 0 ? null : name
}

/** Whether rows leave the field certain that other rows are certainly identified by. */
export function leaveCertain(certainField: string, rows: readonly Json[]): boolean {
  if (certainField === USUAL) return true
  return rows.every((row) => !isJsonObject(row) || candidatesOf(row).every((name) => name === certainField))
}

/** The id of the shipment that a record is or belongs to; null where it names none. */
export function shipmentIdOf(record: JsonObject, idField: string | null): string | null {
  const name = idField ?? shipmentIdFieldOf([record])
  return name === null ? null : asText(field(record, name))
}

function candidatesOf(record: JsonObject): readonly string[] {
  return Object.keys(record).filter((key) => key.endsWith('_shipment_id'))
}
