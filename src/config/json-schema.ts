import { z } from 'zod'
import { configSchema } from './config-schema.ts'

type JsonSchema = z.core.JSONSchema.BaseSchema

const NAMED = ['accounts', 'subscriptions'] as const

/** The configuration as JSON Schema (draft-07), as the program judges a whole one: with all that is required. */
export function keysJsonSchema(): JsonSchema {
  const schema: JsonSchema = z.toJSONSchema(configSchema, {
    target: 'draft-07',
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      const isText = [z.ZodString, z.ZodEnum, z.ZodLiteral].some((kind) => zodSchema instanceof kind)
      if (isText) takeVariables(jsonSchema)
    },
  })
  const defaults = schema.properties?.['defaults']
  for (const section of NAMED) if (typeof defaults === 'object') referTo(section, defaults)
  return schema
}

/**
 * The same for editors, which see one file at a time: an included one has no `accounts` of its own need, and what a name
 * leaves out may stand under `defaults`, perhaps in another file. There `check` knows what is missing. A `null` that refuses a
 * default is known only beside that default.
 */
export function configJsonSchema(): JsonSchema {
  const schema = keysJsonSchema()
  delete schema.required
  schema.anyOf = [...NAMED, 'include'].map((key) => ({ properties: { [key]: true }, required: [key] }))
  for (const section of NAMED) {
    const named = schema.properties?.[section]
    const settings = typeof named === 'object' ? named.additionalProperties : undefined
    if (typeof settings !== 'object') continue
    const { properties = {}, required = [] } = settings
    delete settings.required
    const optional = Object.entries(properties).filter(([key]) => !required.includes(key))
    const nullable = optional.flatMap(([key, of]) => (typeof of === 'object' && takeNull(of) ? [key] : []))
    schema.allOf = [...(schema.allOf ?? []), ...nullable.map((key) => nullNeedsDefault(section, key))]
  }
  return schema
}

/** `null` takes no default: where there is none, it is refused. */
function nullNeedsDefault(section: (typeof NAMED)[number], key: string): JsonSchema {
  const ofEach: JsonSchema = { type: 'object', properties: { [key]: { not: { type: 'null' } } } }
  const given: JsonSchema = { type: 'object', properties: { [key]: true }, required: [key] }
  const name = section.slice(0, -1)
  const defaults: JsonSchema = { type: 'object', properties: { [name]: given }, required: [name] }
  return {
    anyOf: [
      { properties: { [section]: { type: 'object', additionalProperties: ofEach } } },
      { properties: { defaults }, required: ['defaults'] },
    ],
  }
}

/** The keys of `defaults` are those of the names. */
function referTo(section: (typeof NAMED)[number], { properties = {} }: JsonSchema): void {
  const name = section.slice(0, -1)
  const own = properties[name]
  if (typeof own !== 'object') return
  const described = own.description === undefined ? {} : { description: own.description }
  const isSaid = { not: { type: 'null' } } as const
  const ref = { $ref: `#/properties/${section}/additionalProperties` }
  properties[name] = { ...described, type: 'object', additionalProperties: isSaid, allOf: [ref] }
}

/** An editor sees `${LEVEL:-info}` where the schema is shown `info`. */
function takeVariables(schema: JsonSchema): void {
  const { pattern, enum: words } = schema
  if (pattern === undefined && words === undefined) return
  delete schema.pattern
  delete schema.enum
  const literal = { ...(pattern === undefined ? {} : { pattern }), ...(words === undefined ? {} : { enum: words }) }
  schema.anyOf = [literal, { type: 'string', pattern: '\\$\\{' }]
}

/** Whether a schema takes null. */
function takeNull(schema: JsonSchema): boolean {
  if (schema.not !== undefined) return false
  const rest = { ...schema }
  delete rest.description
  delete rest.default
  for (const key of Object.keys(rest)) delete schema[key]
  schema.anyOf = [rest, { type: 'null' }]
  return true
}
