import {
  assert,
  constant,
  constantFrom,
  dictionary,
  integer,
  jsonValue,
  nat,
  oneof,
  option,
  property,
  record,
  string,
} from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keepTexts } from '../../src/model/event-texts.ts'
import { dataTexts, restOfData } from '../../src/model/event-data.ts'
import type { ShipbellEvent } from '../../src/model/event.ts'
import { field, isJsonObject, type JsonObject } from '../../src/model/json.ts'
import {
  FORMATS,
  loggedPayload,
  loggedPayloadBytes,
  payloadBody,
  payloadBytes,
  payloadWithoutObject,
  PAYLOADS,
  standardPayload,
} from '../../src/model/payload.ts'
import { sampleEvent } from '../deliver/sample-event.ts'
import { ANY_CHARACTER } from '../support/any-character.ts'

/** Guarantee P6. */
const MOST_BYTES = 256_000

function dataOf(event: ShipbellEvent): JsonObject {
  const data = field(standardPayload(event), 'data')
  return isJsonObject(data) ? data : {}
}

function jsonOf(object: JsonObject | null): Buffer {
  return Buffer.from(JSON.stringify(object))
}

/** The event with the texts that a store keeps of it. */
function kept<E extends ShipbellEvent>(event: E): E {
  const read = { ...event }
  keepTexts(read, { objectJson: jsonOf(event.object), restJson: restOfData(dataTexts(event)) })
  return read
}

describe('the standard payload', () => {
  it('says everything in the order of the payload reference', () => {
    expect(payloadBody(sampleEvent())).toBe(
      JSON.stringify({
        id: 'evt_0001',
        type: 'shipment.status_changed',
        timestamp: '2026-11-21T08:00:02.119Z',
        account: 'acme',
        sequence: 1042,
        subject: { resource: 'shipment', id: 'SHP-1', version: 17, previous_event_id: 'evt_0000' },
        observed: { not_before: '2026-11-21T07:58:02.004Z', not_after: '2026-11-21T08:00:02.119Z' },
        cause: 'change',
        data: {
          object: { platform_shipment_id: 'SHP-1', status: 'booked', name: 'Ünïcode ☃' },
          previous: { status: 'draft' },
          changes: [{ path: '/status', from: 'draft', to: 'booked' }],
          shipment: sampleEvent().shipment,
          from: 'draft',
          to: 'booked',
          regression: false,
        },
      }),
    )
  })

  it('does not ask what a record was where the record alone is too large to be sent', () => {
    const event = {
      ...sampleEvent({ object: { pad: 'x'.repeat(MOST_BYTES) } }),
      get before(): JsonObject {
        throw new Error('It was asked for.')
      },
    }
    const shape = { payload: 'full', format: 'standard' } as const
    keepTexts(event, { objectJson: jsonOf(event.object) })
    const body = JSON.parse(String(payloadBytes(event, shape).bytes))
    expect(body).toMatchObject({ truncated: true })
    expect(body.data).not.toHaveProperty('object')
  })

  it('is the same as an object and as text', () => {
    expect(JSON.stringify(standardPayload(sampleEvent()))).toBe(payloadBody(sampleEvent()))
  })

  it('is the same in bytes, also where its parts come as text', () => {
    const arbitraryEvent = record({
      object: dictionary(string({ unit: ANY_CHARACTER }), jsonValue()).map((each): JsonObject =>
        JSON.parse(JSON.stringify(each)),
      ),
      changes: option(constant([{ path: '/status', from: null, to: 'x' }])),
      before: option(
        dictionary(constantFrom('status', 'pad'), jsonValue()).map((each): JsonObject =>
          JSON.parse(JSON.stringify(each)),
        ),
      ),
      shipment: option(constant(sampleEvent().shipment)),
      extras: constantFrom({}, { from: 'a' }),
      subject: constantFrom('shipment', 'document').map(
        (resource) => ({ ...sampleEvent().subject, resource }) as const,
      ),
    })
    const samePayload = property(
      arbitraryEvent,
      constantFrom(...FORMATS),
      constantFrom(...PAYLOADS),
      (own, format, payload) => {
        const event = sampleEvent(own)
        expect(String(payloadBytes(kept(event), { payload, format }).bytes)).toBe(
          payloadBody(event, { payload, format }),
        )
        expect(String(payloadBytes(event, { payload, format }).bytes)).toBe(payloadBody(event, { payload, format }))
      },
    )
    assert(samePayload)
    const large = sampleEvent({ object: { pad: 'x'.repeat(MOST_BYTES) } })
    const full = { payload: 'full', format: 'standard' } as const
    expect(String(payloadBytes(kept(large), full).bytes)).toBe(payloadBody(large))
  })

  it('of the log is the same as an object and as text, with the record and without, whatever its size', () => {
    const pads = oneof(nat({ max: 40 }), integer({ min: MOST_BYTES - 1_000, max: MOST_BYTES + 10 }))
    const arbitraryEvent = record({
      object: option(pads.map((pad): JsonObject => ({ pad: 'ü'.repeat(pad % 2) + 'x'.repeat(pad) }))),
      changes: option(constant([{ path: '/status', from: null, to: 'x' }])),
      shipment: option(constant(sampleEvent().shipment)),
      extras: constantFrom({}, { from: 'a' }),
      subject: constantFrom('shipment', 'document').map(
        (resource) => ({ ...sampleEvent().subject, resource }) as const,
      ),
    })
    const same = property(arbitraryEvent, option(constant(1)), (own, expiredAt) => {
      const gone = expiredAt === null ? own : { ...own, object: null, changes: null, shipment: null }
      const event = { ...sampleEvent(gone), expiredAt }
      if (event.object !== null) keepTexts(event, { objectJson: jsonOf(event.object) })
      const whole = loggedPayload(event)
      expect(String(loggedPayloadBytes(event))).toBe(JSON.stringify(whole))
      const without = JSON.stringify(whole, (key, value) => (key === 'object' ? undefined : value))
      expect(payloadWithoutObject(event)).toBe(without)
    })
    assert(same)
  })

  it('gives events of a whole record neither previous nor changes', () => {
    const event = sampleEvent({ type: 'shipment.created', changes: null, before: null, extras: {} })
    expect(Object.keys(dataOf(event))).toEqual(['object', 'shipment'])
  })

  it('gives service events their extras only, and no observation', () => {
    const event = sampleEvent({
      type: 'account.unreachable',
      subject: { resource: 'account', id: 'acme', version: 1, previousEventId: null },
      observed: null,
      object: null,
      before: null,
      changes: null,
      shipment: null,
      extras: { at: '2026-11-21T08:00:02.119Z' },
    })
    expect(standardPayload(event)).toMatchObject({ observed: null, data: { at: '2026-11-21T08:00:02.119Z' } })
    expect(Object.keys(dataOf(event))).toEqual(['at'])
  })

  it('cuts previous to the changed top-level fields, null where they were absent', () => {
    const event = sampleEvent({
      before: { cargo: { weight: 1, 'a/b': 2 }, status: 'draft' },
      changes: [
        { path: '/cargo/weight', from: 1, to: 2 },
        { path: '/cargo/a~1b', from: 2, to: null, removed: true },
        { path: '/name', from: null, to: 'x' },
      ],
    })
    const data = dataOf(event)
    expect(data['previous']).toEqual({ cargo: { weight: 1, 'a/b': 2 }, name: null })
    expect(data['changes']).toEqual([
      { path: '/cargo/weight', from: 1, to: 2 },
      { path: '/cargo/a~1b', from: 2, to: null, removed: true },
      { path: '/name', from: null, to: 'x' },
    ])
  })

  it('tells observed.not_before as null where there was no read before', () => {
    const payload = standardPayload(sampleEvent({ observed: { notBefore: null, notAfter: 0 } }))
    expect(payload['observed']).toEqual({ not_before: null, not_after: '1970-01-01T00:00:00.000Z' })
  })

  it('never sends the link of a document', () => {
    const event = sampleEvent({
      subject: { resource: 'document', id: '7', version: 1, previousEventId: null },
      object: { id: 7, link: 'https://signed.example/now', type: 'bl' },
      before: { id: 7, link: { url: 'https://signed.example/then' }, type: null },
      changes: [
        { path: '/type', from: null, to: 'bl' },
        { path: '/link/url', from: 'https://signed.example/then', to: null, removed: true },
        { path: '/link', from: null, to: 'https://signed.example/now' },
      ],
    })
    for (const format of FORMATS) {
      for (const payload of PAYLOADS) {
        expect(payloadBody(event, { payload, format })).not.toContain('signed.example')
      }
    }
    expect(standardPayload(event)['data']).toMatchObject({ previous: { type: null }, changes: [{ path: '/type' }] })
  })

  it('keeps a field called link on everything else', () => {
    expect(payloadBody(sampleEvent({ object: { link: 'kept' } }))).toContain('kept')
  })

  it('carries hostile keys as they are', () => {
    const hostile: JsonObject = JSON.parse('{"__proto__":{"polluted":true},"constructor":1}')
    const event = sampleEvent({
      object: hostile,
      before: hostile,
      changes: [{ path: '/__proto__/polluted', from: true, to: false }],
    })
    expect(payloadBody(event)).toContain('"object":{"__proto__":{"polluted":true},"constructor":1}')
    expect(payloadBody(event)).toContain('"previous":{"__proto__":{"polluted":true}}')
    expect('polluted' in {}).toBe(false)
  })

  it('sends a payload above 256 kB thin and says so', () => {
    const spare = MOST_BYTES - Buffer.byteLength(payloadBody(sampleEvent({ object: { pad: '' } })))
    const fits = sampleEvent({ object: { pad: 'x'.repeat(spare) } })
    expect(Buffer.byteLength(payloadBody(fits))).toBe(MOST_BYTES)
    const tooLarge = sampleEvent({ object: { pad: 'x'.repeat(spare + 1) } })
    expect(standardPayload(tooLarge)).toMatchObject({ id: 'evt_0001', truncated: true })
    expect(Object.keys(dataOf(tooLarge))).toEqual(['shipment', 'from', 'to', 'regression', 'links'])
    expect(Object.keys(standardPayload(fits))).not.toContain('truncated')
  })

  it('is sent thin where that is asked for, which is no truncation', () => {
    const { data, ...envelope }: JsonObject = JSON.parse(
      payloadBody(sampleEvent(), { payload: 'thin', format: 'standard' }),
    )
    const { data: full, ...same } = standardPayload(sampleEvent())
    expect(envelope).toEqual(same)
    const { links, ...rest } = isJsonObject(data) ? data : {}
    expect(Object.keys(rest)).toEqual(['shipment', 'from', 'to', 'regression'])
    expect(links).toEqual({ self: '/api/v1/records/shipment/acme/SHP-1' })
    expect({ ...dataOf(sampleEvent()), ...rest }).toEqual(full)
  })

  it('measures bytes, not characters', () => {
    expect(standardPayload(sampleEvent({ object: { pad: '☃'.repeat(90_000) } }))).toMatchObject({ truncated: true })
  })
})
