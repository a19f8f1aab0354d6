import type { TlsOptions } from 'node:tls'
import { createServer } from 'node:https'
import { once } from 'node:events'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { PlatformClientOptions } from '../../src/platform/client.ts'
import { issueCertificate } from '../support/certificate.ts'
import { LoopbackProxy } from '../support/loopback-proxy.ts'
import { clientOf, FIRST_PAGE } from './client-of.ts'
import { loopback } from './loopback.ts'

const HOST = 'platform.example'
const AUTHORITY = issueCertificate({ name: 'Our own authority', authority: true })
const PLATFORM = issueCertificate({ name: HOST, hosts: [HOST, '127.0.0.1'], issuer: AUTHORITY })
const CLIENT = issueCertificate({ name: 'shipbell', issuer: AUTHORITY })
const TLS = { ca: AUTHORITY.cert, cert: null, key: null }
const PAGE = JSON.stringify([{ platform_shipment_id: 'SHP-1' }])

async function platform(status = 200): Promise<{ readonly port: number; readonly headers: object[] }> {
  const headers: object[] = []
  const server = await loopback((request, response) => {
    headers.push(request.headers)
    response.writeHead(status).end(PAGE)
  })
  onTestFinished(async () => await server[Symbol.asyncDispose]())
  return { port: server.port, headers }
}

async function tlsPlatform(options: TlsOptions): Promise<number> {
  const server = createServer(options, (_, response) => response.end(PAGE)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

async function list(baseUrl: string, options: Partial<PlatformClientOptions>) {
  const client = clientOf(baseUrl, options)
  onTestFinished(async () => await client[Symbol.asyncDispose]())
  return await client.list('shipment', FIRST_PAGE)
}

const through = (proxy: LoopbackProxy, login?: string) => ({
  proxy: { address: proxy.address(login), allowUnresolved: true },
})

const resolve = async (): Promise<never> => await Promise.reject(new Error('not to be asked'))

describe('a platform behind a proxy', () => {
  test('is read by its name, which nobody looks up here, over TLS', async () => {
    const port = await tlsPlatform(PLATFORM)
    const proxy = await LoopbackProxy.start()
    const way = { ...through(proxy), tls: TLS, resolve }
    expect(await list(`https://${HOST}:${port}`, way)).toMatchObject({ kind: 'ok' })
    expect(proxy.lines).toEqual([`CONNECT ${HOST}:${port}`])
  })

  test('is read over plain HTTP, its key seen by both and the login by the proxy alone', async () => {
    const { port, headers } = await platform()
    const proxy = await LoopbackProxy.start()
    proxy.login = 'bell:pa55-w0rd'
    expect(await list(`http://${HOST}:${port}/api`, through(proxy, proxy.login))).toMatchObject({ kind: 'ok' })
    expect(proxy.lines).toEqual([`GET http://${HOST}:${port}/api/v1/shipments?skip=0&take=100`])
    expect(headers[0]).toMatchObject({ host: `${HOST}:${port}`, authorization: expect.stringContaining('Bearer') })
    expect(headers[0]).not.toHaveProperty('proxy-authorization')
  })

  test.each([
    [
      'HTTP/1.1 403 Forbidden\r\nx-squid-error: ERR_ACCESS_DENIED 0\r\ncontent-length: 0\r\n\r\n',
      /does not let Shipbell through to platform\.example:\d+ \(403\)/,
    ],
    ['HTTP/1.1 407 No\r\ncontent-length: 0\r\n\r\n', /asks for a login, or for another one \(407\)/],
    [
      'HTTP/1.1 503 No\r\nserver: squid\r\nretry-after: 86400\r\ncontent-length: 0\r\n\r\n',
      /did not get through to platform\.example:\d+ \(503\)/,
    ],
  ])('is unreachable, and has refused no key, where the proxy says %j', async (says, sentence) => {
    const proxy = await LoopbackProxy.start()
    proxy.manner = { says }
    for (const scheme of ['http', 'https'])
      expect(await list(`${scheme}://${HOST}:99`, through(proxy))).toMatchObject({
        kind: 'unreachable',
        reason: expect.stringMatching(sentence),
        exchange: { status: null },
      })
  })

  test('refuses a key with its own 403', async () => {
    const { port } = await platform(403)
    const proxy = await LoopbackProxy.start()
    expect(await list(`http://${HOST}:${port}`, through(proxy))).toMatchObject({ exchange: { status: 403 } })
  })

  test('is not reached where the proxy is not there, or hangs', async () => {
    const absent = { address: 'http://127.0.0.1:1', allowUnresolved: true }
    expect(await list(`https://${HOST}`, { proxy: absent })).toMatchObject({
      reason:
        'The proxy http://127.0.0.1:1 cannot be reached (ECONNREFUSED): correct its address, or start it (GET /v1/shipments?skip=0&take=100).',
    })
    const proxy = await LoopbackProxy.start()
    proxy.manner = 'hangs'
    expect(await list(`https://${HOST}`, { ...through(proxy), timeoutMs: 50 })).toMatchObject({
      reason: `${HOST} (through the proxy ${proxy.origin}) did not complete an answer to GET /v1/shipments?skip=0&take=100 within 50ms.`,
    })
  })
})

describe('the tls of an account', () => {
  test('names the authority of the platform, which nobody else vouches for', async () => {
    const port = await tlsPlatform(PLATFORM)
    expect(await list(`https://127.0.0.1:${port}`, { tls: TLS })).toMatchObject({ kind: 'ok' })
    expect(await list(`https://127.0.0.1:${port}`, {})).toMatchObject({
      reason: expect.stringMatching(/unknown authority .* where the authority is your own, name it in tls\.ca\.$/),
    })
  })

  test('shows a client certificate', async () => {
    const port = await tlsPlatform({ ...PLATFORM, ca: AUTHORITY.cert, requestCert: true, rejectUnauthorized: true })
    const shown = { ...TLS, cert: CLIENT.cert, key: CLIENT.key }
    expect(await list(`https://127.0.0.1:${port}`, { tls: shown })).toMatchObject({ kind: 'ok' })
    expect(await list(`https://127.0.0.1:${port}`, { tls: TLS })).toMatchObject({ kind: 'unreachable' })
  })
})
