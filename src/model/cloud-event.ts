import type { ShipbellEvent } from './event.ts'
import { formatInstant } from './instant.ts'
import type { Json, JsonObject } from './json.ts'

/** What a CloudEvents string may not hold: control characters, lone surrogates, noncharacters (section 2.4 of CloudEvents 1.0). */
const UNFIT = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/gu

/** An envelope of CloudEvents 1.0 without its `data` (contract section 5). Attributes have no null: what is unknown is absent. */
export function cloudEvent(event: ShipbellEvent): JsonObject {
  const { account, subject, observed } = event
  return withoutNulls({
    specversion: '1.0',
    id: event.id,
    type: `shipbell.${event.type}`,
    source: account === null ? '/' : `/accounts/${encodeURIComponent(account)}`,
    subject: `${subject.resource}/${subject.id}`.replaceAll(UNFIT, '\u{fffd}'),
    time: formatInstant(event.timestamp),
    datacontenttype: 'application/json',
    account,
    sequence: String(event.sequence),
    cause: event.cause,
    subjectversion: subject.version,
    previouseventid: subject.previousEventId,
    notbefore: instantOrNull(observed?.notBefore),
    notafter: instantOrNull(observed?.notAfter),
  })
}

function withoutNulls(attributes: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null))
}

function instantOrNull(at: number | null | undefined): Json {
  return at === null || at === undefined ? null : formatInstant(at)
}
