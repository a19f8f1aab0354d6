import { once } from 'node:events'
import { createServer, Socket } from 'node:net'
import { randomBytes } from 'node:crypto'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import type { ChannelContext } from '../../src/deliver/channels/channel.ts'
import { WebhookSender } from '../../src/deliver/channels/webhook/webhook-sender.ts'
import { standardBody } from '../../src/model/payload.ts'
import type { WebhookChannel } from '../../src/model/subscription.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { sampleDelivery, sampleEvent } from './sample-event.ts'
import { hang, ScriptedReceiver, status } from './scripted-receiver.ts'

const OLD_SECRET = `whsec_${randomBytes(32).toString('base64')}`
const NEW_SECRET = `whsec_${randomBytes(24).toString('base64')}`
const NEVER = new AbortController().signal

let receiver: ScriptedReceiver
const opened: WebhookSender[] = []

beforeEach(async () => {
  receiver = await ScriptedReceiver.start()
})

afterEach(async () => {
  await Promise.all(opened.splice(0).map(async (sender) => await sender[Symbol.asyncDispose]()))
  await receiver[Symbol.asyncDispose]()
})

function sender(channel: Partial<WebhookChannel> = {}, context: Partial<ChannelContext> = {}): WebhookSender {
  const webhook = new WebhookSender(
    {
      kind: 'webhook',
      url: `${receiver.url}/hooks?tenant=1`,
      secrets: [OLD_SECRET],
      headers: {},
      timeoutMs: 15_000,
      concurrency: 4,
      ...channel,
    },
    { clock: systemClock, version: '9.9.9', allowNetworks: ['127.0.0.0/8'], secrets: () => [], ...context },
  )
  opened.push(webhook)
  return webhook
}

function only(): { headers: Record<string, string>; body: string; path: string; method: string } {
  const [request] = receiver.requests
  if (request === undefined) throw new Error('nothing was received')
  return { ...request, headers: Object.fromEntries(Object.entries(request.headers).map(([k, v]) => [k, String(v)])) }
}

describe('a webhook attempt', () => {
  it('posts the payload with the headers of the contract', async () => {
    const outcome = await sender({ headers: { 'X-Team': 'logistics' } }).send(sampleDelivery(), NEVER)
    expect(outcome).toEqual({ kind: 'delivered', status: 200, answer: null })
    const { headers, body, path, method } = only()
    expect({ method, path, body }).toEqual({
      method: 'POST',
      path: '/hooks?tenant=1',
      body: standardBody(sampleEvent()),
    })
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'shipbell/9.9.9',
      'webhook-id': 'evt_0001',
      'x-team': 'logistics',
    })
    expect(Math.abs(Number(headers['webhook-timestamp']) * 1_000 - systemClock.now())).toBeLessThan(60_000)
  })

  it('is signed so that standardwebhooks and svix verify it, with either secret during a rotation', async () => {
    await sender({ secrets: [NEW_SECRET, OLD_SECRET] }).send(sampleDelivery(), NEVER)
    const { headers, body } = only()
    for (const secret of [OLD_SECRET, NEW_SECRET]) {
      new StandardWebhook(secret).verify(body, headers)
      new SvixWebhook(secret).verify(body, headers)
    }
    const stranger = new StandardWebhook(`whsec_${randomBytes(24).toString('base64')}`)
    expect(() => stranger.verify(body, headers)).toThrow()
    expect(() => new StandardWebhook(OLD_SECRET).verify(`${body} `, headers)).toThrow()
  })

  it('signs every attempt afresh under the same id', async () => {
    const clock = new FakeClock()
    const webhook = sender({}, { clock })
    await webhook.send(sampleDelivery(), NEVER)
    clock.jump(clock.now() + 5_000)
    await webhook.send(sampleDelivery({ attempts: 1 }), NEVER)
    const [first, second] = receiver.requests.map(({ headers }) => headers)
    expect(second?.['webhook-id']).toBe(first?.['webhook-id'])
    expect(Number(second?.['webhook-timestamp'])).toBe(Number(first?.['webhook-timestamp']) + 5)
    expect(second?.['webhook-signature']).not.toBe(first?.['webhook-signature'])
  })

  it('sends the user and password of a url as credentials', async () => {
    await sender({ url: `http://me:p%40ss@127.0.0.1:${receiver.port}/` }).send(sampleDelivery(), NEVER)
    expect(only().headers['authorization']).toBe(`Basic ${Buffer.from('me:p@ss').toString('base64')}`)
  })

  it('keeps its connections between attempts', async () => {
    const webhook = sender({ concurrency: 1 })
    const ports = new Set<number | undefined>()
    receiver.answer = (request) => {
      ports.add(request.response.socket?.remotePort)
      status(204)(request)
    }
    for (let attempt = 0; attempt < 5; attempt += 1) await webhook.send(sampleDelivery(), NEVER)
    expect(ports.size).toBe(1)
  })
})

describe('what an answer means', () => {
  it.each([200, 201, 202, 204, 299])('%i delivers', async (code) => {
    receiver.answer = status(code)
    expect(await sender().send(sampleDelivery(), NEVER)).toMatchObject({ kind: 'delivered', status: code })
  })

  it.each([400, 401, 404, 409, 429, 500, 503])('%i is a failure', async (code) => {
    receiver.answer = status(code, {}, 'no')
    const outcome = await sender().send(sampleDelivery(), NEVER)
    const error = `${receiver.url} answered ${code}`
    expect(outcome).toEqual({ kind: 'failed', status: code, answer: 'no', error, retryAfterMs: null })
  })

  it('410 disables the endpoint', async () => {
    receiver.answer = status(410)
    expect(await sender().send(sampleDelivery(), NEVER)).toMatchObject({ kind: 'gone', status: 410 })
  })

  it.each([301, 302, 303, 307, 308])('%i is a failure that names the redirect and is not followed', async (code) => {
    await using elsewhere = await ScriptedReceiver.start()
    receiver.answer = status(code, { location: `${elsewhere.url}/there?echo=a-secret` })
    const outcome = await sender().send(sampleDelivery(), NEVER)
    expect(outcome).toMatchObject({ kind: 'failed', status: code })
    expect(outcome).toHaveProperty(
      'error',
      expect.stringContaining(`a redirect to ${new URL(elsewhere.url).host}; redirects are not followed`),
    )
    expect(JSON.stringify(outcome)).not.toContain('a-secret')
    expect(elsewhere.requests).toHaveLength(0)
  })

  it.each([
    ['120', 120_000],
    ['Sat, 21 Nov 2026 08:02:00 GMT', 120_000],
    ['999999999', 24 * 3_600_000],
    ['soon', null],
  ])('Retry-After: %s is read on any failure', async (header, retryAfterMs) => {
    const clock = new FakeClock(Date.UTC(2026, 10, 21, 8))
    for (const code of [429, 503, 500]) {
      receiver.answer = status(code, { 'retry-after': header })
      expect(await sender({}, { clock }).send(sampleDelivery(), NEVER)).toMatchObject({ kind: 'failed', retryAfterMs })
    }
  })
})

async function whenStuck(answer: ScriptedReceiver['answer']): Promise<unknown> {
  const clock = new FakeClock()
  receiver.answer = answer
  const outcome = sender({}, { clock }).send(sampleDelivery(), NEVER)
  await receiver.received(1)
  await clock.advance(15_000)
  return await outcome
}

/** A second exchange over the same loopback ends after the first one's bytes have arrived. */
async function bodyArrives(): Promise<void> {
  await using other = await ScriptedReceiver.start()
  for (let round = 0; round < 3; round += 1) await sender({ url: other.url }).send(sampleDelivery(), NEVER)
}

describe('one deadline for the whole exchange', () => {
  it('fails an endpoint that takes the request and says nothing', async () => {
    const error = `${receiver.url} did not answer within 15s`
    expect(await whenStuck(hang)).toEqual({ kind: 'failed', status: null, answer: null, error, retryAfterMs: null })
  })

  it('fails an endpoint whose headers drip', async () => {
    const outcome = await whenStuck(({ response }) => response.socket?.write('HTTP/1.1 200 OK\r\nX-Slow: '))
    expect(outcome).toMatchObject({ kind: 'failed', status: null })
  })

  it('fails an endpoint whose connection never opens, and sends nothing later', async () => {
    const clock = new FakeClock()
    const address = Promise.withResolvers<never>()
    const webhook = sender({ url: 'http://slow-dns.example/' }, { clock, resolve: async () => await address.promise })
    const outcome = webhook.send(sampleDelivery(), NEVER)
    await clock.advance(15_000)
    expect(await outcome).toMatchObject({ kind: 'failed', error: 'http://slow-dns.example did not answer within 15s' })
  })

  it('cuts a body that drips and lets the status decide', async () => {
    const clock = new FakeClock()
    for (const [code, kind] of [
      [200, 'delivered'],
      [500, 'failed'],
      [410, 'gone'],
    ] as const) {
      const seen = receiver.requests.length
      receiver.answer = ({ response }) => {
        response.writeHead(code)
        response.write('drip')
      }
      const outcome = sender({}, { clock }).send(sampleDelivery(), NEVER)
      await receiver.received(seen + 1)
      await bodyArrives()
      await clock.advance(15_000)
      expect(await outcome).toMatchObject({ kind, status: code, answer: 'drip' })
    }
  })

  it('leaves no timer behind', async () => {
    const clock = new FakeClock()
    await sender({}, { clock }).send(sampleDelivery(), NEVER)
    expect(clock.nextWakeAt).toBeNull()
  })
})

describe('an answer that is too large', () => {
  it('is read to 16 KiB and dropped, and its status decides', async () => {
    let written = 0
    receiver.answer = ({ response }) => {
      response.writeHead(200, { 'content-length': String(1024 ** 3) })
      const chunk = Buffer.alloc(64 * 1024, 'x')
      const pump = (): void => {
        while (!response.destroyed && written < 1024 ** 3) {
          written += chunk.length
          if (!response.write(chunk)) return void response.once('drain', pump)
        }
      }
      pump()
    }
    const outcome = await sender().send(sampleDelivery(), NEVER)
    expect(outcome).toEqual({ kind: 'delivered', status: 200, answer: 'x'.repeat(16 * 1024) })
    const [request] = receiver.requests
    if (request?.response.closed === false) await once(request.response, 'close')
    expect(written).toBeLessThan(64 * 1024 * 1024)
  })

  it('loses no slot: the next attempt goes through', async () => {
    const webhook = sender({ concurrency: 1 })
    receiver.answer = status(200, {}, 'y'.repeat(5_000_000))
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect(await webhook.send(sampleDelivery(), NEVER)).toMatchObject({ kind: 'delivered' })
    }
  })
})

describe('what is kept of an answer', () => {
  it('holds no configured secret', async () => {
    const bare = OLD_SECRET.slice('whsec_'.length)
    receiver.answer = status(
      500,
      {},
      `secret=${OLD_SECRET} key=${bare} auth=Bearer tok_12345678 api=other-secret team=logistics`,
    )
    const headers = { Authorization: 'Bearer tok_12345678', 'X-Team': 'logistics' }
    const outcome = await sender({ headers }, { secrets: () => ['other-secret'] }).send(sampleDelivery(), NEVER)
    expect(outcome).toHaveProperty(
      'answer',
      'secret=[redacted] key=[redacted] auth=[redacted] api=[redacted] team=logistics',
    )
  })

  it('holds no beginning of a secret that the cut left over', async () => {
    receiver.answer = status(200, {}, 'z'.repeat(16 * 1024 - 10) + OLD_SECRET)
    const outcome = await sender().send(sampleDelivery(), NEVER)
    expect(JSON.stringify(outcome)).not.toContain(OLD_SECRET.slice(0, 8))
  })
})

describe('an attempt that gets no answer', () => {
  it('says that the connection was refused', async () => {
    const { url } = receiver
    await receiver[Symbol.asyncDispose]()
    expect(await sender({ url }).send(sampleDelivery(), NEVER)).toMatchObject({
      kind: 'failed',
      status: null,
      error: `${url} refused the connection (ECONNREFUSED)`,
    })
    receiver = await ScriptedReceiver.start()
  })

  it('says that the connection was closed', async () => {
    receiver.answer = ({ response }) => response.socket?.destroy()
    const outcome = await sender().send(sampleDelivery(), NEVER)
    expect(outcome).toHaveProperty('error', expect.stringContaining('closed the connection without an answer'))
  })

  it('says that the answer is no HTTP', async () => {
    receiver.answer = ({ response }) => response.socket?.end('SSH-2.0-OpenSSH_9.9\r\n')
    const outcome = await sender().send(sampleDelivery(), NEVER)
    expect(outcome).toHaveProperty('error', expect.stringContaining('did not answer in valid HTTP'))
  })

  it('names the address and the rule where the guard refuses', async () => {
    const outcome = await sender({}, { allowNetworks: [] }).send(sampleDelivery(), NEVER)
    const rule = 'a loopback address, which is dialled only where delivery.allow_networks names it (127.0.0.1/32)'
    const error = `Nothing was sent to ${receiver.url}: 127.0.0.1 is ${rule}`
    expect(outcome).toEqual({ kind: 'failed', status: null, answer: null, error, retryAfterMs: null })
    expect(receiver.requests).toHaveLength(0)
  })

  it('is cut, not failed, by a shutdown', async () => {
    receiver.answer = hang
    const shutdown = new AbortController()
    const outcome = sender().send(sampleDelivery(), shutdown.signal)
    await receiver.received(1)
    shutdown.abort()
    expect(await outcome).toEqual({ kind: 'cut' })
  })

  it.each(['http', 'https'])('leaves no %s connection behind that was still being made', async (scheme) => {
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const address = silent.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const shutdown = new AbortController()
    const webhook = sender({ url: `${scheme}://127.0.0.1:${port}`, timeoutMs: 3_600_000 })
    const outcome = webhook.send(sampleDelivery(), shutdown.signal)
    const [socket]: unknown[] = await once(silent, 'connection')
    shutdown.abort()
    expect(await outcome).toEqual({ kind: 'cut' })
    await webhook[Symbol.asyncDispose]()
    if (socket instanceof Socket) await once(socket.on('error', () => undefined).resume(), 'close')
    silent.close()
  })

  it('counts as delivered where a shutdown cuts only the body of a 2xx', async () => {
    receiver.answer = ({ response }) => {
      response.writeHead(202)
      response.write('…')
    }
    const shutdown = new AbortController()
    const outcome = sender().send(sampleDelivery(), shutdown.signal)
    await receiver.received(1)
    await bodyArrives()
    shutdown.abort()
    expect(await outcome).toMatchObject({ kind: 'delivered', status: 202 })
  })
})
