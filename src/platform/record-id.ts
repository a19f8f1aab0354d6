import { textField, type JsonObject } from '../model/json.ts'
import type { RecordResource } from '../model/resource.ts'
import { shipmentIdOf } from '../model/shipment-id.ts'
import { RESOURCES } from './resources.ts'

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
