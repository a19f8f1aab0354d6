import { EVENT_CATALOGUE, type EventType } from '../event-catalogue.ts'
import type { JsonObject } from '../json.ts'
import { EVENT_PARTS, eventParts, eventSchema, partsFor } from './event-schema.ts'
import { bare, mapFields, withRefs } from './schema.ts'

const DIALECT = 'https://json-schema.org/draft/2020-12/schema'

/** JSON Schema 2020-12 of the payloads of one type; it needs no other document. */
export function eventDocument(type: EventType): JsonObject {
  const schema = eventSchema(type)
  return { $schema: DIALECT, title: type, ...schema, $defs: partsFor([schema]) }
}

const PARTS_FILE = 'payload.json'
const IN_PARTS_FILE = `${PARTS_FILE}#/$defs/`

/** The schemas as small files of one folder that refer to each other: one for each type, and one of what these share. */
export function schemaFiles(): ReadonlyMap<string, JsonObject> {
  const types = EVENT_CATALOGUE.map(({ type }) => [`${type}.json`, schemaFile(type)] as const)
  return new Map([[PARTS_FILE, { $schema: DIALECT, $defs: mapFields(EVENT_PARTS, bare) }], ...types])
}

function schemaFile(type: EventType): JsonObject {
  const { kind, own } = eventParts(type)
  return { $schema: DIALECT, ...withRefs(kind, IN_PARTS_FILE), ...withRefs(own, IN_PARTS_FILE) }
}
