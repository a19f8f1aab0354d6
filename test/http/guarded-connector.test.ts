import type { LookupAddress } from 'node:dns'
import { Svix } from 'svix'
import { Agent, fetch, Pool, type buildConnector } from 'undici'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { connector } from '../../src/http/connector.ts'
import { AddressRefused } from '../../src/http/direct.ts'
import type { Resolve } from '../../src/http/names/name-resolver.ts'
import { OpenSockets } from '../../src/http/open-sockets.ts'
import { judgeAddress } from '../../src/model/address/judge-address.ts'
import { Dials } from '../support/dials.ts'
import { ScriptedReceiver, status } from '../deliver/scripted-receiver.ts'

interface Dial {
  readonly origin: string
  readonly allowNetworks?: readonly string[]
  readonly resolve?: Resolve
}

let receiver: ScriptedReceiver

beforeEach(async () => {
  receiver = await ScriptedReceiver.start()
})

afterEach(async () => {
  await receiver[Symbol.asyncDispose]()
})

function guardedConnector(allowNetworks: readonly string[], resolve?: Resolve): buildConnector.connector {
  return connector({
    guard: (address) => judgeAddress(address, allowNetworks),
    clock: systemClock,
    timeoutMs: 5_000,
    sockets: new OpenSockets(),
    resolve,
  })
}

/** The status, or why there was none. */
async function dial({ origin, allowNetworks = [], resolve }: Dial): Promise<number | string> {
  const pool = new Pool(origin, { connect: guardedConnector(allowNetworks, resolve) })
  try {
    const { statusCode, body } = await pool.request({ method: 'POST', path: '/' })
    await body.dump()
    return statusCode
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    await pool.destroy()
  }
}

function answering(...addresses: readonly LookupAddress[]): Resolve {
  return async () => await Promise.resolve(addresses)
}

const failing: Resolve = async () => await Promise.reject(new Error('getaddrinfo ENOTFOUND'))

describe('dialling through the guard', () => {
  it('asks the system, unless told otherwise, and judges its answer', async () => {
    const origin = `http://localhost:${receiver.port}`
    expect(await dial({ origin })).toMatch(/ \(an address of localhost\) is a loopback address/)
    expect(receiver.requests).toHaveLength(0)
    expect(await dial({ origin, allowNetworks: ['127.0.0.0/8'] })).toBe(200)
  })

  it('dials a literal that allow_networks names', async () => {
    expect(await dial({ origin: receiver.url, allowNetworks: ['127.0.0.0/8'] })).toBe(200)
  })

  it('refuses what the resolver gives and is no address', async () => {
    const resolve = answering({ address: 'localhost', family: 4 }, { address: 'fe80::1%lo', family: 6 })
    expect(await dial({ origin: 'http://odd.example', resolve })).toBe(
      'localhost (an address of odd.example) is not an IP address',
    )
  })

  it('says that a name has no address', async () => {
    const origin = 'http://nowhere.example'
    expect(await dial({ origin, resolve: answering() })).toBe('nowhere.example is not known to DNS')
    expect(await dial({ origin, resolve: failing })).toBe('getaddrinfo ENOTFOUND')
  })
})

/** A fetch for clients that take one, such as that of `svix`: the guard under it, no redirect followed. */
function guardedFetch(dispatcher: Agent): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    const { method, url, signal } = request
    const answer = await fetch(url, {
      method,
      headers: [...request.headers],
      body: method === 'GET' ? null : await request.text(),
      signal,
      redirect: 'manual',
      dispatcher,
    })
    return new Response(await answer.text(), { status: answer.status, headers: [...answer.headers] })
  }
}

describe('fetch through the guard', () => {
  let dispatcher: Agent

  beforeEach(() => {
    dispatcher = new Agent({ connect: guardedConnector(['127.0.0.1/32']) })
  })

  afterEach(async () => {
    await dispatcher.destroy()
  })

  async function sendBySvix(serverUrl: string): Promise<unknown> {
    const svix = new Svix('token', { serverUrl, fetch: guardedFetch(dispatcher), retryScheduleInMs: [] })
    const message = { eventType: 'shipment.created', payload: {} }
    return await svix.message.create('app', message).catch((error: unknown) => error)
  }

  it('judges every hop, so that even a redirect that is followed leads nowhere', async () => {
    await using inside = await ScriptedReceiver.start(undefined, '127.0.0.3')
    receiver.answer = status(302, { location: `http://127.0.0.3:${inside.port}/` })
    const failure: unknown = await fetch(receiver.url, { dispatcher }).catch((error: unknown) => error)
    expect(failure).toHaveProperty('cause', expect.any(AddressRefused))
    expect(inside.requests).toHaveLength(0)
  })

  it('serves a client that takes a fetch of its own', async () => {
    receiver.answer = status(202, { 'content-type': 'application/json' }, '{"id":"msg_1"}')
    expect(await sendBySvix(receiver.url)).toMatchObject({ id: 'msg_1' })
    expect(receiver.requests[0]).toMatchObject({
      method: 'POST',
      path: expect.stringMatching(/^\/api\/v1\/app\/app\/msg/),
    })
    receiver.answer = status(307, { location: `http://127.0.0.1:${receiver.port}/elsewhere` })
    expect(await sendBySvix(receiver.url)).toMatchObject({ code: 307 })
    expect(receiver.requests).toHaveLength(2)
    using dials = new Dials()
    expect(await sendBySvix(`http://127.0.0.3:${receiver.port}`)).toHaveProperty('cause', expect.any(AddressRefused))
    expect(dials.addresses).toEqual([])
  })
})
