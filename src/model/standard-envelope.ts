import type { ShipbellEvent } from './event.ts'
import { formatInstant } from './instant.ts'
import type { JsonObject } from './json.ts'

/** A payload of `format: standard` without its `data` (contract section 5). */
export function standardEnvelope(event: ShipbellEvent): JsonObject {
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
