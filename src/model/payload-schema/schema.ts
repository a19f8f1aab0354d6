type SchemaType = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null'

/** The part of JSON Schema that payloads need; draft-07 and 2020-12 read it alike, so nothing stands beside a `$ref`. */
export type Schema = {
  readonly description?: string
  readonly type?: SchemaType | readonly [SchemaType, 'null']
  readonly const?: string | true
  readonly enum?: readonly string[]
  readonly pattern?: string
  readonly minimum?: number
  readonly maxItems?: number
  readonly properties?: Fields
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly $ref?: string
}

export type Fields = Readonly<Record<string, Schema>>

export const TEXT: Schema = { type: 'string' }
export const TEXT_OR_NULL: Schema = { type: ['string', 'null'] }
export const WHOLE: Schema = { type: 'integer' }
export const WHOLE_OR_NULL: Schema = { type: ['integer', 'null'] }
export const FLAG: Schema = { type: 'boolean' }
export const NOTHING: Schema = { type: 'null' }
/** Any value of JSON. */
export const ANY: Schema = {}

export function exactly(value: string | true): Schema {
  return { const: value }
}

export function oneOf(words: readonly string[]): Schema {
  return { enum: words }
}

export function listOf(items: Schema): Schema {
  return { type: 'array', items }
}

export function mapOf(values: Schema): Schema {
  return { type: 'object', additionalProperties: values }
}

export function orNull(schema: Schema): Schema {
  return { anyOf: [schema, NOTHING] }
}

/** An object with these fields; it may have more. */
export function object(required: Fields, optional: Fields = {}): Schema {
  return { type: 'object', required: Object.keys(required), properties: { ...required, ...optional } }
}

/** What is said besides of fields that an object has in any case. */
export function fields(properties: Fields): Schema {
  return { type: 'object', properties }
}

export function described(description: string, schema: Schema): Schema {
  return { description, ...(schema.$ref === undefined ? schema : { allOf: [schema] }) }
}

const REF = '#/$defs/'

/** What stands under this name beside the schema. */
export function ref(name: string): Schema {
  return { $ref: `${REF}${name}` }
}

/** The name that a `$ref` names. */
export function refName(target: string): string {
  return target.slice(REF.length)
}

/** A schema whose `$ref`s lead to names after `prefix`. */
export function withRefs(schema: Schema, prefix: string): Schema {
  const moved = withParts(schema, (each) => withRefs(each, prefix))
  return moved.$ref === undefined ? moved : { ...moved, $ref: `${prefix}${refName(moved.$ref)}` }
}

function withParts(schema: Schema, change: (part: Schema) => Schema): Schema {
  const { properties, items, additionalProperties, anyOf, allOf } = schema
  return {
    ...schema,
    ...(properties === undefined ? {} : { properties: mapFields(properties, change) }),
    ...(items === undefined ? {} : { items: change(items) }),
    ...(additionalProperties === undefined ? {} : { additionalProperties: change(additionalProperties) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(change) }),
    ...(allOf === undefined ? {} : { allOf: allOf.map(change) }),
  }
}

export function mapFields(fields: Fields, map: (schema: Schema) => Schema): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, map(schema)]))
}

/** A schema without its descriptions, and without an empty `required`. */
export function bare(schema: Schema): Schema {
  const { description: _, required, ...others } = schema
  const rest = required === undefined || required.length === 0 ? others : { ...others, required }
  const [only] = rest.allOf?.length === 1 ? rest.allOf : []
  return withParts(only ?? rest, bare)
}

/** The names that a schema refers to, itself. */
export function refsOf(schema: Schema): ReadonlySet<string> {
  const names = new Set<string>()
  const visit = (each: Schema): Schema => {
    if (each.$ref !== undefined) names.add(refName(each.$ref))
    return withParts(each, visit)
  }
  visit(schema)
  return names
}
