import { textField, type JsonObject } from '../model/json.ts'
import { RESOURCES, type RecordResource } from '../model/resource.ts'
import { shipmentIdOf } from '../model/shipment.ts'

export interface Identification {
  readonly resource: RecordResource
  /** The configured or already found field of a shipment's id; null: found by name (guarantee D11). */
  readonly shipmentIdField: string | null
}

/** The identifier of a record as text (guarantee P5, `subject.id`); null where it names none. */
export function recordId(record: JsonObject, { resource, shipmentIdField }: Identification): string | null {
  const { idField } = RESOURCES[resource]
  if (idField === null) return null
  return idField === 'shipment' ? shipmentIdOf(record, shipmentIdField) : textField(record, idField)
}

/**
 * The identifier of a record that is not the one asked for; null where it is, or names none. Where no field is configured, any
 * `*_shipment_id` may be a shipment's.
 */
export function foreignId(record: JsonObject, asked: Identification & { readonly id: string }): string | null {
  const own = identifiers(record, asked)
  return own.includes(asked.id) ? null : (own[0] ?? null)
}

/** Whether a field of this name identifies a record. The path alone names an order preparation; a platform may repeat that. */
export function isIdName(name: string, { resource, shipmentIdField }: Identification): boolean {
  const { idField } = RESOURCES[resource]
  if (idField === null) return name === 'reference'
  if (idField !== 'shipment') return name === idField
  return shipmentIdField === null ? name.endsWith('_shipment_id') : name === shipmentIdField
}

/** What a record says identifies it. */
export function identifiers(record: JsonObject, asked: Identification): readonly string[] {
  if (RESOURCES[asked.resource].idField === null) return []
  const names = Object.keys(record).filter((name) => isIdName(name, asked))
  return names.map((name) => textField(record, name)).filter((id) => id !== null)
}
