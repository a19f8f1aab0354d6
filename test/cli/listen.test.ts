import { generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { listenCommand } from '../../src/cli/listen.ts'
import { systemClock } from '../../src/clock.ts'
import { createSigner } from '../../src/deliver/channels/webhook/signing.ts'
import { cloudEventHeaders } from '../../src/model/cloud-event.ts'
import { payloadBody } from '../../src/model/payload.ts'
import { sampleEvent } from '../deliver/sample-event.ts'
import { commandContext } from '../support/command-context.ts'

const SECRET = `whsec_${randomBytes(32).toString('base64')}`

let stopping: AbortController
let ended: Promise<unknown>
let stdout: string
let stderr: string

beforeEach(() => {
  stopping = new AbortController()
  ended = Promise.resolve()
  stdout = ''
  stderr = ''
})

afterEach(async () => {
  stopping.abort()
  await ended
})

/** Starts `shipbell listen` with these arguments; resolves to its url once it says that it listens. */
async function listen(...args: readonly string[]): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const context = commandContext({
    stdout: { write: (text) => void (stdout += text) },
    stderr: {
      write: (text) => {
        stderr += text
        const url = /http:\/\/(?:127\.0\.0\.1|0\.0\.0\.0):\d+/.exec(text)
        if (url !== null) resolve(url[0])
      },
    },
    clock: systemClock,
    signal: stopping.signal,
  })
  const command = listenCommand(context)
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
  ended = command.parseAsync(['--port', '0', ...args], { from: 'user' }).catch(reject)
  return await promise
}

async function post(url: string, body: string, headers: Record<string, string> = {}): Promise<number> {
  const answer = await fetch(url, { method: 'POST', body, headers })
  await answer.body?.cancel()
  return answer.status
}

function signed(body: string, secret = SECRET, agoMs = 0): Record<string, string> {
  const at = new Date(systemClock.now() - agoMs)
  return {
    'webhook-id': 'evt_0001',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign('evt_0001', at, body),
  }
}

const BODY = payloadBody(sampleEvent())

describe('shipbell listen', () => {
  it('verifies and prints each event in one line', async () => {
    const url = await listen('--secret', SECRET)
    expect(await post(`${url}/any/path`, BODY, signed(BODY))).toBe(200)
    expect(stdout).toBe(
      '2026-11-21T08:00:02.119Z  #1042  shipment.status_changed  acme  Shipment Ünïcode ☃ (SHP-1) went from draft to booked.  [verified]\n',
    )
    expect(stderr).toContain('verifying signatures')
  })

  it('listens on another address where it is told to, for those of another container', async () => {
    const url = await listen('--host', '0.0.0.0', '--secret', SECRET)
    expect(url).toMatch(/^http:\/\/0\.0\.0\.0:/)
    expect(await post(`http://127.0.0.1:${new URL(url).port}`, BODY, signed(BODY))).toBe(200)
  })

  it('verifies with a public key too', async () => {
    const headers = signed(BODY)
    const timestamp = Number(headers['webhook-timestamp'])
    const pair = 'whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg=='
    const signature = createSigner([pair])({ id: 'evt_0001', timestamp, body: Buffer.from(BODY) })
    const url = await listen('--secret', 'whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=')
    expect(await post(url, BODY, { ...headers, 'webhook-signature': signature })).toBe(200)
    expect(await post(url, BODY, headers)).toBe(401)
    expect(stdout).toMatch(/\[verified\]\n.*\[WRONG SIGNATURE: no v1a signature among v1, answered 401\]\n$/)
  })

  it('answers 401 to a wrong signature and says so', async () => {
    const url = await listen('--secret', SECRET, '--respond', '204')
    expect(await post(url, BODY, signed(BODY, `whsec_${randomBytes(24).toString('base64')}`))).toBe(401)
    expect(await post(url, BODY)).toBe(401)
    expect(await post(url, `${BODY} `, signed(BODY))).toBe(401)
    expect(stdout.match(/\[.*\]\n/g)).toEqual([
      '[WRONG SIGNATURE: signed with another secret, or altered on the way, answered 401]\n',
      '[UNSIGNED: without webhook-id, webhook-timestamp, webhook-signature, answered 401]\n',
      '[WRONG SIGNATURE: signed with another secret, or altered on the way, answered 401]\n',
    ])
    expect(await post(url, BODY, signed(BODY))).toBe(204)
  })

  it.each([
    ['an old timestamp', 12 * 60_000, {}, /old timestamp: signed 12m\d?s? ago, 5m are allowed/],
    ['a timestamp ahead of its clock', -3_600_000, {}, /timestamp (?:1h|59m59s) ahead, 5m are allowed/],
    ['no time', 0, { 'webhook-timestamp': 'now' }, /webhook-timestamp is not a number of seconds/],
    ['another scheme', 0, { 'webhook-signature': 'v1a,AAAA v9,x' }, /no v1 signature among v1a, v9/],
    ['no signature', 0, { 'webhook-signature': '' }, /UNSIGNED: without webhook-signature/],
    ['a hostile one', 0, { 'webhook-signature': 'v1\u009b31m,x' }, /no v1 signature among v1\\x9b31m,/],
  ])('says what is wrong with %s', async (...[, agoMs, headers, reason]) => {
    const url = await listen('--secret', SECRET)
    expect(await post(url, BODY, { ...signed(BODY, SECRET, agoMs), ...headers })).toBe(401)
    expect(stdout).toMatch(reason)
  })

  it('takes any of several signatures, as during a rotation', async () => {
    const url = await listen('--secret', SECRET)
    const headers = signed(BODY)
    const other = `v1,${randomBytes(32).toString('base64')}`
    headers['webhook-signature'] = `${other} ${headers['webhook-signature']} v1a,AAAA`
    expect(await post(url, BODY, headers)).toBe(200)
  })

  it.each(['whpk', 'whsk'])('verifies v1a with %s_', async (kind) => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const jwk = privateKey.export({ format: 'jwk' })
    const parts = [...(kind === 'whsk' ? [jwk.d ?? ''] : []), jwk.x ?? ''].map((part) => Buffer.from(part, 'base64url'))
    const url = await listen('--secret', `${kind}_${Buffer.concat(parts).toString('base64')}`)
    const headers = signed(BODY)
    const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${BODY}`
    const signature = sign(null, Buffer.from(content), privateKey)
    expect(verify(null, Buffer.from(content), publicKey, signature)).toBe(true)
    expect(await post(url, BODY, headers)).toBe(401)
    headers['webhook-signature'] += ` v1a,${signature.toString('base64')}`
    expect(await post(url, BODY, headers)).toBe(200)
    expect(await post(url, `${BODY} `, headers)).toBe(401)
  })

  it('tells a repeat after a refusal from a duplicate of what was taken', async () => {
    const url = await listen('--secret', SECRET, '--respond', '500,200')
    for (let round = 0; round < 4; round += 1) await post(url, BODY, signed(BODY))
    expect(stdout.match(/\[.*\]/g)).toEqual([
      '[verified, answered 500]',
      '[verified, try 2]',
      '[verified, DUPLICATE, time 3]',
      '[verified, DUPLICATE, time 4]',
    ])
    await post(`${url}/another/subscription`, BODY, signed(BODY))
    expect(stdout).toMatch(/\[verified\]\n$/)
  })

  it('does not remember what nobody signed', async () => {
    const url = await listen('--secret', SECRET)
    await post(url, BODY, { ...signed(BODY), 'webhook-signature': 'v1,AAAA' })
    await post(url, BODY, signed(BODY))
    expect(stdout).toMatch(/\[verified\]\n$/)
  })

  it('says that it does not verify without a secret', async () => {
    const url = await listen()
    expect(await post(url, BODY)).toBe(200)
    expect(stderr).toContain('not verified')
    expect(stdout).toMatch(/\[unverified\]\n$/)
  })

  it('answers by script, the last status from then on', async () => {
    const url = await listen('--respond', '500,503,200')
    const statuses: number[] = []
    for (let round = 0; round < 5; round += 1) statuses.push(await post(url, BODY))
    expect(statuses).toEqual([500, 503, 200, 200, 200])
    expect(stdout).toContain('[unverified, answered 500]')
  })

  it('prints bodies as they came with --json, one per line', async () => {
    const url = await listen('--json')
    await post(url, BODY)
    await post(url, JSON.stringify({ a: 'line\nbreak' }, null, 2))
    const [first, second, ...rest] = stdout.split('\n')
    expect(first).toBe(BODY)
    expect(JSON.parse(second ?? '')).toEqual({ a: 'line\nbreak' })
    expect(rest).toEqual([''])
  })

  it('escapes with --json what a terminal might obey, without changing what it says', async () => {
    const url = await listen('--json')
    const hostile = { a: 'x\u009b31m\u202ey\u2028z\u{e0041}\u007f' }
    await post(url, JSON.stringify(hostile))
    expect(stdout).toMatch(/^[\x20-\x7e]*\n$/)
    expect(JSON.parse(stdout)).toEqual(hostile)
  })

  it('is not felled by JSON that is nested without end', async () => {
    const url = await listen()
    const deep = `{"type":"t","data":{"from":${'['.repeat(200_000)}${']'.repeat(200_000)},"to":1}}`
    expect(await post(url, deep)).toBe(400)
    expect(stdout).toMatch(/^JSON nested too deeply: .{0,300}\[unverified, answered 400\]\n$/)
    expect(await post(url, BODY)).toBe(200)
  })

  it('keeps what is not an event out of --json', async () => {
    const url = await listen('--json')
    expect(await post(url, 'hello')).toBe(400)
    expect(stdout).toBe('')
    expect(stderr).toContain('not JSON: hello')
  })

  it('shows control characters of hostile fields as escapes, and cuts long ones', async () => {
    const url = await listen()
    const hostile = {
      type: 'a\u001b[2J\u0007b',
      account: 'c\r\nd',
      sequence: 1,
      subject: { id: '\u202egnp.exe' },
      data: { from: 'x'.repeat(5_000), to: '\u009b31m' },
    }
    await post(url, JSON.stringify(hostile))
    expect(stdout).toContain('a\\x1b[2J\\x07b  c\\x0d\\x0ad  \\u{202e}gnp.exe')
    expect(stdout.split('\n')).toHaveLength(2)
    expect(stdout.length).toBeLessThan(600)
  })

  it.each([
    '{}',
    '[]',
    '1',
    '"text"',
    '{"data":{"changes":[]}}',
    '{"subject":null,"data":7}',
    '{"__proto__":{"type":"x"}}',
  ])('prints %s, which is no event, and goes on', async (body) => {
    const url = await listen()
    expect(await post(url, body)).toBe(200)
    expect(stdout).toBe('(no type)  [unverified]\n')
  })

  it('refuses bodies above 1 MiB and other methods', async () => {
    const url = await listen()
    expect(await post(url, `"${'x'.repeat(1024 * 1024)}"`)).toBe(413)
    const answer = await fetch(url)
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
    expect(stdout).toBe('a body above 1 MiB  [unverified, answered 413]\n')
  })

  it('says when the port is in use', async () => {
    const url = await listen()
    const first = ended
    await expect(listen('--port', new URL(url).port)).rejects.toMatchObject({ code: 'port_in_use' })
    stopping.abort()
    await first
  })

  it.each([
    [['--port', '70000'], /port/],
    [['--port', 'x'], /port/],
    [['--secret', 'whsec_'], /whsec_/],
    [['--secret', 'whpk_AAAA'], /whpk_ \(32 bytes\)/],
    [['--respond', '200,abc'], /Statuses/],
    [['--respond', '99'], /Statuses/],
    [['--forward-to', 'localhost:3000'], /http or https/],
    [['--forward-to', 'https://a:b@x.example'], /without user/],
  ])('refuses %j', async (args, message) => {
    await expect(listen(...args)).rejects.toThrow(message)
  })
})

/** Where deliveries are forwarded to; it answers with `status` and `body`. */
async function target(status: number, body = '') {
  const requests: { readonly headers: IncomingHttpHeaders; readonly url: string; readonly body: string }[] = []
  const server = createServer(async (request, response) => {
    requests.push({ headers: request.headers, url: request.url ?? '', body: await text(request) })
    response.writeHead(status).end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  return { requests, origin: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}` }
}

describe('shipbell listen --forward-to', () => {
  it('passes on what it verified, body and headers, shows the answer and answers with it', async () => {
    const { origin, requests } = await target(503, 'later\u001b[2J')
    const url = await listen('--secret', SECRET, '--forward-to', `${origin}/hooks?a=b`)
    const headers = { ...signed(BODY), 'content-type': 'application/json', 'x-team': 'logistics', 'user-agent': 'me/1' }
    expect(await post(url, BODY, headers)).toBe(503)
    expect(requests).toMatchObject([{ url: '/hooks?a=b', body: BODY, headers }])
    expect(requests[0]?.headers.host).toBe(new URL(origin).host)
    expect(stderr).toContain(`(verifying signatures, forwarding to ${origin})`)
    const [line, answer] = stdout.split('\n')
    expect(line).toMatch(/\[verified, answered 503\]$/)
    expect(answer).toMatch(/^ {2}→ http:\/\/127\.0\.0\.1:\d+ answered 503 \(\d+ ms\): later\\x1b\[2J$/)
  })

  it('keeps to itself what is not signed, or is no JSON', async () => {
    const { origin, requests } = await target(200)
    const url = await listen('--secret', SECRET, '--forward-to', origin)
    expect(await post(url, BODY)).toBe(401)
    expect(await post(url, 'hello', signed('hello'))).toBe(400)
    expect([requests, stdout.includes('→')]).toEqual([[], false])
    expect(await post(url, BODY, signed(BODY))).toBe(200)
    expect(requests).toHaveLength(1)
  })

  it('answers 502 where nobody answers, and by its script where there is one', async () => {
    const { origin } = await target(200)
    const gone = await listen('--forward-to', 'http://127.0.0.1:1/')
    expect(await post(gone, BODY)).toBe(502)
    expect(stdout).toMatch(/ {2}→ http:\/\/127\.0\.0\.1:1 refused the connection .*\(\d+ ms\)\n$/)
    const scripted = await listen('--forward-to', origin, '--respond', '500,200')
    expect([await post(scripted, BODY), await post(scripted, BODY)]).toEqual([500, 200])
  })

  it('says with --json on the side what was answered', async () => {
    const { origin } = await target(204)
    const url = await listen('--json', '--forward-to', origin)
    expect(await post(url, BODY)).toBe(204)
    expect(stdout).toBe(`${BODY}\n`)
    expect(stderr).toMatch(/ {2}→ http:\/\/127\.0\.0\.1:\d+ answered 204 \(\d+ ms\)\n$/)
  })
})

describe('what a line says', () => {
  it('of a CloudEvent is what it says of the standard format', async () => {
    const url = await listen()
    await post(url, payloadBody(sampleEvent(), { payload: 'thin', format: 'cloudevents' }))
    expect(stdout).toBe(
      '2026-11-21T08:00:02.119Z  #1042  shipbell.shipment.status_changed  acme  Shipment Ünïcode ☃ (SHP-1) went from draft to booked.  [unverified]\n',
    )
  })

  it('of a CloudEvent in binary mode is the same', async () => {
    const url = await listen()
    const event = sampleEvent({ shipment: null, subject: { ...sampleEvent().subject, id: 'é 1' } })
    const shape = { payload: 'thin', format: 'cloudevents-binary' } as const
    await post(url, payloadBody(event, shape), cloudEventHeaders(event, { truncated: false }))
    expect(stdout).toBe(
      '2026-11-21T08:00:02.119Z  #1042  shipbell.shipment.status_changed  acme  Shipment é 1 went from draft to booked.  [unverified]\n',
    )
  })
})
