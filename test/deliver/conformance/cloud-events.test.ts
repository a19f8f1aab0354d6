import { CloudEvent, HTTP } from 'cloudevents'
import { assert, asyncProperty, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ShipbellEvent } from '../../../src/model/event.ts'
import type { JsonObject } from '../../../src/model/json.ts'
import { standardPayload } from '../../../src/model/payload.ts'
import type { WebhookChannel } from '../../../src/model/subscription.ts'
import { sampleBatch, sampleEvent } from '../sample-event.ts'
import { headersOf, NEVER, onlyRequest, scripted, senderTo } from './sending.ts'

const SUBJECT = { resource: 'shipment', version: 2, previousEventId: 'evt_0000' } as const

/** What a receiver with the official SDK gets of a delivery; throws where the event is not valid. */
async function understood(event: ShipbellEvent, channel: Partial<WebhookChannel>): Promise<CloudEvent<JsonObject>> {
  const { headers, body } = await sent(event, channel)
  const received = HTTP.toEvent<JsonObject>({ headers, body })
  if (Array.isArray(received)) throw new Error('a batch was read')
  const strict = new CloudEvent<JsonObject>({ ...received }, true)
  strict.validate()
  return strict
}

async function sent(event: ShipbellEvent, channel: Partial<WebhookChannel>) {
  const receiver = await scripted()
  expect(await senderTo(receiver.url, channel).send(sampleBatch({ event }), NEVER)).toMatchObject({ kind: 'delivered' })
  const request = onlyRequest(receiver)
  return { headers: headersOf(request), body: request.body }
}

describe.each(['cloudevents', 'cloudevents-binary'] as const)('a delivery in format %s', (format) => {
  it('is read by the official SDK', async () => {
    const { data, ...event } = await understood(sampleEvent(), { format, source: 'https://shipbell.example/accounts' })
    expect(data).toEqual(standardPayload(sampleEvent())['data'])
    expect(JSON.parse(JSON.stringify(event))).toMatchObject({
      specversion: '1.0',
      id: 'evt_0001',
      type: 'shipbell.shipment.status_changed',
      source: 'https://shipbell.example/accounts/acme',
      subject: 'shipment/SHP-1',
      time: '2026-11-21T08:00:02.119Z',
      datacontenttype: 'application/json',
      dataschema: 'urn:shipbell:schema:shipment.status_changed',
      account: 'acme',
      sequence: '0000000000001042',
      cause: 'change',
      previouseventid: 'evt_0000',
      notbefore: '2026-11-21T07:58:02.004Z',
      notafter: '2026-11-21T08:00:02.119Z',
    })
    expect(String(event['subjectversion'])).toBe('17')
  })

  it('says that it is truncated', async () => {
    const large = sampleEvent({ object: { pad: 'x'.repeat(300_000) } })
    const event = await understood(large, { format })
    expect(String(event['truncated'])).toBe('true')
    expect(event.data).not.toHaveProperty('object')
  })
})

describe('a delivery in binary mode', () => {
  it('has every attribute but the type of its data as a header, and the data as its body', async () => {
    const { headers, body } = await sent(sampleEvent({ account: null, observed: null }), {
      format: 'cloudevents-binary',
    })
    const attributes = Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('ce-')))
    expect(attributes).toEqual({
      'ce-specversion': '1.0',
      'ce-id': 'evt_0001',
      'ce-type': 'shipbell.shipment.status_changed',
      'ce-source': '/accounts',
      'ce-subject': 'shipment/SHP-1',
      'ce-time': '2026-11-21T08:00:02.119Z',
      'ce-dataschema': 'urn:shipbell:schema:shipment.status_changed',
      'ce-sequence': '0000000000001042',
      'ce-cause': 'change',
      'ce-subjectversion': '17',
      'ce-previouseventid': 'evt_0000',
    })
    expect(headers['content-type']).toBe('application/json')
    expect(JSON.parse(body)).toEqual(standardPayload(sampleEvent())['data'])
  })

  it('percent-encodes what a header cannot hold, as the HTTP binding says', async () => {
    const subject = { ...SUBJECT, id: 'Euro € 😀 "100%"' }
    const { headers } = await sent(sampleEvent({ subject }), { format: 'cloudevents-binary' })
    expect(headers['ce-subject']).toBe('shipment/Euro%20%E2%82%AC%20%F0%9F%98%80%20%22100%25%22')
  })

  it('tells any id, as who decodes its header once reads it', async () => {
    const receiver = await scripted()
    const sender = senderTo(receiver.url, { format: 'cloudevents-binary' })
    const id = string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
    await assert(
      asyncProperty(id, async (text) => {
        receiver.requests.length = 0
        const event = sampleEvent({ subject: { ...SUBJECT, id: text } })
        expect(await sender.send(sampleBatch({ event }), NEVER)).toMatchObject({ kind: 'delivered' })
        const { headers } = onlyRequest(receiver)
        expect(decodeURIComponent(String(headers['ce-subject']))).toBe(
          `shipment/${text.replaceAll(/\p{Cc}|\p{Noncharacter_Code_Point}/gu, '\u{fffd}')}`,
        )
      }),
      { numRuns: 50 },
    )
  })
})
