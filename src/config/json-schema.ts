import { z } from 'zod'
import { configSchema } from './config-schema.ts'

type JsonSchema = z.core.JSONSchema.BaseSchema

/** The configuration as JSON Schema (draft-07), for editors: from the definition that judges it. */
export function configJsonSchema(): JsonSchema {
  return z.toJSONSchema(configSchema, {
    target: 'draft-07',
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      const isText = [z.ZodString, z.ZodEnum, z.ZodLiteral].some((kind) => zodSchema instanceof kind)
      if (isText) takeVariables(jsonSchema)
    },
  })
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
