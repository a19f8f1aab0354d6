import { isJsonObject, type Json, type JsonObject } from '../model/json.ts'
import { resolvePointer } from '../model/pointer.ts'
import { RESOURCES, type ListedResource } from '../model/resource.ts'
import { certainShipmentIdField, leaveCertain, shipmentIdFieldOf } from '../model/shipment.ts'
import { isReplaced, replacedAt } from './answer.ts'
import { checkRecord, recordId } from './check-record.ts'
import type { Excerpt } from './site.ts'
import type { Page, RecordRow, Row } from './outcome.ts'
import type { PageRow } from './page-row.ts'
import { schemaOf } from './schemas.ts'

export interface PageReading {
  readonly resource: ListedResource
  /** The configured field; null: find it. */
  readonly shipmentIdField: string | null
  /** What the shipments that are known were certainly identified by; null: it is to be found anew. */
  readonly certainIdField?: string | null
  readonly excerpt: Excerpt
  /** What the page was written in. Default: UTF-8. */
  readonly charset?: string
  /** The longest identifier that the store can keep, in UTF-16 code units. Default: any. */
  readonly longestId?: number | undefined
}

const NOT_TEXT = 'The identifier is not well-formed Unicode text.'

/** Judges the rows of a list one by one (`pageReader`). */
export function readPage(rows: readonly PageRow[], reading: PageReading): Page {
  const { page, read } = pageReader(rows, reading)
  return { ...page, rows: rows.map(read) }
}

/**
 * How the rows of a list are judged. Known rows are what they were, as long as the same field certainly identifies them
 * (`certainIdField`): where there is doubt now, they are read anew.
 */
export function pageReader(
  rows: readonly PageRow[],
  reading: PageReading,
): { readonly page: Omit<Page, 'rows'>; readonly read: (row: PageRow) => Row } {
  if (reading.resource !== 'shipment') {
    return { page: NO_FIELD, read: (row) => knownRow(row) ?? readRow(row, reading) }
  }
  const { certainIdField = null } = reading
  if (certainIdField !== null && staysCertain(rows, certainIdField, reading)) {
    const own = { ...reading, shipmentIdField: certainIdField }
    const page = { shipmentIdField: certainIdField, certainIdField }
    return { page, read: (row) => knownRow(row) ?? readRow(row, own) }
  }
  const values = rows.map(({ value }) => value)
  const shipmentIdField = reading.shipmentIdField ?? shipmentIdFieldOf(values)
  const own = { ...reading, shipmentIdField }
  const certain = reading.shipmentIdField ?? certainShipmentIdField(values)
  return { page: { shipmentIdField, certainIdField: certain }, read: (row) => readRow(row, own) }
}

const NO_FIELD = { shipmentIdField: null, certainIdField: null }

/** Whether known rows are what they were: they have the field, and nothing else that could be taken for it. */
function staysCertain(rows: readonly PageRow[], certainIdField: string, reading: PageReading): boolean {
  if (reading.shipmentIdField !== null) return reading.shipmentIdField === certainIdField
  const others = rows.filter(({ known }) => known === null)
  return (
    others.length < rows.length &&
    leaveCertain(
      certainIdField,
      others.map(({ value }) => value),
    )
  )
}

function knownRow(row: PageRow): Row | null {
  return row.known === null ? null : new KnownRecord(row.known, row)
}

/** A class, as the row is one. */
class KnownRecord implements RecordRow {
  readonly kind = 'record'
  readonly isKnown = true
  readonly id: string
  readonly contentHash: string
  readonly #row: PageRow

  constructor(id: string, row: PageRow) {
    this.id = id
    this.contentHash = row.contentHash
    this.#row = row
  }

  get record(): JsonObject {
    return isJsonObject(this.#row.value) ? this.#row.value : {}
  }
}

function readRow(row: PageRow, reading: PageReading): Row {
  const { value } = row
  const id = isJsonObject(value) ? recordId(value, reading) : null
  if (row.excess !== undefined) return { kind: 'rejected', id, reason: row.excess, record: value }
  if (!row.isText) {
    // Bytes that are none may be any: what stands for them in an id would make one of several.
    const reason = notText(value, reading)
    return { kind: 'rejected', id: id === null || isReplaced(id) ? null : id, reason, record: value }
  }
  const checked = checkRecord(value, schemaOf(reading.resource), reading.excerpt)
  if (checked.kind === 'unsound') return { kind: 'rejected', id, reason: checked.reason, record: value }
  const { record } = checked
  if (id === null) return { kind: 'rejected', id, reason: missingId(reading, record), record }
  if (!id.isWellFormed()) return { kind: 'rejected', id: null, reason: NOT_TEXT, record }
  const { longestId = Infinity } = reading
  if (id.length > longestId) return { kind: 'rejected', id: null, reason: tooLong(longestId), record }
  return { kind: 'record', id, isKnown: false, contentHash: row.contentHash, record }
}

/** Why a record is rejected that holds bytes which are no text. */
export function notText(value: Json, { charset = 'utf-8', excerpt }: Pick<PageReading, 'charset' | 'excerpt'>): string {
  const path = replacedAt(value) ?? ''
  const found = resolvePointer(value, path)
  const shown = typeof found === 'string' ? `: "${excerpt(found, 60)}"` : ''
  return `${path === '' ? 'The record' : path} holds bytes that are not valid in ${charset}${shown}.`
}

function tooLong(longestId: number): string {
  return `The identifier is longer than ${longestId} characters, and the database could not find it again.`
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
