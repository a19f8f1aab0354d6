import { EVENT_CATALOGUE, type EventType } from '../../../src/model/event-catalogue.ts'
import { EVENT_PARTS, eventParts } from '../../../src/model/payload-schema/event-schema.ts'
import { refName, type Schema } from '../../../src/model/payload-schema/schema.ts'

const HEAD = `// Made from the definitions of Shipbell's payloads by \`npm run docs\`.
`

const TAIL = `
export type EventType = keyof Events

/** The event of a type. */
export type EventOf<T extends EventType> = T extends EventType ? Events[T] & { type: T } : never

/** Any string but those of \`EventType\`; an enum, because no literal compares to it. */
export declare enum UnknownType {
  Unknown = 'a newer type',
}

/** An event of a type that is newer than this package. */
export interface UnknownEvent extends Envelope {
  type: UnknownType
  data: PlatformRecord
}

/** Every event. Comparing \`type\` to a literal leaves the event of that type alone. */
export type ShipbellEvent = EventOf<EventType> | UnknownEvent
`

const JSON_TYPE = 'null | boolean | number | string | Json[] | { [key: string]: Json }'

/** The types of all payloads, as TypeScript. */
export function payloadTypes(): string {
  const parts = Object.entries(EVENT_PARTS).map(
    ([name, schema]) => `${comment(schema.description)}${part(name, schema)}`,
  )
  const groups = Map.groupBy(EVENT_CATALOGUE, ({ type }) => eventType(type))
  const events = [...groups].map(
    ([event, infos]) => `  Record<${infos.map(({ type }) => `'${type}'`).join(' | ')}, ${event}>`,
  )
  return `${HEAD}${parts.join('')}\ntype With<E, D> = E & { data: D }\n\nexport type Events =\n${events.join(' &\n')}\n${TAIL}`
}

/** Without its \`type\`. */
function eventType(type: EventType): string {
  const { kind, own } = eventParts(type)
  const data = own.properties?.['data']
  return data === undefined ? typeOf(kind) : `With<${typeOf(kind)}, ${typeOf(data)}>`
}

function part(name: string, schema: Schema): string {
  if (name === 'Json') return `export type Json = ${JSON_TYPE}\n`
  return schema.properties !== undefined
    ? `export interface ${name} ${objectType(schema)}\n`
    : `export type ${name} = ${typeOf(schema)}\n`
}

function comment(text: string | undefined): string {
  return text === undefined ? '' : `/** ${text} */\n`
}

function typeOf(schema: Schema): string {
  const { $ref, anyOf, allOf, type } = schema
  if ($ref !== undefined) return refName($ref)
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ')
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' | ')
  if (allOf !== undefined) return allOf.map(typeOf).join(' & ')
  if (type === undefined) return 'Json'
  return typeof type === 'string' ? plainType(type, schema) : `${plainType(type[0], schema)} | null`
}

function plainType(type: string, schema: Schema): string {
  switch (type) {
    case 'integer':
      return 'number'
    case 'array':
      return schema.maxItems === 0 ? '[]' : `${typeOf(schema.items ?? {})}[]`
    case 'object':
      return schema.additionalProperties === undefined
        ? objectType(schema)
        : `{ [key: string]: ${typeOf(schema.additionalProperties)} }`
    default:
      return type
  }
}

function objectType({ properties, required }: Schema): string {
  if (properties === undefined) return 'object'
  const fields = Object.entries(properties).map(([name, schema]) => {
    const mark = required?.includes(name) === false ? '?' : ''
    const says = schema.description === undefined ? '' : `/** ${schema.description} */ `
    return `${says}${name}${mark}: ${typeOf(schema)}`
  })
  return fields.length > 8 || fields.join().includes('/**')
    ? `{\n  ${fields.join('\n  ')}\n}`
    : `{ ${fields.join('; ')} }`
}

function literal(value: string | boolean): string {
  return typeof value === 'string' ? `'${value}'` : String(value)
}
