import { INVOICE_STATUSES } from '../model/invoice.ts'
import { isJsonObject, shallowText, type Json, type JsonObject } from '../model/json.ts'
import { checkRecord, foreignId, identifiers, isIdName } from './check-record.ts'
import { interfaceFields, schemaOf } from './schemas.ts'
import { RESOURCES } from '../model/resource.ts'
import { NAMED_SHIPMENT_STATUSES } from '../model/shipment.ts'
import type { FetchedResource } from './platform.ts'
import type { Excerpt } from './site.ts'

/** What the body of a fetch by id is. */
export type JudgedItem =
  | { readonly kind: 'record'; readonly record: JsonObject }
  /** A record that cannot be used. `reason` says why: `a record that …`. */
  | { readonly kind: 'rejected'; readonly reason: string }
  /** No record at all, such as an error under the status of a success. `found` says what it is. */
  | { readonly kind: 'failed'; readonly found: string }

interface Asked {
  readonly resource: FetchedResource
  readonly id: string
  /** The configured field of a shipment's id; null: any `*_shipment_id` may be it. */
  readonly shipmentIdField: string | null
  readonly excerpt: Excerpt
}

const FOUND_EXCERPT = 120
const FOUND_LEVELS = 8
const ID_ALONE = 'a record that cannot be used: it has its identifier and no other field of the interface.'

/** Whether the body of a fetch by id is the record that was asked for. A status alone proves nothing: errors come with 200, too. */
export function judgeItem(json: Json, asked: Asked): JudgedItem {
  const { excerpt, resource } = asked
  if (!isJsonObject(json)) return { kind: 'failed', found: `${kindOf(json)} instead of a record` }
  const shown = partsShown(json, asked)
  if (shown === 'nothing') {
    const body = excerpt(shallowText(json, FOUND_LEVELS), FOUND_EXCERPT)
    return { kind: 'failed', found: `an object that is not the record: ${body}` }
  }
  const other = foreignId(json, asked)
  if (other !== null) return { kind: 'rejected', reason: `another record, "${excerpt(other, 60)}".` }
  if (shown === 'id_alone') return { kind: 'rejected', reason: ID_ALONE }
  const checked = checkRecord(json, schemaOf(resource), excerpt)
  if (checked.kind === 'sound') return { kind: 'record', record: checked.record }
  return { kind: 'rejected', reason: `a record that cannot be used: ${checked.reason}` }
}

export function kindOf(value: Json): string {
  if (value === null) return 'null'
  if (typeof value !== 'object') return `a ${typeof value}`
  return isJsonObject(value) ? 'an object' : 'a list'
}

const FIELDS = interfaceFields()

/** Fields of the interface that say as well how a request went: `{"status":"FAILED"}`. */
const VERDICTS: ReadonlySet<string> = new Set(['status', 'type', 'name', 'description'])

/** Where the interface names the values of such a field, one of them is no verdict. */
const NAMED_VALUES: Readonly<Partial<Record<FetchedResource, ReadonlySet<Json>>>> = {
  shipment: new Set(NAMED_SHIPMENT_STATUSES),
  invoice: new Set([...INVOICE_STATUSES, 'invoice', 'credit_note']),
}

/**
 * What an object shows of the record that was asked for. An object without the record's identifier is that record only where it
 * has one of its parts (an object or a list), or where the interface names most of its fields: `status`, `type` and `name` are
 * fields of errors, too. A field that is null counts only where nothing else is there in its place. Nothing but empty
 * fields and verdicts is no record of a resource that has an identifier.
 */
function partsShown(record: JsonObject, asked: Asked): 'record' | 'id_alone' | 'nothing' {
  const { fields } = FIELDS[asked.resource]
  const others = Object.keys(record).filter((name) => !isIdName(name, asked))
  const foreign = others.filter((name) => !fields.has(name) && record[name] !== null)
  const own = others.filter((name) => fields.has(name) && (record[name] !== null || foreign.length === 0))
  const hasId = identifiers(record, asked).length > 0
  if (own.length === 0) return hasId ? 'id_alone' : 'nothing'
  const saysNothing = (name: string): boolean => isEmpty(record[name]) || isVerdict(name, record[name], asked)
  if (!hasId && RESOURCES[asked.resource].idField !== null && own.every(saysNothing)) return 'nothing'
  const isOneOfItsParts = (name: string): boolean => typeof record[name] === 'object' && record[name] !== null
  return hasId || own.some(isOneOfItsParts) || own.length > foreign.length ? 'record' : 'nothing'
}

function isEmpty(value: Json | undefined): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
}

function isVerdict(name: string, value: Json = null, { resource }: Pick<Asked, 'resource'>): boolean {
  return VERDICTS.has(name) && typeof value !== 'object' && NAMED_VALUES[resource]?.has(value) !== true
}
