import type { Change, ShipbellEvent } from './event.ts'
import { formatInstant } from './instant.ts'
import type { JsonObject } from './json.ts'
import { parsePointer } from './pointer.ts'

/** 256 kB of JSON in UTF-8: a full payload above it is sent thin (contract section 5). */
export const LARGEST_PAYLOAD_BYTES = 256_000

/** The payload in `format: standard`, as sent to a subscriber and shown by `events` (contract section 5). */
export function standardPayload(event: ShipbellEvent): JsonObject {
  return rendered(event).payload
}

/** `standardPayload` as the text that is signed and sent. */
export function standardBody(event: ShipbellEvent): string {
  return rendered(event).body
}

function rendered(event: ShipbellEvent): { payload: JsonObject; body: string } {
  const full = { ...envelope(event), data: { ...record(event), ...context(event) } }
  const body = JSON.stringify(full)
  if (!exceeds(body, LARGEST_PAYLOAD_BYTES)) return { payload: full, body }
  const thin = { ...envelope(event), truncated: true, data: context(event) }
  return { payload: thin, body: JSON.stringify(thin) }
}

function envelope(event: ShipbellEvent): JsonObject {
  const { subject, observed } = event
  return {
    id: event.id,
    type: event.type,
    timestamp: formatInstant(event.timestamp),
    account: event.account,
    sequence: event.sequence,
    subject: {
      resource: subject.resource,
      id: subject.id,
      version: subject.version,
      previous_event_id: subject.previousEventId,
    },
    observed: observed && {
      not_before: observed.notBefore === null ? null : formatInstant(observed.notBefore),
      not_after: formatInstant(observed.notAfter),
    },
    cause: event.cause,
  }
}

/** The part of `data` that a thin payload leaves out. */
function record(event: ShipbellEvent): JsonObject {
  const hidden = event.subject.resource === 'document' ? 'link' : null
  const object = event.object === null ? {} : { object: without(event.object, hidden) }
  if (event.changes === null) return object
  const changes = event.changes.filter(({ path }) => hidden === null || parsePointer(path)[0] !== hidden)
  return { ...object, previous: previousFields(event.before, changes), changes: changes.map(changeJson) }
}

function context(event: ShipbellEvent): JsonObject {
  const shipment = event.shipment === null ? {} : { shipment: { ...event.shipment } }
  return { ...shipment, ...event.extras }
}

/** The changed top-level fields as they were; null for those that were not there. */
function previousFields(before: JsonObject | null, changes: readonly Change[]): JsonObject {
  const names = new Set(changes.map(({ path }) => parsePointer(path)[0]).filter((name) => name !== undefined))
  const known = before ?? {}
  return Object.fromEntries([...names].map((name) => [name, Object.hasOwn(known, name) ? (known[name] ?? null) : null]))
}

function changeJson({ path, from, to, removed }: Change): JsonObject {
  return removed === true ? { path, from, to, removed } : { path, from, to }
}

/** A presigned link is a credential: whoever holds it reads the document. */
function without(object: JsonObject, name: string | null): JsonObject {
  if (name === null || !Object.hasOwn(object, name)) return object
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== name))
}

function exceeds(text: string, bytes: number): boolean {
  if (text.length * 3 <= bytes) return false
  return text.length > bytes || Buffer.byteLength(text) > bytes
}
