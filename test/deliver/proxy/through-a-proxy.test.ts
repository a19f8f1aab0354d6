import type { LookupAddress } from 'node:dns'
import { describe, expect, it } from 'vitest'
import type { SendOutcome } from '../../../src/deliver/channels/channel.ts'
import type { WebhookChannel } from '../../../src/model/subscription.ts'
import { issueCertificate } from '../../support/certificate.ts'
import { Dials } from '../../support/dials.ts'
import { FickleServer } from '../../support/fickle-server.ts'
import { LoopbackProxy } from '../../support/loopback-proxy.ts'
import { NEVER, onlyRequest, scripted, senderTo } from '../conformance/sending.ts'
import { sampleBatch } from '../sample-event.ts'
import { status } from '../scripted-receiver.ts'

const HOST = 'erp.example'
const AUTHORITY = issueCertificate({ name: 'Our own authority', authority: true })
const ENDPOINT = issueCertificate({ name: HOST, hosts: [HOST, '127.0.0.1'], issuer: AUTHORITY })
const TLS = { ca: AUTHORITY.cert, cert: null, key: null }

async function loopback(): Promise<readonly LookupAddress[]> {
  return await Promise.resolve([{ address: '127.0.0.1', family: 4 }])
}

interface Sending extends Partial<WebhookChannel> {
  readonly login?: string
  readonly allowUnresolved?: boolean
}

function senderThrough(proxy: LoopbackProxy, url: string, { login, allowUnresolved = false, ...about }: Sending = {}) {
  return senderTo(
    url,
    { tls: TLS, ...about, proxy: { address: proxy.address(login), allowUnresolved } },
    { resolve: loopback },
  )
}

async function send(...way: Parameters<typeof senderThrough>): Promise<SendOutcome> {
  return await senderThrough(...way).send(sampleBatch(), NEVER)
}

const errorOf = (outcome: SendOutcome): string => ('error' in outcome ? outcome.error : outcome.kind)

describe('an endpoint behind a proxy', () => {
  it.each([false, true])(
    'gets events over TLS through a tunnel, asked for by name (proxy over TLS: %s)',
    async (isTls) => {
      const receiver = await scripted(status(200), '127.0.0.1', ENDPOINT)
      const proxy = await LoopbackProxy.start(isTls ? ENDPOINT : undefined)
      const url = `https://${HOST}:${receiver.port}/hooks`
      expect(await send(proxy, url)).toMatchObject({ kind: 'delivered', status: 200 })
      expect(proxy.lines).toEqual([`CONNECT ${HOST}:${receiver.port}`])
      expect(onlyRequest(receiver)).toMatchObject({ path: '/hooks', headers: { host: `${HOST}:${receiver.port}` } })
    },
  )

  it.each([false, true])('gets events over plain HTTP, passed on one by one (proxy over TLS: %s)', async (isTls) => {
    const receiver = await scripted(status(204))
    const proxy = await LoopbackProxy.start(isTls ? ENDPOINT : undefined)
    expect(await send(proxy, `http://${HOST}:${receiver.port}/hooks?x=1`)).toMatchObject({
      kind: 'delivered',
      status: 204,
    })
    expect(proxy.lines).toEqual([`POST http://${HOST}:${receiver.port}/hooks?x=1`])
    expect(onlyRequest(receiver)).toMatchObject({ path: '/hooks?x=1', headers: { host: `${HOST}:${receiver.port}` } })
  })

  it.each(['http', 'https'])('hears nothing of the login at the proxy (%s)', async (scheme) => {
    const receiver = await scripted(status(200), '127.0.0.1', scheme === 'https' ? ENDPOINT : undefined)
    const proxy = await LoopbackProxy.start()
    proxy.login = 'bell:p@ss:w/rd'
    const login = 'bell:p%40ss%3Aw%2Frd'
    expect(await send(proxy, `${scheme}://${HOST}:${receiver.port}/`, { login })).toMatchObject({ kind: 'delivered' })
    expect(proxy.asked[0]?.authorization).toBe(`Basic ${Buffer.from('bell:p@ss:w/rd').toString('base64')}`)
    expect(Object.keys(onlyRequest(receiver).headers).filter((name) => /proxy|^authorization/.test(name))).toEqual([])
  })

  it('is sent a lost event again at once where a tunnel dies that was used before', async () => {
    const server = await FickleServer.start(({ request }) => (request === 0 ? 'answered' : 'closed'), ENDPOINT)
    const proxy = await LoopbackProxy.start()
    const sender = senderThrough(proxy, `https://${HOST}:${server.port}/`, { concurrency: 1 })
    for (let count = 0; count < 2; count += 1)
      expect(await sender.send(sampleBatch(), NEVER)).toMatchObject({ kind: 'delivered' })
    expect(proxy.lines).toHaveLength(2)
    expect(server.arrivals.map(({ connection }) => connection)).toEqual([0, 0, 1])
  })
})

const only = (address: string) => async (): Promise<readonly LookupAddress[]> =>
  await Promise.resolve([{ address, family: 4 }])
const failing = async (): Promise<never> => await Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' }))

describe('the guard', () => {
  it.each([
    [
      'a literal',
      'https://10.0.0.1/',
      loopback,
      /^Nothing was sent to https:\/\/10\.0\.0\.1 \(through the proxy http:\/\/127\.0\.0\.1:\d+\): 10\.0\.0\.1 is a private/,
    ],
    ['metadata', 'http://169.254.169.254/', loopback, /169\.254\.169\.254 is /],
    [
      'a name',
      'https://inside.example/',
      only('192.168.1.9'),
      /192\.168\.1\.9 \(an address of inside\.example\) is a private/,
    ],
    [
      'a name with one private address of two',
      'https://both.example/',
      async () =>
        await Promise.resolve([
          { address: '127.0.0.1', family: 4 },
          { address: '10.1.1.1', family: 4 },
        ]),
      /10\.1\.1\.1 \(an address of both\.example\) is a private/,
    ],
    ['a name that cannot be resolved here', 'https://nowhere.example/', failing, /cannot be resolved \(ENOTFOUND\)/],
  ])('judges %s before the proxy hears of it', async (...[, url, resolve, sentence]) => {
    const proxy = await LoopbackProxy.start()
    using dials = new Dials()
    const sender = senderTo(url, { proxy: { address: proxy.address(), allowUnresolved: false } }, { resolve })
    expect(errorOf(await sender.send(sampleBatch(), NEVER))).toMatch(sentence)
    expect([proxy.lines, dials.addresses]).toEqual([[], []])
  })

  it('lets an unresolved name pass, and no other refusal, where the subscription says so', async () => {
    const receiver = await scripted()
    const proxy = await LoopbackProxy.start()
    const through = { address: proxy.address(), allowUnresolved: true }
    const unresolved = senderTo(`http://${HOST}:${receiver.port}/`, { proxy: through }, { resolve: failing })
    expect(await unresolved.send(sampleBatch(), NEVER)).toMatchObject({ kind: 'delivered' })
    const refused = senderTo('http://inside.example/', { proxy: through }, { resolve: only('10.0.0.1') })
    expect(errorOf(await refused.send(sampleBatch(), NEVER))).toMatch(/^Nothing was sent to/)
    expect(proxy.lines).toHaveLength(1)
  })

  it('does not judge the proxy', async () => {
    const receiver = await scripted()
    const proxy = await LoopbackProxy.start()
    const context = { resolve: only('93.184.216.34'), allowNetworks: [] }
    const through = { address: proxy.address(), allowUnresolved: false }
    const sender = senderTo(`http://${HOST}:${receiver.port}/`, { proxy: through }, context)
    expect(await sender.send(sampleBatch(), NEVER)).toMatchObject({ kind: 'delivered' })
  })
})
