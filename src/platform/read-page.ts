import { isJsonObject, type Json, type JsonObject } from '../model/json.ts'
import { shipmentIdFieldOf } from '../model/shipment-id.ts'
import { checkRecord, type CheckedRecord } from './check-record.ts'
import type { Excerpt } from './excerpt.ts'
import type { Page, Row } from './outcome.ts'
import type { ListedResource } from './platform.ts'
import { recordId } from './record-id.ts'
import { RESOURCES } from './resources.ts'

export interface PageReading {
  readonly resource: ListedResource
  /** The configured field; null: find it. */
  readonly shipmentIdField: string | null
  readonly excerpt: Excerpt
  /** Whether a record was understood before, just as it is. */
  readonly isUnderstood?: (record: JsonObject) => boolean
}

const NOT_TEXT = 'The identifier is not well-formed Unicode text.'

/** Judges the rows of a list one by one. */
export function readPage(values: readonly Json[], reading: PageReading): Page {
  const shipmentIdField =
    reading.resource === 'shipment' ? (reading.shipmentIdField ?? shipmentIdFieldOf(values)) : null
  return { rows: values.map((value) => readRow(value, { ...reading, shipmentIdField })), shipmentIdField }
}

function readRow(value: Json, reading: PageReading): Row {
  const { schema } = RESOURCES[reading.resource]
  const id = isJsonObject(value) ? recordId(value, reading) : null
  const isUnderstood = isJsonObject(value) && reading.isUnderstood?.(value) === true
  const checked = isUnderstood ? sound(value) : checkRecord(value, schema, reading.excerpt)
  if (checked.kind === 'unsound') return { kind: 'rejected', id, reason: checked.reason, record: value }
  if (id !== null && !id.isWellFormed()) return { kind: 'rejected', id: null, reason: NOT_TEXT, record: value }
  if (id === null) return { kind: 'rejected', id, reason: missingId(reading, checked.record), record: value }
  return { kind: 'record', id, record: checked.record }
}

function sound(record: JsonObject): CheckedRecord {
  return { kind: 'sound', record }
}

function missingId(reading: PageReading, record: JsonObject): string {
  const { idField } = RESOURCES[reading.resource]
  const name = idField === 'shipment' ? reading.shipmentIdField : idField
  if (name === null) {
    return 'The record has no identifier: neither platform_shipment_id nor exactly one other *_shipment_id; shipment_id_field can name it.'
  }
  const found = Object.hasOwn(record, name) ? 'holds none' : 'is missing'
  return `/${name} should be the identifier, but ${found}.`
}
