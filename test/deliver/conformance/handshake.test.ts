import { describe, expect, it } from 'vitest'
import type { WebhookAbout } from '../../support/webhook-channel.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { sampleBatch } from '../sample-event.ts'
import { hang, status, type ReceivedRequest } from '../scripted-receiver.ts'
import { NEVER, postsTo, scripted, senderTo } from './sending.ts'

type Answer = (request: ReceivedRequest) => void

const SOURCE = 'https://shipbell.example/accounts'

/** A receiver that answers the handshake so, and takes every delivery. */
async function receiverThat(answers: Answer, channel: WebhookAbout = {}) {
  const receiver = await scripted((request) => (request.method === 'OPTIONS' ? answers(request) : status(200)(request)))
  const clock = new FakeClock()
  const sender = senderTo(`${receiver.url}/hooks?a=1`, { format: 'cloudevents', source: SOURCE, ...channel }, { clock })
  return { receiver, clock, sender, send: async () => await sender.send(sampleBatch(), NEVER) }
}

function asked(requests: readonly ReceivedRequest[]): readonly string[] {
  return requests.map(({ method }) => method)
}

describe('the validation handshake', () => {
  it('asks once, before the first delivery, at the very address, as who may', async () => {
    const allowed = status(200, { 'webhook-allowed-origin': 'shipbell.example', 'webhook-allowed-rate': '*' })
    const { receiver, send } = await receiverThat(allowed, { headers: { Authorization: 'Bearer t' } })
    for (let count = 0; count < 3; count += 1) expect(await send()).toMatchObject({ kind: 'delivered' })
    expect(asked(receiver.requests)).toEqual(['OPTIONS', 'POST', 'POST', 'POST'])
    const [options] = receiver.requests
    expect(options).toMatchObject({ path: '/hooks?a=1', body: '' })
    expect(options?.headers).toMatchObject({
      'webhook-request-origin': 'shipbell.example',
      authorization: 'Bearer t',
      'user-agent': 'shipbell/9.9.9',
    })
    expect(options?.headers).not.toHaveProperty('content-type')
    for (const post of postsTo(receiver)) expect(post.headers['webhook-request-origin']).toBe('shipbell.example')
  })

  it('is asked once by attempts that begin together', async () => {
    const { receiver, send } = await receiverThat(status(200, { 'webhook-allowed-origin': '*' }))
    await Promise.all([send(), send(), send()])
    expect(asked(receiver.requests).filter((method) => method === 'OPTIONS')).toHaveLength(1)
  })

  it.each([
    ['/accounts', 'shipbell'],
    ['https://Ring.Example:8443/x', 'ring.example'],
  ])('names the host of source %s as %s', async (source, origin) => {
    const { receiver, send } = await receiverThat(status(404), { source })
    await send()
    expect(receiver.requests.map(({ headers }) => headers['webhook-request-origin'])).toEqual([origin, origin])
  })

  it.each([
    [status(404)],
    [status(405, { allow: 'POST' })],
    [status(501)],
    [status(500)],
    [status(200)],
    [status(204, { 'access-control-allow-origin': '*' })],
    [status(302, { location: 'https://elsewhere.example' })],
    [({ response }: ReceivedRequest) => void response.socket?.destroy()],
  ])('keeps no event from a receiver that knows nothing of it (%#)', async (answer) => {
    const { receiver, send } = await receiverThat(answer)
    expect(await send()).toMatchObject({ kind: 'delivered' })
    expect(await send()).toMatchObject({ kind: 'delivered' })
    expect(postsTo(receiver)).toHaveLength(2)
    expect(asked(receiver.requests).at(-1)).toBe('POST')
  })

  it('waits no longer than five seconds for a receiver that does not answer it', async () => {
    const { receiver, clock, send } = await receiverThat(hang)
    const outcome = send()
    await receiver.received(1)
    await clock.advance(5_000)
    expect(await outcome).toMatchObject({ kind: 'delivered' })
    expect(asked(receiver.requests)).toEqual(['OPTIONS', 'POST'])
    expect(clock.nextWakeAt).toBeNull()
  })

  it('that names another sender refuses, until it names this one', async () => {
    const { receiver, send } = await receiverThat((request) => {
      const asks = asked(receiver.requests).filter((method) => method === 'OPTIONS').length
      status(200, { 'webhook-allowed-origin': asks < 3 ? 'other.example' : 'shipbell.example' })(request)
    })
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect(await send()).toEqual({
        kind: 'failed',
        status: 200,
        answer: null,
        error: `${receiver.url} wants no events of shipbell.example: its WebHook-Allowed-Origin names another sender; see \`source\``,
        retryAfterMs: null,
      })
    }
    expect(await send()).toMatchObject({ kind: 'delivered' })
    expect(asked(receiver.requests)).toEqual(['OPTIONS', 'OPTIONS', 'OPTIONS', 'POST'])
  })

  it.each([
    ['100', { requests: 100, perMs: 60_000 }],
    ['*', null],
    ['0', null],
    ['many', null],
    ['1e9', null],
  ])('learns the rate %s', async (rate, pace) => {
    const answer = status(200, { 'webhook-allowed-origin': '*', 'webhook-allowed-rate': rate })
    const { sender, send } = await receiverThat(answer)
    expect(sender.pace).toBeNull()
    await send()
    expect(sender.pace).toEqual(pace)
  })

  it('is cut by a shutdown, and nothing is sent', async () => {
    const { receiver, sender } = await receiverThat(hang)
    const shutdown = new AbortController()
    const outcome = sender.send(sampleBatch(), shutdown.signal)
    await receiver.received(1)
    shutdown.abort()
    expect(await outcome).toEqual({ kind: 'cut' })
    expect(postsTo(receiver)).toEqual([])
  })

  it('is not for the standard format', async () => {
    const { receiver, send } = await receiverThat(status(404), { format: 'standard' })
    await send()
    expect(asked(receiver.requests)).toEqual(['POST'])
    expect(receiver.requests[0]?.headers).not.toHaveProperty('webhook-request-origin')
  })
})
