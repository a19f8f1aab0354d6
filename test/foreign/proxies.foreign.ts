import { describe, expect, onTestFinished, test } from 'vitest'
import type { Channel } from '../../src/deliver/channels/channel.ts'
import type { TlsSettings, WebhookChannel } from '../../src/model/subscription.ts'
import { NEVER, onlyRequest, scripted, senderTo } from '../deliver/conformance/sending.ts'
import { sampleBatch } from '../deliver/sample-event.ts'
import { status, type ScriptedReceiver } from '../deliver/scripted-receiver.ts'
import { clientOf, FIRST_PAGE } from '../platform/client-of.ts'
import { type ForeignServer, installed, unless } from './foreign-program.ts'
import { ownCertificate, type OwnCertificate } from './openssl-authority.ts'
import { startSquid, startTinyproxy } from './start-proxy.ts'

const OPENSSL = installed('openssl') ?? ''
const PAGE = status(200, { 'content-type': 'application/json' }, '[{"platform_shipment_id":"SHP-1"}]')

const PROXIES = [
  {
    name: 'Squid',
    path: installed('squid'),
    start: startSquid,
    hint: 'apt-get install squid',
    login: ['bell', 'p@ss:w/rd'],
  },
  {
    name: 'tinyproxy',
    path: installed('tinyproxy'),
    start: startTinyproxy,
    hint: 'apt-get install tinyproxy',
    login: ['bell', 'pa55w0rd'],
  },
] as const

interface World {
  readonly proxy: ForeignServer
  readonly receiver: ScriptedReceiver
  readonly url: string
  readonly tls: TlsSettings
}

function trusting({ ca }: OwnCertificate): TlsSettings {
  return { ca, cert: null, key: null }
}

type Kind = Pick<(typeof PROXIES)[number], 'path' | 'start'>

/** An endpoint and the proxy that leads to it. */
async function worldOf({ path, start }: Kind, scheme: string, login?: readonly [string, string]): Promise<World> {
  const own = ownCertificate(OPENSSL)
  const receiver = await scripted(PAGE, '127.0.0.1', scheme === 'https' ? own : undefined)
  const proxy = await start(path ?? '', { tunnels: [receiver.port], ...(login && { login }) })
  return { proxy, receiver, url: `${scheme}://localhost:${receiver.port}`, tls: trusting(own) }
}

function senderIn({ proxy, url, tls }: World, login = '', about: Partial<WebhookChannel> = {}): Channel {
  const address = `http://${login === '' ? '' : `${login}@`}127.0.0.1:${proxy.port}`
  return senderTo(`${url}/hooks`, { tls, ...about, proxy: { address, allowUnresolved: false } })
}

for (const { name, hint, login: known, ...kind } of PROXIES) {
  const encoded = known.map(encodeURIComponent).join(':')

  describe.skipIf(kind.path === null || OPENSSL === '')(`through ${name}${unless(kind.path, hint)}`, () => {
    test.each(['http', 'https'])('an event is delivered over %s', async (scheme) => {
      const there = await worldOf(kind, scheme)
      const channel = senderIn(there)
      for (let count = 0; count < 3; count += 1)
        expect(await channel.send(sampleBatch(), NEVER)).toMatchObject({ kind: 'delivered' })
      expect(there.receiver.requests[0]).toMatchObject({ path: '/hooks', headers: { host: there.url.split('//')[1] } })
    })

    test.each(['http', 'https'])('a platform is read over %s', async (scheme) => {
      const { proxy, url, tls, receiver } = await worldOf(kind, scheme, known)
      const address = `http://${encoded}@127.0.0.1:${proxy.port}`
      const client = clientOf(url, { tls, proxy: { address, allowUnresolved: true } })
      onTestFinished(async () => await client[Symbol.asyncDispose]())
      expect(await client.list('shipment', FIRST_PAGE)).toMatchObject({ kind: 'ok' })
      expect(receiver.requests.map(({ headers }) => headers.authorization)).toEqual([expect.stringMatching(/^Bearer /)])
    })

    test.each(['http', 'https'])('a login lets an event through over %s, and goes no further', async (scheme) => {
      const there = await worldOf(kind, scheme, known)
      expect(await senderIn(there, encoded).send(sampleBatch(), NEVER)).toMatchObject({ kind: 'delivered' })
      expect(onlyRequest(there.receiver).headers).not.toHaveProperty('proxy-authorization')
    })

    test.each(['http', 'https'])('a wrong login, or none, is told over %s', async (scheme) => {
      const there = await worldOf(kind, scheme, known)
      for (const login of ['', 'bell:wrong'])
        expect(await senderIn(there, login).send(sampleBatch(), NEVER)).toMatchObject({
          kind: 'failed',
          status: null,
          answer: null,
          error: expect.stringMatching(
            /^The proxy http:\/\/127\.0\.0\.1:\d+ asks for a login, or for another one \(40[17]\)/,
          ),
        })
      expect(there.receiver.requests).toEqual([])
    })

    test('a port that it opens no tunnel to is told', async () => {
      const there = await worldOf(kind, 'https')
      const closed = await scripted(status(200))
      const url = `https://localhost:${closed.port}`
      expect(await senderIn({ ...there, url }).send(sampleBatch(), NEVER)).toMatchObject({
        error: expect.stringMatching(/^The proxy \S+ does not let Shipbell through to \S+ \(403\)/),
      })
    })

    test.each(['http', 'https'])('an endpoint that is not there is told over %s', async (scheme) => {
      const there = await worldOf(kind, scheme)
      await there.receiver[Symbol.asyncDispose]()
      const outcome = await senderIn(there).send(sampleBatch(), NEVER)
      expect(outcome).toMatchObject({
        status: null,
        error: expect.stringMatching(/^The proxy \S+ did not get through to \S+ \(50\d\)/),
      })
    })

    test.each(['http', 'https'])(
      'an event goes through over %s after the proxy was killed, and told of while it is away',
      async (scheme) => {
        const there = await worldOf(kind, scheme)
        const channel = senderIn(there)
        expect(await channel.send(sampleBatch(), NEVER)).toMatchObject({ kind: 'delivered' })
        await there.proxy.kill()
        expect(await channel.send(sampleBatch(), NEVER)).toMatchObject({
          kind: 'failed',
          error: expect.stringContaining('cannot be reached (ECONNREFUSED)'),
        })
        await there.proxy.start()
        expect(await channel.send(sampleBatch(), NEVER)).toMatchObject({ kind: 'delivered' })
      },
    )

    test('a tunnel that dies between two events costs nothing', async () => {
      const there = await worldOf(kind, 'https')
      const channel = senderIn(there, '', { concurrency: 1 })
      expect(await channel.send(sampleBatch(), NEVER)).toMatchObject({ kind: 'delivered' })
      await there.proxy.kill()
      await there.proxy.start()
      expect(await channel.send(sampleBatch(), NEVER)).toMatchObject({ kind: 'delivered' })
    })
  })
}
