import { dataBesidesObject, eventData, showsWholeRecord, thinData } from './event-data.ts'
import type { LoggedEvent, ShipbellEvent } from './event.ts'
import { formatInstant } from './instant.ts'
import type { Json, JsonObject } from './json.ts'

export const PAYLOADS = ['full', 'thin'] as const
export const FORMATS = ['standard', 'cloudevents'] as const

/** How a subscription wants its events: how much of them, and in which envelope (guarantee P6). */
export interface PayloadShape {
  /** `thin`: without `object`, `previous` and `changes`. */
  readonly payload: (typeof PAYLOADS)[number]
  readonly format: (typeof FORMATS)[number]
}

/** 256 kB of JSON in UTF-8: a full payload above it, in the format it is sent in, is sent thin (guarantee P6). */
const LARGEST_PAYLOAD_BYTES = 256_000

const FULL_STANDARD: PayloadShape = { payload: 'full', format: 'standard' }

/** The payload in `format: standard`, as `events` shows it. */
export function standardPayload(event: ShipbellEvent): JsonObject {
  return rendered(event, FULL_STANDARD).payload
}

/** The whole payload, however large: what `where` is judged on (guarantee E10). */
export function fullPayload(event: ShipbellEvent): JsonObject {
  return { ...standardEnvelope(event), data: eventData(event) }
}

/** The payload as the text that is signed and sent, by default in the default shape of a subscription. */
export function payloadBody(event: ShipbellEvent, shape: PayloadShape = FULL_STANDARD): string {
  return rendered(event, shape).body
}

/**
 * The same in UTF-8. Who has `event.object` as the bytes that `JSON.stringify` makes of it passes them on, and it is not
 * serialised again.
 */
export function payloadBytes(event: ShipbellEvent, shape: PayloadShape, objectJson?: Uint8Array): Buffer {
  if (shape.payload === 'thin' || objectJson === undefined || !showsWholeRecord(event))
    return Buffer.from(rendered(event, shape).body)
  // Thousands of events may show one large record: what it was is not unpacked for each of them only to be left out.
  const full = objectJson.length > LARGEST_PAYLOAD_BYTES ? null : aroundObject(event, shape.format, objectJson)
  return full === null || full.length > LARGEST_PAYLOAD_BYTES ? Buffer.from(truncated(event, shape.format).body) : full
}

/** A full payload: `data` comes last in it, and `object` first in `data`. */
function aroundObject(event: ShipbellEvent, format: PayloadShape['format'], objectJson: Uint8Array): Buffer {
  const start = JSON.stringify(envelope(event, format)).slice(0, -1)
  const rest = JSON.stringify(dataBesidesObject(event)).slice(1)
  const end = `${rest === '}' ? '' : ','}${rest}}`
  return Buffer.concat([Buffer.from(`${start},"data":{"object":`), objectJson, Buffer.from(end)])
}

interface Rendered {
  readonly payload: JsonObject
  readonly body: string
}

function rendered(event: ShipbellEvent, { payload, format }: PayloadShape): Rendered {
  if (payload === 'thin') return enveloped(event, format, { data: thinData(event) })
  const full = enveloped(event, format, { data: eventData(event) })
  return exceeds(full.body, LARGEST_PAYLOAD_BYTES) ? truncated(event, format) : full
}

function truncated(event: ShipbellEvent, format: PayloadShape['format']): Rendered {
  return enveloped(event, format, { truncated: true, data: thinData(event) })
}

function enveloped(event: ShipbellEvent, format: PayloadShape['format'], content: JsonObject): Rendered {
  const payload = { ...envelope(event, format), ...content }
  return { payload, body: JSON.stringify(payload) }
}

function envelope(event: ShipbellEvent, format: PayloadShape['format']): JsonObject {
  switch (format) {
    case 'standard':
      return standardEnvelope(event)
    case 'cloudevents':
      return cloudEvent(event)
    default:
      return format satisfies never
  }
}

function exceeds(text: string, bytes: number): boolean {
  if (text.length * 3 <= bytes) return false
  return text.length > bytes || Buffer.byteLength(text) > bytes
}

/** A payload of `format: standard` without its `data` (guarantee P1). */
function standardEnvelope(event: ShipbellEvent): JsonObject {
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

/** What a CloudEvents string may not hold: control characters, lone surrogates, noncharacters (section 2.4 of CloudEvents 1.0). */
const UNFIT = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/gu

/** An envelope of CloudEvents 1.0 without its `data` (guarantee P7). Attributes have no null: what is unknown is absent. */
function cloudEvent(event: ShipbellEvent): JsonObject {
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

/** An event of the log as commands show it: the payload, or what is left of it with `"expired": true` and `data` empty. */
export function loggedPayload(event: LoggedEvent): JsonObject {
  const payload = standardPayload(event)
  return event.expiredAt === null ? payload : { ...payload, expired: true }
}
