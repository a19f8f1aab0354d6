import { cloudEvent } from './cloud-event.ts'
import { dataBesidesObject, eventData, showsWholeRecord, thinData } from './event-data.ts'
import type { ShipbellEvent } from './event.ts'
import type { JsonObject } from './json.ts'
import type { PayloadShape } from './payload-shape.ts'
import { standardEnvelope } from './standard-envelope.ts'

/** 256 kB of JSON in UTF-8: a full payload above it, in the format it is sent in, is sent thin (contract section 5). */
export const LARGEST_PAYLOAD_BYTES = 256_000

const FULL_STANDARD: PayloadShape = { payload: 'full', format: 'standard' }

/** The payload in `format: standard`, as `events` shows it. */
export function standardPayload(event: ShipbellEvent): JsonObject {
  return rendered(event, FULL_STANDARD).payload
}

/** The whole payload, however large: what `where` is judged on (contract section 4). */
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
