import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { ShipbellEvent } from '../../src/model/event.ts'
import type { EventType } from '../../src/model/event-catalogue.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { payloadBody } from '../../src/model/payload.ts'
import { eventDocument } from '../../src/model/payload-schema/event-documents.ts'

/** What it optimises is called too seldom to be worth that. */
const ajv = new Ajv2020({ strict: true, code: { optimize: false } })
const compiled = new Map<EventType, ValidateFunction>()

/** What the schema of its type says against a payload. */
export function schemaComplaints(type: EventType, payload: JsonObject): readonly string[] {
  const isValid = compiled.get(type) ?? ajv.compile(eventDocument(type))
  compiled.set(type, isValid)
  if (isValid(payload)) return []
  return (isValid.errors ?? []).map(({ instancePath, message }) => `${type}${instancePath} ${message ?? ''}`)
}

/** The same of an event, as it is sent: full and thin. */
export function payloadComplaints(event: ShipbellEvent): readonly string[] {
  return (['full', 'thin'] as const).flatMap((payload) =>
    schemaComplaints(event.type, JSON.parse(payloadBody(event, { payload, format: 'standard' }))),
  )
}
