import { EVENT_CATALOGUE, type EventType } from '../event-catalogue.ts'
import type { JsonObject } from '../json.ts'
import { EVENT_PARTS, eventName, eventParts, eventSchema, partsFor } from './event-schema.ts'
import { bare, mapFields, ref, withRefs } from './schema.ts'

const DIALECT = 'https://json-schema.org/draft/2020-12/schema'
const DRAFT_07 = 'http://json-schema.org/draft-07/schema#'
const DEFINITIONS = '#/definitions/'

/** JSON Schema 2020-12 of the payloads of one type; it needs no other document. */
export function eventDocument(type: EventType): JsonObject {
  const schema = eventSchema(type)
  return { $schema: DIALECT, title: type, ...schema, $defs: partsFor([schema]) }
}

/** The schema of an event type in draft-07. */
export function eventDocumentDraft07(type: EventType): JsonObject {
  const schema = eventSchema(type)
  const definitions = mapFields(partsFor([schema]), (part) => withRefs(part, DEFINITIONS))
  return { $schema: DRAFT_07, title: type, ...withRefs(schema, DEFINITIONS), definitions }
}

/** JSON Schema 2020-12 of the payloads of every type. */
export function allEventsDocument(): JsonObject {
  const schemas = Object.fromEntries(EVENT_CATALOGUE.map(({ type }) => [eventName(type), eventSchema(type)]))
  return {
    $schema: DIALECT,
    title: 'Events of Shipbell',
    oneOf: Object.keys(schemas).map(ref),
    $defs: { ...partsFor(Object.values(schemas)), ...schemas },
  }
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
