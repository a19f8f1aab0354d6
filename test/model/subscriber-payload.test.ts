import { describe, expect, it } from 'vitest'
import { cloudEventHeaders } from '../../src/model/cloud-event.ts'
import { keepTexts } from '../../src/model/event-texts.ts'
import {
  FORMATS,
  type PayloadShape,
  payloadBytes,
  placedDelivery,
  standardPayload,
  subscriberPayload,
} from '../../src/model/payload.ts'
import { sampleEvent } from '../deliver/sample-event.ts'

const PLACED = { subscription: 'erp', place: { series: 'k3v9a1b2', position: 1042 } } as const
const MOST_BYTES = 256_000

function shown(shape: PayloadShape, event = sampleEvent()): unknown {
  return JSON.parse(String(subscriberPayload({ ...PLACED, event }, shape).bytes))
}

/** The payload as a subscription gets it. */
describe('the payload of a numbered delivery', () => {
  it('has its place in front of what all subscribers get', () => {
    const event = sampleEvent()
    const full = { payload: 'full', format: 'standard' } as const
    const rest = JSON.parse(String(payloadBytes(event, full).bytes))
    const delivery = { subscription: 'erp', series: 'k3v9a1b2', position: 1042 }
    expect(JSON.stringify(shown(full))).toBe(JSON.stringify({ delivery, ...rest }))
    expect(shown({ payload: 'thin', format: 'standard' })).toMatchObject({ delivery })
  })

  it('is three attributes more of a CloudEvent, or three headers', () => {
    const attributes = { subscription: 'erp', series: 'k3v9a1b2', position: '0000000000001042' }
    expect(shown({ payload: 'full', format: 'cloudevents' })).toMatchObject({ ...attributes, specversion: '1.0' })
    const event = sampleEvent()
    const headers = cloudEventHeaders(event, { truncated: false, placed: placedDelivery(PLACED) })
    expect(headers).toMatchObject({
      'ce-series': 'k3v9a1b2',
      'ce-position': '0000000000001042',
      'ce-subscription': 'erp',
    })
    expect(shown({ payload: 'full', format: 'cloudevents-binary' })).toHaveProperty('object')
  })

  it('has no half of a character, which many parsers refuse', () => {
    const object = { name: 'half \ud83d', note: String.raw`no half: \ud83d`, 'key \udc00': '🚢' }
    const whole = { name: 'half \ufffd', note: String.raw`no half: \ud83d`, 'key \ufffd': '🚢' }
    const event = sampleEvent({ object, shipment: null, changes: null, before: null })
    const read = { ...event }
    keepTexts(read, { objectJson: Buffer.from(JSON.stringify(object)) })
    for (const each of [event, read])
      for (const format of ['standard', 'cloudevents'] as const)
        expect(shown({ payload: 'full', format }, each)).toMatchObject({ data: { object: whole } })
    expect(standardPayload(event)).toMatchObject({ data: { object: whole } })
  })

  it('is as others are where it has no number', () => {
    const event = sampleEvent()
    for (const format of FORMATS) {
      const shape = { payload: 'full', format } as const
      const { bytes } = subscriberPayload({ event, subscription: 'erp', place: null }, shape)
      expect(String(bytes)).toBe(String(payloadBytes(event, shape).bytes))
    }
  })

  it('is never larger than 256 kB, whatever the name and the number', () => {
    const place = { series: 'k3v9a1b2', position: Number.MAX_SAFE_INTEGER }
    for (const format of ['standard', 'cloudevents'] as const) {
      for (let pad = MOST_BYTES - 1_500; pad < MOST_BYTES; pad += 50) {
        const event = sampleEvent({ object: { pad: 'x'.repeat(pad) } })
        keepTexts(event, { objectJson: Buffer.from(JSON.stringify(event.object)) })
        const delivery = { event, subscription: 'x'.repeat(64), place }
        expect(subscriberPayload(delivery, { payload: 'full', format }).bytes.length).toBeLessThanOrEqual(MOST_BYTES)
      }
    }
  })
})
