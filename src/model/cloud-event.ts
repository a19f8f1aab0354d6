import { deliveryAttributes, type PlacedDelivery } from './delivery-place.ts'
import { sequenceOf, type ShipbellEvent } from './event.ts'
import { formatInstant } from './instant.ts'
import type { Json, JsonObject } from './json.ts'

/** What `source` begins with by default. */
export const CLOUD_EVENT_SOURCE = '/accounts'

/** What a CloudEvents string may not hold: control characters, lone surrogates, noncharacters (section 2.4 of CloudEvents 1.0). */
const UNFIT = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/gu
/** Enough for 2^53, so that sequences are in order as text (the extension `sequence` of CloudEvents). */
const SEQUENCE_DIGITS = 16

/** The attributes of CloudEvents 1.0 (guarantee P7). They have no null: what is unknown is absent. */
export function cloudEventAttributes(event: ShipbellEvent, source = CLOUD_EVENT_SOURCE): JsonObject {
  const { account, subject, observed } = event
  return withoutNulls({
    specversion: '1.0',
    id: event.id,
    type: `shipbell.${event.type}`,
    source: account === null ? source : `${source.replace(/\/$/, '')}/${encodeURIComponent(account)}`,
    subject: `${subject.resource}/${subject.id}`.replaceAll(UNFIT, '\u{fffd}'),
    time: formatInstant(event.timestamp),
    datacontenttype: 'application/json',
    dataschema: `urn:shipbell:schema:${event.type}`,
    account,
    sequence: sequenceOf(event)?.toString().padStart(SEQUENCE_DIGITS, '0') ?? null,
    cause: event.cause,
    subjectversion: subject.version,
    previouseventid: subject.previousEventId,
    notbefore: instantOrNull(observed?.notBefore),
    notafter: instantOrNull(observed?.notAfter),
  })
}

interface HeaderContext {
  readonly source?: string
  readonly truncated: boolean
  /** Null or left out: the delivery has no number. */
  readonly placed?: PlacedDelivery | null
}

/**
 * The attributes as headers of the binary content mode (section 3.1 of the HTTP binding): `datacontenttype` is the
 * `content-type` of the request, and no header.
 */
export function cloudEventHeaders(
  event: ShipbellEvent,
  { placed = null, source, truncated }: HeaderContext,
): Readonly<Record<string, string>> {
  const { datacontenttype: _, ...attributes } = cloudEventAttributes(event, source)
  const delivery = placed === null ? {} : deliveryAttributes(placed)
  const all = { ...attributes, ...(truncated && { truncated }), ...delivery }
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [`ce-${name}`, headerValue(value)]))
}

/** Strings as they are, integers and booleans in their canonical form. */
function headerValue(value: Json): string {
  return percentEncoded(typeof value === 'string' ? value : JSON.stringify(value))
}

/** Percent-encoded where a header cannot hold it, and where that would be ambiguous (section 3.1.3.2 of the HTTP binding). */
function percentEncoded(text: string): string {
  return text.replaceAll(/[^\x21-\x7e]|["%]/gu, (character) =>
    [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  )
}

function withoutNulls(attributes: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null))
}

function instantOrNull(at: number | null | undefined): Json {
  return at === null || at === undefined ? null : formatInstant(at)
}
