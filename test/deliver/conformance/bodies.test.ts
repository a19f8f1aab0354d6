import { describe, expect, test } from 'vitest'
import { Webhook } from 'standardwebhooks'
import { previewBatch } from '../../../src/deliver/channels/channel-kinds.ts'
import { OperatorBody } from '../../../src/message/template/body-template.ts'
import type { RequestBody } from '../../../src/model/request-body.ts'
import { feedBody, feedBytes, feedShape, readFeed } from '../../../src/report/feed.ts'
import { redact } from '../../../src/redact.ts'
import { subscription } from '../../support/subscription.ts'
import { webhookChannel } from '../../support/webhook-channel.ts'
import { EndpointWorld } from '../endpoint-world.ts'
import { sampleBatch, sampleEvent } from '../sample-event.ts'
import { status } from '../scripted-receiver.ts'
import { headersOf, NEVER, scripted, SECRET, senderTo } from './sending.ts'

const KEY = 'R0UT1NG-KEY-0123'
const SOURCE = `{ "key": "${KEY}", "says": {{ text | json }}, "id": {{ id | json }}, "at": {{ delivery.position | json }} }`
/** What no event of the tests can be made of. */
const BROKEN = '{ "says": {{ text }} }'

function body(about: Partial<RequestBody> = {}, source = SOURCE): RequestBody {
  const template = new OperatorBody({ file: null, source, isJson: true })
  return { template, contentType: 'application/json', method: 'POST', language: 'en', timeZone: null, ...about }
}

describe('a body', () => {
  test('goes by its method and media type, with its id alone where there is no secret', async () => {
    const receiver = await scripted()
    const about = {
      secrets: [],
      headers: { 'X-Team': 'a' },
      body: body({ method: 'PUT', contentType: 'application/vnd.a+json' }),
    }
    const outcome = await senderTo(`${receiver.url}/x?y=1`, about).send(sampleBatch(), NEVER)
    expect(outcome).toEqual({ kind: 'delivered', status: 200, answer: null })
    const [request, ...more] = receiver.requests
    expect(more).toEqual([])
    expect([request?.method, request?.path]).toEqual(['PUT', '/x?y=1'])
    expect(JSON.parse(request?.body ?? '')).toMatchObject({ key: KEY, id: 'evt_0001', at: null })
    expect(request && headersOf(request)).toEqual({
      host: expect.any(String),
      connection: 'keep-alive',
      'user-agent': 'shipbell/9.9.9',
      'content-type': 'application/vnd.a+json',
      'content-length': String(Buffer.byteLength(request?.body ?? '')),
      'webhook-id': 'evt_0001',
      'x-team': 'a',
    })
  })

  test('is signed over the bytes sent where there is one', async () => {
    const receiver = await scripted()
    await senderTo(receiver.url, { body: body() }).send(sampleBatch({ place: { series: 's', position: 7 } }), NEVER)
    const [request] = receiver.requests
    if (request === undefined) throw new Error('Nothing came.')
    expect(new Webhook(SECRET).verify(request.body, headersOf(request))).toMatchObject({ key: KEY, at: 7 })
  })

  test('that its answer repeats is kept without its secrets', async () => {
    const receiver = await scripted(({ response }) => void response.writeHead(400).end(`no such key: ${KEY}`))
    const outcome = await senderTo(receiver.url, { body: body(), hidden: [KEY] }).send(sampleBatch(), NEVER)
    expect(outcome).toMatchObject({ kind: 'failed', status: 400, answer: 'no such key: [redacted]' })
  })

  test('that cannot be made is not sent, and asks for time where a bound was passed', async () => {
    const receiver = await scripted()
    const broken = senderTo(receiver.url, { body: body({}, BROKEN) })
    expect(await broken.send(sampleBatch(), NEVER)).toEqual({
      kind: 'failed',
      status: null,
      answer: null,
      error: expect.stringMatching(
        /^Nothing was sent, because the body cannot be made: template:1:1: what it renders is no JSON/,
      ),
      retryAfterMs: null,
      permanent: true,
      unsent: true,
    })
    expect(broken.pace).toBeNull()
    const busy = senderTo(receiver.url, { body: body({}, '{% for i in (1..1000000) %}{{ data | json }}{% endfor %}') })
    expect(await busy.send(sampleBatch(), NEVER)).toMatchObject({ unsent: true })
    expect(busy.pace).toEqual({ requests: 1, perMs: 1_000 })
    expect(receiver.requests).toEqual([])
  })

  test('is previewed and stands in the feed as text, without its secrets', async () => {
    const channel = webhookChannel({ body: body(), hidden: [KEY], omit: ['/name'] })
    const shownBody = { key: '[redacted]', says: expect.stringContaining('SHP-1'), id: 'evt_0001', at: null }
    expect(previewBatch(channel, sampleBatch(), {}).body).toEqual(shownBody)
    const broken = webhookChannel({ body: body({}, BROKEN) })
    expect(previewBatch(broken, sampleBatch(), {})).toMatchObject({
      body: null,
      text: expect.stringContaining('no JSON'),
    })
    const item = { position: 1, state: 'pending', event: { ...sampleEvent(), expiredAt: null } } as const
    const feedPart = async ({ after }: { readonly after: number }) => ({
      series: 's',
      endedTo: 0,
      first: 1,
      head: 1,
      items: after < 1 ? [item] : [],
    })
    const payloadIn = async (settings: typeof channel): Promise<unknown> => {
      const bodyOf = feedBody({ channel: settings }, { accounts: [], shown: redact })
      const shape = feedShape({ channel: settings })
      const feed = await readFeed({ feedPart }, { subscription: 'erp', after: 0, limit: 1, shape, bodyOf })
      const page: { readonly items?: readonly { readonly payload: unknown }[] } = JSON.parse(
        String(feed === null ? '{}' : feedBytes(feed)),
      )
      return page.items?.[0]?.payload
    }
    expect(JSON.parse(String(await payloadIn(channel)))).toEqual({ ...shownBody, at: 1 })
    expect(await payloadIn(broken)).toBeNull()
  })
})

test('what cannot be made is exhausted at once, says why, and its endpoint fares as before', async () => {
  const receiver = await scripted(status(500))
  const pager = (source: string) =>
    subscription('pager', { channel: webhookChannel({ url: receiver.url, secrets: [], body: body({}, source) }) })
  const world = await EndpointWorld.create(pager(SOURCE))
  world.retryMs = [60_000]
  await world.ring('pager')
  await world.deliver()
  const before = await world.store.endpointFacts()
  await world.configure(pager(BROKEN))
  await world.ring('pager', 12)
  await world.deliver()
  expect(await world.store.endpointFacts()).toEqual(before)
  const rows = (await world.store.deliveryPage({ subscription: 'pager', limit: 20 })).items
  const ended = rows.filter(({ state }) => state === 'exhausted')
  expect([rows.length, ended.length, receiver.requests.length]).toEqual([13, 12, 1])
  expect(ended.map(({ attempts, lastError }) => [attempts, lastError?.slice(0, 52)])).toEqual(
    ended.map(() => [1, 'Nothing was sent, because the body cannot be made: t']),
  )
  expect(await world.notices()).toEqual([])
})
