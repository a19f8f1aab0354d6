import { once } from 'node:events'
import { createServer } from 'node:net'
import type { LookupAddress } from 'node:dns'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { SendOutcome } from '../../../src/deliver/channels/channel.ts'
import { remedyOf } from '../../../src/report/remedy.ts'
import { issueCertificate } from '../../support/certificate.ts'
import { LoopbackProxy } from '../../support/loopback-proxy.ts'
import { NEVER, scripted, senderTo } from '../conformance/sending.ts'
import { sampleBatch } from '../sample-event.ts'
import { status } from '../scripted-receiver.ts'

const HOST = 'erp.example'
const PAGE = '<html>Welcome to the hotel</html>'

async function loopback(): Promise<readonly LookupAddress[]> {
  return await Promise.resolve([{ address: '127.0.0.1', family: 4 }])
}

async function send(address: string, url: string, timeoutMs = 5_000): Promise<SendOutcome> {
  const proxy = { address, allowUnresolved: false }
  return await senderTo(url, { proxy, timeoutMs }, { resolve: loopback }).send(sampleBatch(), NEVER)
}

const head = (line: string, ...headers: readonly string[]): string =>
  [`HTTP/1.1 ${line}`, ...headers, '', ''].join('\r\n')
const page = (line: string, ...headers: readonly string[]): string =>
  head(line, `content-length: ${PAGE.length}`, ...headers) + PAGE

describe.each(['https', 'http'])('through a proxy to %s, what goes wrong is told apart', (scheme) => {
  const target = `${scheme}://${HOST}:9999`
  it.each([
    [
      'wants a login',
      page('407 No'),
      /^The proxy PROXY asks for a login, or for another one \(407\): correct user/,
      /login/,
    ],
    [
      'refuses',
      page('403 Forbidden', 'x-squid-error: ERR_ACCESS_DENIED 0'),
      /^The proxy PROXY does not let Shipbell through to TARGET \(403\)/,
      /proxy to allow/,
    ],
    [
      'refuses the port',
      page('403 Filtered', 'server: tinyproxy/1.11.1'),
      /^The proxy PROXY does not let/,
      /proxy to allow/,
    ],
    [
      'does not get through',
      page('503 No', 'proxy-status: p; error=dns_error'),
      /^The proxy PROXY did not get through to TARGET \(503\)/,
      /proxy's log/,
    ],
    [
      'is a gateway with a bad one',
      page('502 Bad', 'server: squid/5.7'),
      /^The proxy PROXY did not get through to TARGET \(502\)/,
      /proxy's log/,
    ],
  ])('one that %s', async (...[, says, sentence, remedy]) => {
    const proxy = await LoopbackProxy.start()
    proxy.manner = { says }
    const outcome = await send(proxy.address('bell:secretPassw0rd'), `${target}/hooks`)
    expect(outcome).toMatchObject({ kind: 'failed', status: null, answer: null, retryAfterMs: null })
    const error = 'error' in outcome ? outcome.error : ''
    expect(error.replace(proxy.origin, 'PROXY').replace(target, 'TARGET')).toMatch(sentence)
    expect(error).not.toContain('secretPassw0rd')
    expect(remedyOf({ subscription: 'erp', status: null, error })).toMatch(remedy)
  })

  it('one that is not there', async () => {
    const outcome = await send('http://127.0.0.1:1', `${target}/`)
    const error = 'error' in outcome ? outcome.error : ''
    expect(error).toBe(
      'The proxy http://127.0.0.1:1 cannot be reached (ECONNREFUSED): correct its address, or start it',
    )
    expect(remedyOf({ subscription: 'erp', status: null, error })).toContain('`proxy` of `erp`')
  })

  it('one that never answers ends with the attempt, and is named', async () => {
    const proxy = await LoopbackProxy.start()
    proxy.manner = 'hangs'
    expect(await send(proxy.address(), `${target}/`, 100)).toMatchObject({
      kind: 'failed',
      error: `${target} (through the proxy ${proxy.origin}) did not answer within 100ms`,
    })
  })

  it('one whose certificate nobody vouches for', async () => {
    const proxy = await LoopbackProxy.start(issueCertificate({ name: 'proxy', hosts: ['127.0.0.1'] }))
    expect(await send(proxy.address(), `${target}/`)).toMatchObject({
      error: expect.stringMatching(
        /^No TLS connection to the proxy https:\/\/127\.0\.0\.1:\d+ came about \(DEPTH_ZERO/,
      ),
    })
  })
})

describe('a proxy that is asked for a tunnel and', () => {
  it.each([
    ['hangs up', 'hangs up', /^The proxy PROXY closed the connection before it had got through to TARGET/],
    ['answers with a page', { says: page('200 OK') }, /^What answers at PROXY is no HTTP proxy \(200\)/],
    ['answers no HTTP', { says: 'SSH-2.0-OpenSSH_9.2\r\n' }, /^What answers at PROXY is no HTTP proxy \(HPE_/],
    [
      'sends a megabyte of headers',
      { says: head('200 OK', ...Array.from({ length: 1_000 }, (_, at) => `x-${at}: ${'x'.repeat(1_000)}`)) },
      /^What answers at PROXY is no HTTP proxy \(HPE_HEADER_OVERFLOW\)/,
    ],
    [
      'sends thousands of headers',
      { says: head('200 OK', ...Array.from({ length: 20_000 }, () => 'x:')) },
      /^What answers at PROXY is no HTTP proxy \(HPE_HEADER_OVERFLOW\)/,
    ],
    [
      'redirects',
      { says: head('302 Found', 'location: http://169.254.169.254/') },
      /^The proxy PROXY does not let Shipbell through to TARGET \(302\)/,
    ],
    [
      'has only heard of HTTP',
      { says: page('405 Method Not Allowed') },
      /^The proxy PROXY does not let Shipbell through to TARGET \(405\)/,
    ],
  ] as const)('%s is said to do so', async (_, manner, sentence) => {
    const proxy = await LoopbackProxy.start()
    proxy.manner = manner
    const outcome = await send(proxy.address(), `https://${HOST}:9999/`)
    const error = 'error' in outcome ? outcome.error : ''
    expect(error.replace(proxy.origin, 'PROXY').replace(`https://${HOST}:9999`, 'TARGET')).toMatch(sentence)
    expect(outcome).toMatchObject({ kind: 'failed', status: null, answer: null })
  })

  it('drips its answer is cut at the deadline, and its connection closed', async () => {
    const closed = Promise.withResolvers<void>()
    const server = createServer((socket) => {
      const drip = setInterval(() => socket.write('H'), 5)
      socket
        .on('error', () => undefined)
        .on('close', () => {
          clearInterval(drip)
          closed.resolve()
        })
      socket.write('HTTP/1.1 200 OK\r\nx: ')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const outcome = await send(`http://127.0.0.1:${port}`, `https://${HOST}/`, 100)
    expect(outcome).toMatchObject({ error: expect.stringMatching(/did not answer within 100ms$/) })
    await closed.promise
  })

  it('opens it is not blamed for what the endpoint answers', async () => {
    const authority = issueCertificate({ name: 'a', authority: true })
    const endpoint = issueCertificate({ name: HOST, hosts: [HOST], issuer: authority })
    const receiver = await scripted(status(407, { server: 'squid/5.7' }, 'mine'), '127.0.0.1', endpoint)
    const proxy = { address: (await LoopbackProxy.start()).address(), allowUnresolved: false }
    const tls = { ca: authority.cert, cert: null, key: null }
    const sender = senderTo(`https://${HOST}:${receiver.port}/`, { proxy, tls }, { resolve: loopback })
    expect(await sender.send(sampleBatch(), NEVER)).toMatchObject({ kind: 'failed', status: 407, answer: 'mine' })
  })
})

it('an endpoint behind a proxy keeps what it says with an error status', async () => {
  const receiver = await scripted(status(503, { 'retry-after': '7' }, 'busy'))
  const proxy = await LoopbackProxy.start()
  expect(await send(proxy.address(), `http://${HOST}:${receiver.port}/`)).toMatchObject({
    kind: 'failed',
    status: 503,
    answer: 'busy',
    retryAfterMs: 7_000,
  })
})
