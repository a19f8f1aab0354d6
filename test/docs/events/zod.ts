import { EVENT_CATALOGUE, type EventType } from '../../../src/model/event-catalogue.ts'
import { EVENT_PARTS, eventParts } from '../../../src/model/payload-schema/event-schema.ts'
import { refName, refsOf, type Fields, type Schema } from '../../../src/model/payload-schema/schema.ts'

const HEAD = `// Made from the definitions of Shipbell's payloads by \`npm run docs\`.
import { z } from 'zod'

const text = z.string()
const maybe = text.nullable()
const whole = z.int()
const json = z.unknown()
const o = z.looseObject
const about = (kind, resource, { shape } = o({})) =>
  kind.extend({ subject: kind.shape.subject.extend({ resource: z.literal(resource) }), data: kind.shape.data.extend(shape) })
`

const TAIL = `
/** A schema for each type of event. */
export const eventSchemas = Object.fromEntries(
  events.flatMap(([kind, data, types]) =>
    types
      .split(' ')
      .map((type) => [type, kind.extend({ type: z.literal(type), data: kind.shape.data.extend(data.shape) })]),
  ),
)

const unknownEvent = Envelope.extend({ type: text.refine((type) => !Object.hasOwn(eventSchemas, type)) })

/** Every event: of the types in \`eventSchemas\`, or of one that is newer than this package. */
export const shipbellEvent = z.union([z.discriminatedUnion('type', Object.values(eventSchemas)), unknownEvent])
`

/** The schemas of all payloads, for zod. */
export function zodSchemas(): string {
  const parts = inOrder().map((name) => `const ${name} = ${zodOf(EVENT_PARTS[name] ?? {})}\n`)
  const groups = [...Map.groupBy(EVENT_CATALOGUE, ({ type }) => groupOf(type))]
  const events = groups.map(([group, infos]) => `  [${group}, '${infos.map(({ type }) => type).join(' ')}'],\n`)
  return `${HEAD}\n${parts.join('')}\nconst events = [\n${events.join('')}]\n${TAIL}`
}

/** What the events of some types have in common: their kind, and what they add to its \`data\`. */
function groupOf(type: EventType): string {
  const { kind, own } = eventParts(type)
  const data = own.properties?.['data']
  return `${zodOf(kind)}, ${data === undefined ? 'o({})' : zodOf(data)}`
}

/** Each part after those that it is made of. */
function inOrder(): readonly string[] {
  const done = new Set(['Json'])
  const visit = (name: string): void => {
    if (done.has(name)) return
    for (const other of refsOf(EVENT_PARTS[name] ?? {})) visit(other)
    done.add(name)
  }
  for (const name of Object.keys(EVENT_PARTS)) visit(name)
  return [...done].filter((name) => name !== 'Json')
}

function zodOf(schema: Schema): string {
  const { $ref, anyOf, allOf, type } = schema
  if ($ref !== undefined) return refName($ref) === 'Json' ? 'json' : refName($ref)
  if (schema.const !== undefined) return `z.literal(${JSON.stringify(schema.const).replaceAll('"', "'")})`
  if (schema.enum !== undefined) return `z.enum(${JSON.stringify(schema.enum).replaceAll('"', "'")})`
  if (anyOf !== undefined) return unionOf(anyOf)
  if (allOf !== undefined) return allOf.slice(1).reduce(extended, zodOf(allOf[0] ?? {}))
  if (type === undefined) return 'json'
  return typeof type === 'string'
    ? plainZod(type, schema)
    : type[0] === 'string'
      ? 'maybe'
      : `${plainZod(type[0], schema)}.nullable()`
}

/** What narrows a field, without saying which fields there are, adds to what the field is. */
function extended(base: string, more: Schema): string {
  const resource = more.properties?.['subject']?.properties?.['resource']?.const
  if (resource !== undefined) return aboutResource(base, more.properties ?? {}, String(resource))
  if (more.properties === undefined) return `${base}.extend(${zodOf(more)}.shape)`
  const fields = Object.entries(more.properties).map(([name, schema]) => {
    const narrows = isNarrowing(schema) || (name === 'data' && saysData(base))
    const isOptional = more.required?.includes(name) === false
    return `${name}: ${narrows ? extended(`${base}.shape.${name}`, schema) : zodOf(schema)}${isOptional ? '.optional()' : ''}`
  })
  return `${base}.extend({ ${fields.join(', ')} })`
}

function aboutResource(base: string, { data }: Fields, resource: string): string {
  return `about(${base}, '${resource}'${data === undefined ? '' : `, ${zodOf(data)}`})`
}

/** Whether a part says which fields `data` has; the envelope leaves that to what is made of it. */
function saysData(name: string): boolean {
  const { allOf = [] } = EVENT_PARTS[name] ?? {}
  return allOf.some(
    ({ $ref, properties }) => properties?.['data'] !== undefined || ($ref !== undefined && saysData(refName($ref))),
  )
}

function isNarrowing({ type, required }: Schema): boolean {
  return type === 'object' && required === undefined
}

function unionOf(options: readonly Schema[]): string {
  const present = options.filter(({ type }) => type !== 'null')
  const [only] = present
  const union = present.length === 1 && only !== undefined ? zodOf(only) : `z.union([${present.map(zodOf).join(', ')}])`
  return present.length === options.length ? union : `${union}.nullable()`
}

function plainZod(type: string, schema: Schema): string {
  const { minimum, pattern, items = {}, additionalProperties, maxItems } = schema
  switch (type) {
    case 'string':
      return pattern === undefined ? 'text' : `text.regex(/${pattern}/)`
    case 'integer':
      return minimum === undefined ? 'whole' : `whole.min(${minimum})`
    case 'array':
      return maxItems === 0 ? 'z.tuple([])' : `z.array(${zodOf(items)})`
    case 'object':
      return additionalProperties === undefined ? objectOf(schema) : `z.record(text, ${zodOf(additionalProperties)})`
    default:
      return `z.${type}()`
  }
}

function objectOf({ properties = {}, required }: Schema): string {
  const fields = Object.entries(properties).map(([name, schema]) => {
    return `${name}: ${zodOf(schema)}${required?.includes(name) === false ? '.optional()' : ''}`
  })
  return fields.length === 0 ? 'o({})' : `o({ ${fields.join(', ')} })`
}
