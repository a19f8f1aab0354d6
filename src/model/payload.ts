import { cloudEventAttributes } from './cloud-event.ts'
import {
  deliveryAttributes,
  deliveryMember,
  type DeliveryPlace,
  LARGEST_DELIVERY_BYTES,
  type PlacedDelivery,
} from './delivery-place.ts'
import { dataBesidesObject, eventData, showsWholeRecord, thinData } from './event-data.ts'
import { sequenceOf, type LoggedEvent, type ShipbellEvent } from './event.ts'
import { textsOf } from './event-texts.ts'
import { formatInstant } from './instant.ts'
import { HALF_BEGINS, isJsonObject, type JsonObject, withWholeCharacters } from './json.ts'
import type { LeftOut } from './omit.ts'
import { selfLink } from './self-link.ts'

export const PAYLOADS = ['full', 'thin', 'auto'] as const
export const FORMATS = ['standard', 'cloudevents', 'cloudevents-binary'] as const

/** How a subscription wants its events: how much of them, and in which envelope (guarantee P6). */
export interface PayloadShape {
  /** `thin`: without `object`, `previous` and `changes`. `auto`: full, and truncated where that is too large for who gets it. */
  readonly payload: (typeof PAYLOADS)[number]
  readonly format: (typeof FORMATS)[number]
  /** What `source` of CloudEvents begins with. Default: `/accounts`. */
  readonly source?: string
  /** A full payload above it is sent thin, and says so; left out: 256 kB. */
  readonly limitBytes?: number
  /** Where the admin interface is reached, for the links of thin payloads: no slash at its end; left out or null: links are paths. */
  readonly publicUrl?: string | null
  /** What the events that are rendered so are without (`withoutOmitted`); left out: nothing. */
  readonly omit?: LeftOut
}

/** A payload as it is sent. */
export interface PayloadBytes {
  readonly bytes: Buffer
  /** Whether the payload was too large, and is thin for that. */
  readonly truncated: boolean
}

/** 256 kB of JSON in UTF-8, in the format that it is sent in: no payload is larger (guarantee P6). */
export const LARGEST_PAYLOAD_BYTES = 256_000

const FULL_STANDARD: PayloadShape = { payload: 'full', format: 'standard' }

/** The payload in `format: standard`, as `events` shows it. */
export function standardPayload(event: ShipbellEvent): JsonObject {
  return rendered(event, FULL_STANDARD).payload
}

/** The shape in which a full payload is always sent thin, and says so. */
export function truncating(shape: PayloadShape): PayloadShape {
  return { ...shape, limitBytes: 0 }
}

/** The whole payload, however large: what `where` is judged on (guarantee E10). */
export function fullPayload(event: ShipbellEvent): JsonObject {
  return { ...standardEnvelope(event), data: eventData(event) }
}

/** The payload as the text that is signed and sent, by default in the default shape of a subscription. */
export function payloadBody(event: ShipbellEvent, shape: PayloadShape = FULL_STANDARD): string {
  return rendered(event, shape).body
}

/** The payload of an event in UTF-8. */
export function payloadBytes(event: ShipbellEvent, shape: PayloadShape): PayloadBytes {
  if (shape.payload === 'thin' || !showsWholeRecord(event)) return asBytes(rendered(event, shape))
  const texts = textsOf(event)
  const { objectJson } = texts
  if (objectJson === undefined) return asBytes(rendered(event, shape))
  // Thousands of events may show one large record: what it was is not unpacked for each of them only to be left out.
  const { limitBytes = LARGEST_PAYLOAD_BYTES } = shape
  if (objectJson.length > limitBytes) return asBytes(truncated(event, shape))
  const full = aroundObject(event, shape, { objectJson, restJson: texts.restJson })
  if (full.length > limitBytes) return asBytes(truncated(event, shape))
  return { bytes: full, truncated: false }
}

function asBytes({ body, isTruncated }: Rendered): PayloadBytes {
  return { bytes: Buffer.from(body), truncated: isTruncated }
}

function aroundObject(
  event: ShipbellEvent,
  shape: PayloadShape,
  { objectJson, restJson }: { readonly objectJson: Uint8Array; readonly restJson?: string | undefined },
): Buffer {
  const { start, rest, end } = besidesObject(event, shape, restJson)
  const comma = rest === '' ? '' : ','
  const bytes = joined(`${start}"object":`, objectJson, `${comma}${rest}${end}`)
  return bytes.includes(HALF) ? Buffer.from(withWholeCharacters(bytes.toString())) : bytes
}

const HALF = Buffer.from(HALF_BEGINS)

function joined(before: string, middle: Uint8Array, after: string): Buffer {
  const at = Buffer.byteLength(before)
  const end = at + middle.length
  const bytes = Buffer.allocUnsafe(end + Buffer.byteLength(after))
  bytes.write(before)
  bytes.set(middle, at)
  bytes.write(after, end)
  return bytes
}

/** A full payload in parts: `data` comes last in it, and `object` first in `data`. */
function besidesObject(event: ShipbellEvent, shape: PayloadShape, restJson?: string) {
  const around = envelope(event, shape)
  const start = around === null ? '{' : `${JSON.stringify(around).slice(0, -1)},"data":{`
  const rest = (restJson ?? JSON.stringify(dataBesidesObject(event))).slice(1, -1)
  return { start, rest, end: around === null ? '}' : '}}' }
}

interface Rendered {
  readonly payload: JsonObject
  readonly body: string
  readonly isTruncated: boolean
}

function rendered(event: ShipbellEvent, shape: PayloadShape): Rendered {
  // A snapshot says nothing but its record.
  if (shape.payload === 'thin' && event.cause !== 'snapshot')
    return enveloped(event, shape, { data: linked(event, shape) })
  const full = enveloped(event, shape, { data: eventData(event) })
  return exceeds(full.body, shape.limitBytes ?? LARGEST_PAYLOAD_BYTES) ? truncated(event, shape) : full
}

function truncated(event: ShipbellEvent, shape: PayloadShape): Rendered {
  return enveloped(event, shape, { truncated: true, data: linked(event, shape) })
}

/** `data` of a thin payload, and where the record that it leaves out is had. */
function linked(event: ShipbellEvent, { publicUrl = null }: PayloadShape): JsonObject {
  return { ...thinData(event), ...selfLink(event, publicUrl) }
}

interface Content {
  readonly truncated?: true
  readonly data: JsonObject
}

function enveloped(event: ShipbellEvent, shape: PayloadShape, content: Content): Rendered {
  const around = envelope(event, shape)
  const payload = around === null ? content.data : { ...around, ...content }
  const json = JSON.stringify(payload)
  const body = withWholeCharacters(json)
  const whole: JsonObject = body === json ? payload : JSON.parse(body)
  return { payload: whole, body, isTruncated: content.truncated === true }
}

/** The envelope of a format; null: there is none, its attributes travel as headers. */
function envelope(event: ShipbellEvent, { format, source }: PayloadShape): JsonObject | null {
  switch (format) {
    case 'standard':
      return standardEnvelope(event)
    case 'cloudevents':
      return cloudEventAttributes(event, source)
    case 'cloudevents-binary':
      return null
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
    sequence: sequenceOf(event),
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

/** An event of the log as commands show it: the payload, or what is left of it with `"expired": true` and `data` empty. */
export function loggedPayload(event: LoggedEvent): JsonObject {
  const payload = standardPayload(event)
  return event.expiredAt === null ? payload : { ...payload, expired: true }
}

/** A delivery, as far as its payload shows it. */
export interface ShownDelivery {
  readonly event: ShipbellEvent
  readonly subscription: string
  /** Where it stands among those of its subscription; null or left out: it has no number. */
  readonly place?: DeliveryPlace | null
}

/** What has a number of what is to be shown; null: it has none. */
export function placedDelivery({ place = null, subscription }: Omit<ShownDelivery, 'event'>): PlacedDelivery | null {
  return place === null ? null : { subscription, ...place }
}

/**
 * The payload as a subscription with this shape gets it. What all of its subscribers share is made by `render`, which may have it at hand;
 * their numbers are written in front of that.
 */
export function subscriberPayload(
  delivery: ShownDelivery,
  shape: PayloadShape,
  render: (event: ShipbellEvent, shape: PayloadShape) => PayloadBytes = payloadBytes,
): PayloadBytes {
  const { event } = delivery
  const placed = placedDelivery(delivery)
  if (placed === null || shape.format === 'cloudevents-binary') return render(event, shape)
  const { limitBytes = LARGEST_PAYLOAD_BYTES - LARGEST_DELIVERY_BYTES } = shape
  const { bytes, truncated } = render(event, { ...shape, limitBytes })
  const members = shape.format === 'standard' ? { delivery: deliveryMember(placed) } : deliveryAttributes(placed)
  return { bytes: joined(`${JSON.stringify(members).slice(0, -1)},`, bytes.subarray(1), ''), truncated }
}

/** The shape of payloads that are shown without headers, which attributes of CloudEvents would be. */
export function withBodyOfItsOwn(shape: PayloadShape): PayloadShape {
  return shape.format === 'cloudevents-binary' ? { ...shape, format: 'cloudevents' } : shape
}

/** `subscriberPayload` in the default shape, as a document. */
export function subscriberDocument(delivery: ShownDelivery): JsonObject {
  const { event } = delivery
  const placed = placedDelivery(delivery)
  if (placed === null) return standardPayload(event)
  const limitBytes = LARGEST_PAYLOAD_BYTES - LARGEST_DELIVERY_BYTES
  return { delivery: deliveryMember(placed), ...rendered(event, { ...FULL_STANDARD, limitBytes }).payload }
}

/** What an operator's template of a body is made of: the whole payload, however large. */
export function templatePayload(delivery: ShownDelivery): JsonObject {
  const placed = placedDelivery(delivery)
  return { ...(placed !== null && { delivery: deliveryMember(placed) }), ...fullPayload(delivery.event) }
}

/** The payload of a logged event as JSON in UTF-8. */
export function loggedPayloadBytes(event: LoggedEvent): Buffer {
  if (event.expiredAt !== null) return Buffer.from(JSON.stringify(loggedPayload(event)))
  return payloadBytes(event, FULL_STANDARD).bytes
}

/** The payload of a logged event as JSON, without `data.object`. */
export function payloadWithoutObject(event: LoggedEvent): string {
  const { objectJson } = textsOf(event)
  if (objectJson === undefined || !showsWholeRecord(event)) return JSON.stringify(withoutObject(loggedPayload(event)))
  const { start, rest, end } = besidesObject(event, FULL_STANDARD)
  const size = Buffer.byteLength(start + rest + end) + objectJson.length + `"object":`.length + (rest === '' ? 0 : 1)
  return size > LARGEST_PAYLOAD_BYTES
    ? truncated(event, FULL_STANDARD).body
    : withWholeCharacters(`${start}${rest}${end}`)
}

function withoutObject(payload: JsonObject): JsonObject {
  const { data } = payload
  if (!isJsonObject(data)) return payload
  return { ...payload, data: Object.fromEntries(Object.entries(data).filter(([key]) => key !== 'object')) }
}
