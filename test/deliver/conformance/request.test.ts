import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { WebhookChannel } from '../../../src/model/subscription.ts'
import { payloadBody } from '../../../src/model/payload.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { sampleBatch, sampleEvent } from '../sample-event.ts'
import { status } from '../scripted-receiver.ts'
import { headersOf, NEVER, onlyRequest, scripted, SECRET, senderTo } from './sending.ts'

const AT = Date.UTC(2026, 10, 21, 8, 0, 0, 999)

async function received(channel: Partial<WebhookChannel> = {}, path = '/hooks') {
  const receiver = await scripted()
  const clock = new FakeClock(AT)
  const outcome = await senderTo(`${receiver.url}${path}`, channel, { clock }).send(sampleBatch(), NEVER)
  expect(outcome).toEqual({ kind: 'delivered', status: 200, answer: null })
  const request = onlyRequest(receiver)
  return { ...request, headers: headersOf(request), host: `127.0.0.1:${receiver.port}` }
}

describe('a request', () => {
  it('is a POST of the payload with exactly these headers', async () => {
    const { method, path, body, headers, host } = await received({}, '/hooks?tenant=1')
    expect({ method, path, body }).toEqual({
      method: 'POST',
      path: '/hooks?tenant=1',
      body: payloadBody(sampleEvent()),
    })
    expect(headers).toEqual({
      host,
      connection: 'keep-alive',
      'user-agent': 'shipbell/9.9.9',
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'webhook-id': 'evt_0001',
      'webhook-timestamp': '1795248000',
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
    })
  })

  it.each<[string, Partial<WebhookChannel>, Record<string, string>]>([
    ['headers of the operator', { headers: { 'X-Team': 'logistics' } }, { 'x-team': 'logistics' }],
    ['credentials', { headers: { Authorization: 'Bearer t' } }, { authorization: 'Bearer t' }],
    ['a name of its own for Shipbell', { headers: { 'User-Agent': 'acme/1' } }, { 'user-agent': 'acme/1' }],
    ['the media type of CloudEvents', { format: 'cloudevents' }, { 'content-type': 'application/cloudevents+json' }],
    ['a header of Latin 1', { headers: { 'X-Team': 'caf\u00e9' } }, { 'x-team': 'caf\u00e9' }],
  ])('carries %s', async (_, channel, expected) => {
    expect((await received(channel)).headers).toMatchObject(expected)
  })

  it('carries user and password of a url as credentials', async () => {
    const receiver = await scripted()
    await senderTo(`http://me:p%40ss@127.0.0.1:${receiver.port}/`).send(sampleBatch(), NEVER)
    const expected = `Basic ${Buffer.from('me:p@ss').toString('base64')}`
    expect(onlyRequest(receiver).headers.authorization).toBe(expected)
  })

  it('is made afresh for every attempt: the same id and bytes, another time and signature', async () => {
    const receiver = await scripted(status(500))
    const clock = new FakeClock(AT)
    const sender = senderTo(receiver.url, {}, { clock })
    await sender.send(sampleBatch(), NEVER)
    clock.jump(AT + 5_000)
    await sender.send(sampleBatch({ attempts: 1 }), NEVER)
    const [first, second] = receiver.requests
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    expect(second?.body).toBe(first?.body)
    expect([first, second].map((each) => each?.headers['webhook-timestamp'])).toEqual(['1795248000', '1795248005'])
    expect(second?.headers['webhook-signature']).not.toBe(first?.headers['webhook-signature'])
  })

  it('goes over connections that are kept between attempts', async () => {
    const receiver = await scripted()
    const ports = new Set<number | undefined>()
    receiver.answer = (request) => {
      ports.add(request.response.socket?.remotePort)
      status(204)(request)
    }
    const sender = senderTo(receiver.url, { concurrency: 1 })
    for (let attempt = 0; attempt < 5; attempt += 1) await sender.send(sampleBatch(), NEVER)
    expect(ports.size).toBe(1)
  })

  it('goes around every proxy that the environment names', async () => {
    const [receiver, proxy] = [await scripted(), await scripted(status(502))]
    for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'])
      vi.stubEnv(name, proxy.url)
    vi.stubEnv('NODE_USE_ENV_PROXY', '1')
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(await senderTo(receiver.url).send(sampleBatch(), NEVER)).toMatchObject({ kind: 'delivered' })
    expect(proxy.requests).toHaveLength(0)
  })

  it('is not made where the signing key is wrong', async () => {
    const receiver = await scripted()
    for (const secret of ['whsec_', 'plain', `${SECRET}=`])
      expect(() => senderTo(receiver.url, { secrets: [secret] })).toThrow(/^A webhook's secret must be whsec_/)
  })
})
