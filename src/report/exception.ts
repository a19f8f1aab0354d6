import { exceptionState, type KeptException } from '../model/exception.ts'
import { formatInstant } from '../model/instant.ts'
import type { JsonObject } from '../model/json.ts'

/** What is not well, as commands and the API give it (guarantee E12). */
export function exceptionJson(exception: KeptException, now: number): JsonObject {
  const { account, acknowledged, closedAt, closedBy, eventId, expectation, id, milestone, openedAt, severity } =
    exception
  return {
    id,
    account,
    type: exception.type,
    subject: { resource: exception.resource, id: exception.subjectId },
    milestone: milestone === '' ? null : milestone,
    expectation: expectation === '' ? null : expectation,
    severity,
    state: exceptionState(exception, now),
    opened_at: formatInstant(openedAt),
    event_id: eventId,
    acknowledged: acknowledged && {
      by: acknowledged.by,
      at: formatInstant(acknowledged.at),
      note: acknowledged.note,
      until: instantOrNull(acknowledged.until),
    },
    closed_at: instantOrNull(closedAt),
    closed_by: closedBy,
  }
}

function instantOrNull(at: number | null): string | null {
  return at === null ? null : formatInstant(at)
}
