import { textField, type JsonObject } from '../model/json.ts'
import type { FetchedResource } from './platform.ts'
import { recordId } from './record-id.ts'
import { RESOURCES } from './resources.ts'

export interface Asked {
  readonly resource: FetchedResource
  readonly id: string
  /** The configured field; null: any `*_shipment_id` may be the one. */
  readonly shipmentIdField: string | null
}

/** The identifier of a record that is not the one asked for; null where it is, or names none. */
export function foreignId(record: JsonObject, asked: Asked): string | null {
  const own = identifiers(record, asked)
  return own.includes(asked.id) ? null : (own[0] ?? null)
}

function identifiers(record: JsonObject, { resource, shipmentIdField }: Asked): readonly string[] {
  const names =
    RESOURCES[resource].idField === 'shipment' && shipmentIdField === null
      ? Object.keys(record).filter((key) => key.endsWith('_shipment_id'))
      : null
  const own = names?.map((name) => textField(record, name)) ?? [recordId(record, { resource, shipmentIdField })]
  return own.filter((id) => id !== null)
}
