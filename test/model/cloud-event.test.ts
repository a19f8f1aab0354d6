import { CloudEvent, HTTP } from 'cloudevents'
import { assert, jsonValue, option, property, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ShipbellEvent } from '../../src/model/event.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { payloadBody, standardPayload } from '../../src/model/payload.ts'
import { sampleEvent } from '../deliver/sample-event.ts'
import { ANY_CHARACTER } from '../support/any-character.ts'

/** Guarantee P6. */
const MOST_BYTES = 256_000

function sent(event: ShipbellEvent, payload: 'full' | 'thin' = 'full'): JsonObject {
  const parsed: JsonObject = JSON.parse(payloadBody(event, { payload, format: 'cloudevents' }))
  return parsed
}

/** What a receiver with the official SDK gets; throws where the event is not valid. */
function understood(event: ShipbellEvent): CloudEvent<JsonObject> {
  const body = payloadBody(event, { payload: 'full', format: 'cloudevents' })
  const received = HTTP.toEvent<JsonObject>({ headers: { 'content-type': 'application/cloudevents+json' }, body })
  if (Array.isArray(received)) throw new Error('a batch was read')
  const strict = new CloudEvent<JsonObject>({ ...received }, true)
  strict.validate()
  return strict
}

const CONTEXT = new Set([
  'specversion',
  'id',
  'type',
  'source',
  'subject',
  'time',
  'datacontenttype',
  'dataschema',
  'data',
])

/** Rules of CloudEvents 1.0 that its schema leaves open: names, types of extensions, no null, strings without control characters. */
function broken(event: JsonObject): readonly string[] {
  return Object.entries(event).flatMap(([name, value]) => {
    if (name === 'data') return []
    const named = /^[a-z0-9]{1,20}$/.test(name) ? [] : [`${name}: name`]
    const legal =
      typeof value === 'boolean' ||
      (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 31) ||
      (typeof value === 'string' &&
        value !== '' &&
        value.isWellFormed() &&
        !/[\p{Cc}\p{Noncharacter_Code_Point}]/u.test(value))
    return [...named, ...(legal ? [] : [`${name}: ${JSON.stringify(value)}`])]
  })
}

function size(pad: string): number {
  return Buffer.byteLength(payloadBody(sampleEvent({ object: { pad } }), { payload: 'full', format: 'cloudevents' }))
}

describe('a CloudEvent', () => {
  it('says everything in the attributes of guarantee P7', () => {
    expect(sent(sampleEvent())).toEqual({
      specversion: '1.0',
      id: 'evt_0001',
      type: 'shipbell.shipment.status_changed',
      source: '/accounts/acme',
      subject: 'shipment/SHP-1',
      time: '2026-11-21T08:00:02.119Z',
      datacontenttype: 'application/json',
      dataschema: 'urn:shipbell:schema:shipment.status_changed',
      account: 'acme',
      sequence: '0000000000001042',
      cause: 'change',
      subjectversion: 17,
      previouseventid: 'evt_0000',
      notbefore: '2026-11-21T07:58:02.004Z',
      notafter: '2026-11-21T08:00:02.119Z',
      data: standardPayload(sampleEvent())['data'],
    })
  })

  it('is read by the official SDK', () => {
    const { id, source, type, subject, time, data, specversion, ...rest } = understood(sampleEvent())
    expect({ id, source, type, subject, time, specversion }).toEqual({
      id: 'evt_0001',
      source: '/accounts/acme',
      type: 'shipbell.shipment.status_changed',
      subject: 'shipment/SHP-1',
      time: '2026-11-21T08:00:02.119Z',
      specversion: '1.0',
    })
    expect(data).toEqual(standardPayload(sampleEvent())['data'])
    expect(rest).toMatchObject({ sequence: '0000000000001042', subjectversion: 17 })
  })

  it.each<[string, Partial<ShipbellEvent>, readonly string[]]>([
    [
      'the first of its subject',
      { subject: { resource: 'shipment', id: 'SHP-1', version: 1, previousEventId: null } },
      ['previouseventid'],
    ],
    ['with no read before', { observed: { notBefore: null, notAfter: 0 } }, ['notbefore']],
    ['of the calendar', { observed: null, cause: 'calendar' }, ['notafter', 'notbefore']],
    ['of no account', { account: null }, ['account']],
  ])('%s leaves out what is unknown', (_, about, absent) => {
    const event = sent(sampleEvent(about))
    const names = Object.keys(sent(sampleEvent())).filter((name) => !Object.hasOwn(event, name))
    expect(names.toSorted()).toEqual(absent)
    expect(broken(event)).toEqual([])
    expect(() => understood(sampleEvent(about))).not.toThrow()
  })

  it('of no account comes from the installation itself', () => {
    expect(sent(sampleEvent({ account: null })).source).toBe('/accounts')
  })

  it('keeps a slash in the id of a subject: the resource ends at the first one', () => {
    const subject = { resource: 'invoice', id: 'INV/2026/7 é', version: 1, previousEventId: null } as const
    expect(sent(sampleEvent({ subject })).subject).toBe('invoice/INV/2026/7 é')
  })

  it('is thin without object, previous and changes', () => {
    const { data, ...envelope } = sent(sampleEvent(), 'thin')
    expect(Object.keys(data ?? {})).toEqual(['shipment', 'from', 'to', 'regression', 'links'])
    expect(envelope).not.toHaveProperty('truncated')
  })

  it('above 256 kB is sent thin and says so, measured as it is sent', () => {
    const spare = MOST_BYTES - size('')
    const fits = sampleEvent({ object: { pad: 'x'.repeat(spare) } })
    expect(size('x'.repeat(spare))).toBe(MOST_BYTES)
    expect(sent(fits)).not.toHaveProperty('truncated')
    const tooLarge = sampleEvent({ object: { pad: 'x'.repeat(spare + 1) } })
    expect(sent(tooLarge)).toMatchObject({ truncated: true, data: { from: 'draft' } })
    expect(sent(tooLarge).data).not.toHaveProperty('object')
    expect(understood(tooLarge)['truncated']).toBe(true)
  })

  it('is valid whatever the platform calls things', () => {
    const anyText = string({ unit: ANY_CHARACTER, minLength: 1 })
    const unfit = { resource: 'shipment', id: 'a\ud800\n\uffff', version: 3, previousEventId: null } as const
    expect(sent(sampleEvent({ subject: unfit })).subject).toBe('shipment/a\u{fffd}\u{fffd}\u{fffd}')
    assert(
      property(anyText, option(anyText), jsonValue(), (id, seal, value) => {
        const subject = { resource: 'shipment', id, version: 3, previousEventId: null } as const
        const object: JsonObject = JSON.parse(JSON.stringify({ seal, value }))
        const event = sampleEvent({ subject, object })
        understood(event)
        expect(broken(sent(event))).toEqual([])
        expect(Object.keys(sent(event)).filter((name) => !CONTEXT.has(name)).length).toBeLessThanOrEqual(8)
      }),
    )
  })
})
