import { textField, type JsonObject } from '../model/json.ts'
import type { RecordResource } from '../model/resource.ts'
import { shipmentIdOf } from '../model/shipment-id.ts'
import { RESOURCES } from './resources.ts'

export interface Identification {
  readonly resource: RecordResource
  /** The configured or already found field of a shipment's id; null: found by name (contract section 3.11). */
  readonly shipmentIdField: string | null
}

/** The identifier of a record as text (contract section 5, `subject.id`); null where it names none. */
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

function identifiers(record: JsonObject, { resource, shipmentIdField }: Identification): readonly string[] {
  const names =
    RESOURCES[resource].idField === 'shipment' && shipmentIdField === null
      ? Object.keys(record).filter((key) => key.endsWith('_shipment_id'))
      : null
  const own = names?.map((name) => textField(record, name)) ?? [recordId(record, { resource, shipmentIdField })]
  return own.filter((id) => id !== null)
}
