import { once } from 'node:events'
import { createServer as createHttp2Server } from 'node:http2'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { ChannelContext, SendOutcome } from '../../../src/deliver/channels/channel.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { sampleBatch } from '../sample-event.ts'
import { status, ScriptedReceiver } from '../scripted-receiver.ts'
import type { WebhookAbout } from '../../support/webhook-channel.ts'
import { NEVER, scripted, SECRET, senderTo } from './sending.ts'

const DAY_MS = 24 * 3_600_000

async function unknownHost(): Promise<never> {
  return await Promise.reject(Object.assign(new Error('queryA'), { code: 'ENOTFOUND' }))
}

async function answered(answer: ScriptedReceiver['answer']): Promise<{ outcome: SendOutcome; url: string }> {
  const receiver = await scripted(answer)
  const clock = new FakeClock(Date.UTC(2026, 10, 21, 8))
  return { outcome: await senderTo(receiver.url, {}, { clock }).send(sampleBatch(), NEVER), url: receiver.url }
}

describe('the status decides', () => {
  it.each([200, 201, 202, 203, 204, 205, 206, 207, 226, 299])('%i delivers', async (code) => {
    expect((await answered(status(code))).outcome).toMatchObject({ kind: 'delivered', status: code })
  })

  it.each([304, 400, 401, 403, 404, 405, 408, 409, 413, 415, 418, 422, 429, 500, 501, 502, 503, 504, 599, 999])(
    '%i is a failure',
    async (code) => {
      const { outcome, url } = await answered(status(code))
      expect(outcome).toMatchObject({ kind: 'failed', status: code, retryAfterMs: null })
      expect(outcome).toHaveProperty('error', expect.stringContaining(`${url} answered ${code}`))
    },
  )

  it.each([300, 301, 302, 303, 305, 307, 308])('%i is a failure and is not followed', async (code) => {
    const elsewhere = await scripted()
    const { outcome, url } = await answered(status(code, { location: `${elsewhere.url}/there?echo=a-secret` }))
    const { host } = new URL(elsewhere.url)
    const error = `${url} answered ${code}, a redirect to ${host}; redirects are not followed, so the url must be the final one`
    expect(outcome).toEqual({ kind: 'failed', status: code, answer: null, error, retryAfterMs: null })
    expect(elsewhere.requests).toHaveLength(0)
  })

  it('410 asks to be left alone for good', async () => {
    const { outcome, url } = await answered(status(410, { 'retry-after': '1' }, 'bye'))
    expect(outcome).toEqual({ kind: 'gone', status: 410, answer: 'bye', error: `${url} answered 410 Gone` })
  })

  it('an interim answer is not the answer', async () => {
    const { outcome } = await answered(({ response }) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload' }, () => response.writeHead(503).end())
    })
    expect(outcome).toMatchObject({ kind: 'failed', status: 503 })
  })
})

describe('Retry-After', () => {
  it.each<[string, number | null]>([
    ['0', 0],
    ['120', 120_000],
    [' 120 ', 120_000],
    ['86400', DAY_MS],
    ['86401', DAY_MS],
    ['999999999999999999999', DAY_MS],
    ['Sat, 21 Nov 2026 08:02:00 GMT', 120_000],
    ['Saturday, 21-Nov-26 08:02:00 GMT', 120_000],
    ['Sat Nov 21 08:02:00 2026', 120_000],
    ['Sat, 21 Nov 2026 07:00:00 GMT', 0],
    ['Fri, 31 Dec 9999 23:59:59 GMT', DAY_MS],
    ['soon', null],
    ['', null],
    ['-5', null],
    ['1.5', 1_500],
    ['1e3', null],
    ['0x10', null],
    ['120, 240', null],
    ['2026-11-21T08:02:00Z', 120_000],
    ['Sat, 99 Nov 2026 08:02:00 GMT', null],
  ])('of %j is a floor of %s ms, on any failure', async (header, retryAfterMs) => {
    for (const code of [429, 503, 500, 302]) {
      const { outcome } = await answered(status(code, { 'retry-after': header, date: 'Sat, 21 Nov 2026 08:00:00 GMT' }))
      expect(outcome).toMatchObject({ kind: 'failed', retryAfterMs })
    }
  })

  it("is counted from the answer's own Date", async () => {
    const date = 'Thu, 19 Nov 2026 08:00:00 GMT'
    const { outcome } = await answered(status(503, { 'retry-after': 'Thu, 19 Nov 2026 08:02:00 GMT', date }))
    expect(outcome).toMatchObject({ kind: 'failed', retryAfterMs: 120_000 })
  })

  it('that stands there twice counts once', async () => {
    const { outcome } = await answered(({ response }) => {
      response.setHeader('retry-after', ['60', '120']).writeHead(503).end()
    })
    expect(outcome).toMatchObject({ retryAfterMs: 60_000 })
  })
})

describe('of an answer is kept', () => {
  it.each<[string, string, string | null]>([
    ['nothing, where it has no body', '', null],
    ['a short body', 'no such order', 'no such order'],
    ['at most 16 KiB', 'x'.repeat(16 * 1024 + 1), 'x'.repeat(16 * 1024)],
    ['no half character at the cut', `${'x'.repeat(16 * 1024 - 1)}é`, 'x'.repeat(16 * 1024 - 1)],
    ['text, whatever the bytes', '\u0000\u001b[31m', '\u0000\u001b[31m'],
  ])('%s', async (_, body, kept) => {
    expect((await answered(status(500, {}, body))).outcome).toHaveProperty('answer', kept)
  })

  const PAIR = 'whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg=='
  const PRIVATE_KEY = 'MC4CAQAwBQYDK2VwBCIEIOl2/3QnB6T3mttT0tTfVWPzWVu9twhHO+zeKyQrmzG3'
  const SENSITIVE: WebhookAbout = {
    secrets: [SECRET, PAIR],
    headers: { Authorization: 'Bearer tok_12345678', 'X-Api-Key': 'k-87654321', 'X-Team': 'logistics' },
    drawn: ['from-the-environment'],
    tls: { ca: null, cert: null, key: `-----BEGIN PRIVATE KEY-----\n${PRIVATE_KEY}\n-----END PRIVATE KEY-----\n` },
  }
  const OTHERS: Partial<ChannelContext> = { secrets: () => ['platform-api-key'] }
  it.each([
    ['signing secret', SECRET],
    ['bare signing secret', SECRET.slice('whsec_'.length)],
    ['key pair', PAIR],
    ['bare key pair', PAIR.slice('whsk_'.length)],
    ['Authorization header', 'Bearer tok_12345678'],
    ['token of it', 'tok_12345678'],
    ['API key in a header', 'k-87654321'],
    ['password of the url', 'p@ssw0rd'],
    ['key in the query of the url', 'query key 1'],
    ['key in the query, as it is sent', 'query%20key%201'],
    ['key in the path of the url', 'B00000000000000001'],
    ['text of a variable in a header or the url', 'from-the-environment'],
    ['private key of the client certificate', PRIVATE_KEY],
    ['secret of the rest of the configuration', 'platform-api-key'],
  ])('no %s, whole or cut off', async (_, secret) => {
    const receiver = await scripted()
    const head = secret.slice(0, 10)
    const sender = senderTo(
      `http://me:p%40ssw0rd@127.0.0.1:${receiver.port}/hooks/B00000000000000001?k=query%20key%201`,
      SENSITIVE,
      OTHERS,
    )
    for (const body of [`you sent ${secret}, logistics`, 'z'.repeat(16 * 1024 - head.length) + secret]) {
      receiver.answer = status(500, {}, body)
      const outcome = await sender.send(sampleBatch(), NEVER)
      expect(JSON.stringify(outcome)).toContain('[redacted]')
      expect(JSON.stringify(outcome)).not.toContain(head)
    }
    receiver.answer = status(500, {}, 'team logistics')
    expect(await sender.send(sampleBatch(), NEVER)).toHaveProperty('answer', 'team logistics')
  })
})

describe('where no answer comes, one sentence says why', () => {
  it('the connection was refused', async () => {
    const receiver = await ScriptedReceiver.start()
    await receiver[Symbol.asyncDispose]()
    expect(await senderTo(receiver.url).send(sampleBatch(), NEVER)).toEqual({
      kind: 'failed',
      status: null,
      answer: null,
      error: `${receiver.url} refused the connection (ECONNREFUSED)`,
      retryAfterMs: null,
    })
  })

  it.each<[string, ScriptedReceiver['answer'], string]>([
    [
      'was closed',
      ({ response }) => response.socket?.destroy(),
      'closed the connection without an answer (UND_ERR_SOCKET)',
    ],
    [
      'was reset',
      ({ response }) => response.socket?.resetAndDestroy(),
      'closed the connection without an answer (ECONNRESET)',
    ],
    [
      'speaks no HTTP',
      ({ response }) => response.socket?.end('SSH-2.0-OpenSSH_9.9\r\n'),
      'did not answer in valid HTTP',
    ],
    [
      'has a status below 100',
      ({ response }) => response.socket?.end('HTTP/1.1 000 Nothing\r\ncontent-length: 0\r\n\r\n'),
      'did not answer in valid HTTP',
    ],
    [
      'says 100 Continue and nothing else',
      ({ response }) => response.socket?.end('HTTP/1.1 100 Continue\r\n\r\n'),
      'closed the connection without an answer (UND_ERR_SOCKET)',
    ],
    [
      'changes protocols unasked',
      ({ response }) =>
        response.socket?.end('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
      'answered "101 Switching Protocols", which it was not asked for',
    ],
  ])('the connection %s', async (_, answer, sentence) => {
    const { outcome, url } = await answered(answer)
    expect(outcome).toHaveProperty('error', `${url} ${sentence}`)
  })

  it('the endpoint speaks HTTP/2 only', async () => {
    const server = createHttp2Server().listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const address = server.address()
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
    expect(await senderTo(url).send(sampleBatch(), NEVER)).toHaveProperty(
      'error',
      `${url} does not speak HTTP/1.1; it may speak HTTP/2 only`,
    )
  })

  it('the host name is unknown', async () => {
    const sender = senderTo('https://nowhere.example', {}, { resolve: unknownHost })
    expect(await sender.send(sampleBatch(), NEVER)).toHaveProperty(
      'error',
      'The host name of https://nowhere.example cannot be resolved (ENOTFOUND)',
    )
  })

  it('the guard refused the address, and nothing was dialled', async () => {
    const receiver = await scripted()
    const rule = 'a loopback address, which is dialled only where delivery.allow_networks names it (127.0.0.1/32)'
    const error = `Nothing was sent to ${receiver.url}: 127.0.0.1 is ${rule}`
    const outcome = await senderTo(receiver.url, {}, { allowNetworks: [] }).send(sampleBatch(), NEVER)
    expect(outcome).toEqual({ kind: 'failed', status: null, answer: null, error, retryAfterMs: null })
    expect(receiver.requests).toHaveLength(0)
  })
})
