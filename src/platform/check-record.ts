import { z } from 'zod'
import { isJsonArray, isJsonObject, textField, type Json, type JsonObject } from '../model/json.ts'
import { formatPointer, resolvePointer } from '../model/pointer.ts'
import { RESOURCES, type RecordResource } from '../model/resource.ts'
import { shipmentIdOf } from '../model/shipment.ts'
import { MOST_FIELDS } from './large/sift-list.ts'
import type { Excerpt } from './site.ts'

const DEEPEST = 64
const EXCERPT = 60

export type CheckedRecord =
  | { readonly kind: 'sound'; readonly record: JsonObject }
  /** `reason`: path, what was expected, what was found. */
  | { readonly kind: 'unsound'; readonly reason: string }

/** Whether a record can be understood. It is judged, never transformed: what flows on is what the platform sent. */
export function checkRecord(value: Json, schema: z.ZodType, excerpt: Excerpt): CheckedRecord {
  if (!isJsonObject(value)) {
    return { kind: 'unsound', reason: `The record should be an object, but is ${describe(value, excerpt)}.` }
  }
  const excess = excessOf(value, DEEPEST)
  if (excess !== null) return { kind: 'unsound', reason: excess }
  if (soundnessOf(schema)(value)) return { kind: 'sound', record: value }
  const issue = schema.safeParse(value).error?.issues[0]
  if (issue === undefined) return { kind: 'sound', record: value }
  const { path, expected } = innermost(issue)
  const pointer = formatPointer(path)
  const found = describe(resolvePointer(value, pointer) ?? null, excerpt)
  return { kind: 'unsound', reason: `${pointer} should be ${expected}, but is ${found}.` }
}

/** Why a record would take too long to be worked with; null: it would not. Recurses no deeper than `levels`. */
function excessOf(value: JsonObject | readonly Json[], levels: number): string | null {
  if (levels <= 0) return `The record is nested deeper than ${DEEPEST} levels.`
  if (isJsonArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const excess = excessOfPart(value[index], levels)
      if (excess !== null) return excess
    }
    return null
  }
  let fields = 0
  for (const name in value) {
    fields += 1
    if (fields > MOST_FIELDS) return `The record has an object of more than ${MOST_FIELDS} fields.`
    const excess = excessOfPart(value[name], levels)
    if (excess !== null) return excess
  }
  return null
}

/** Most parts are scalars, which take no call. */
function excessOfPart(part: Json | undefined, levels: number): string | null {
  return typeof part === 'object' && part !== null ? excessOf(part, levels - 1) : null
}

interface Cause {
  readonly path: readonly (string | number)[]
  readonly expected: string
}

/** A part is an object or nothing; where it is an object with a fault inside, the fault is the news. */
function innermost(issue: z.core.$ZodIssue): Cause {
  const path = issue.path.filter((token) => typeof token !== 'symbol')
  const inner = issue.code === 'invalid_union' ? issue.errors[0]?.[0] : undefined
  if (inner === undefined || inner.path.length === 0) return { path, expected: issue.message }
  const cause = innermost(inner)
  return { path: [...path, ...cause.path], expected: cause.expected }
}

/** Never `JSON.stringify`: the value may be huge or nested too deep for it. */
function describe(value: Json, excerpt: Excerpt): string {
  if (value === null) return 'null'
  if (typeof value === 'string') return `"${excerpt(value, EXCERPT)}"`
  if (typeof value !== 'object') return String(value)
  return isJsonObject(value) ? 'an object' : `a list of ${value.length}`
}

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

type Predicate = (value: unknown) => boolean

const KNOWN = new WeakMap<z.ZodType, Predicate>()

/**
 * Whether a schema accepts a value, and nothing of why not: in half the time of `safeParse`, which makes a result of every part. A kind of schema that is not known here is asked itself.
 */
export function soundnessOf(schema: z.ZodType): Predicate {
  const known = KNOWN.get(schema) ?? compile(schema)
  KNOWN.set(schema, known)
  return known
}

function compile(schema: unknown): Predicate {
  if (schema instanceof z.ZodOptional) return orElse(compile(schema.unwrap()), undefined)
  if (schema instanceof z.ZodNullable) return orElse(compile(schema.unwrap()), null)
  if (schema instanceof z.ZodUnion) return anyOf(schema.options.map(compile))
  if (schema instanceof z.ZodArray && schema.def.checks === undefined) return listOf(compile(schema.element))
  if (schema instanceof z.ZodObject && isLoose(schema)) return objectOf(schema)
  if (schema instanceof z.ZodCustom && schema.def.checks === undefined) {
    const { fn } = schema.def
    return (value) => Boolean(fn(value))
  }
  if (schema instanceof z.ZodType) return (value) => schema.safeParse(value).success
  throw new TypeError('a part of a schema is none')
}

function orElse(inner: Predicate, other: null | undefined): Predicate {
  return (value) => value === other || inner(value)
}

function anyOf(options: readonly Predicate[]): Predicate {
  return (value) => {
    for (const option of options) if (option(value)) return true
    return false
  }
}

function listOf(element: Predicate): Predicate {
  return (value) => Array.isArray(value) && value.every(element)
}

/** Only fields that may be missing: whether one has to be there is for the schema itself to say. */
function isLoose({ def, shape }: z.ZodObject): boolean {
  const fields = Object.values(shape)
  return (
    def.checks === undefined &&
    def.catchall instanceof z.ZodUnknown &&
    fields.every((each) => each instanceof z.ZodOptional)
  )
}

function objectOf({ shape }: z.ZodObject): Predicate {
  const fields = Object.entries(shape).map(([name, each]) => ({ name, isSound: compile(each) }))
  return (value) => {
    if (!isObject(value)) return false
    for (const { isSound, name } of fields) if (!isSound(value[name])) return false
    return true
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
