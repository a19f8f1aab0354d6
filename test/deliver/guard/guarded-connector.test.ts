import type { LookupAddress } from 'node:dns'
import { Pool } from 'undici'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { guardedConnector, type Resolve } from '../../../src/deliver/guard/guarded-connector.ts'
import { ScriptedReceiver } from '../scripted-receiver.ts'

interface Dial {
  readonly origin: string
  readonly allowNetworks?: readonly string[]
  readonly resolve?: Resolve
}

let canary: ScriptedReceiver

beforeEach(async () => {
  canary = await ScriptedReceiver.start(undefined, '0.0.0.0')
})

afterEach(async () => {
  await canary[Symbol.asyncDispose]()
})

/** The status, or why there was none. */
async function dial({ origin, allowNetworks = [], resolve }: Dial): Promise<number | string> {
  const connect = guardedConnector({ allowNetworks, timeoutMs: 5_000, ...(resolve === undefined ? {} : { resolve }) })
  const pool = new Pool(origin, { connect })
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

function answering(addresses: readonly LookupAddress[]): Resolve {
  return async () => await Promise.resolve(addresses)
}

const unresolvable: Resolve = async () => await Promise.reject(new Error('getaddrinfo ENOTFOUND'))

const v4 = (address: string): LookupAddress => ({ address, family: 4 })

describe('dialling through the guard', () => {
  it.each([
    ['127.0.0.1', /^127\.0\.0\.1 is a loopback address/],
    ['127.0.0.1.', /^127\.0\.0\.1 is a loopback/],
    ['2130706433', /^127\.0\.0\.1 is a loopback/],
    ['0x7f.1', /^127\.0\.0\.1 is a loopback/],
    ['0x7f000001', /^127\.0\.0\.1 is a loopback/],
    ['017700000001', /^127\.0\.0\.1 is a loopback/],
    ['0177.0.0.1', /^127\.0\.0\.1 is a loopback/],
    ['127.1', /^127\.0\.0\.1 is a loopback/],
    ['127.0.1', /^127\.0\.0\.1 is a loopback/],
    ['１２７.0.0.1', /^127\.0\.0\.1 is a loopback/],
    ['%31%32%37.0.0.1', /^127\.0\.0\.1 is a loopback/],
    ['0', /^0\.0\.0\.0 is an unspecified address/],
    ['0.0.0.0', /^0\.0\.0\.0 is an unspecified/],
    ['[::1]', /^::1 is a loopback/],
    ['[0:0:0:0:0:0:0:1]', /^::1 is a loopback/],
    ['[::]', /^:: is an unspecified/],
    ['[::ffff:127.0.0.1]', /^::ffff:7f00:1 is a loopback/],
    ['[::ffff:7f00:1]', /^::ffff:7f00:1 is a loopback/],
    ['[::127.0.0.1]', /^::7f00:1 is a loopback/],
    ['[64:ff9b::7f00:1]', /is a loopback/],
    ['[2002:7f00:1::]', /is a loopback/],
    ['localhost', /an address of localhost\) is a loopback/],
    ['LOCALHOST', /an address of localhost\) is a loopback/],
  ])('refuses %s in one sentence and reaches nothing', async (host, sentence) => {
    expect(await dial({ origin: `http://${host}:${canary.port}` })).toMatch(sentence)
    expect(canary.requests).toHaveLength(0)
  })

  it.each(['169.254.169.254', '[fd00:ec2::254]', '[::ffff:a9fe:a9fe]'])(
    'refuses %s even where everything is opened',
    async (host) => {
      expect(await dial({ origin: `http://${host}`, allowNetworks: ['0.0.0.0/0', '::/0'] })).toMatch(/metadata/)
    },
  )

  it('dials what allow_networks names', async () => {
    const allowNetworks = ['127.0.0.0/8']
    expect(await dial({ origin: canary.url, allowNetworks })).toBe(200)
    expect(await dial({ origin: `http://localhost:${canary.port}`, allowNetworks })).toBe(200)
  })

  it('refuses a name that resolves to a closed address', async () => {
    const resolve = answering([v4('10.1.2.3'), v4('192.168.0.1')])
    const origin = `http://innocent.example:${canary.port}`
    expect(await dial({ origin, resolve })).toMatch(
      /^10\.1\.2\.3 \(an address of innocent\.example\) is a private address/,
    )
  })

  it('dials only the allowed ones of the addresses of a name', async () => {
    await using allowed = await ScriptedReceiver.start(undefined, '127.0.0.2')
    const resolve = answering([v4('127.0.0.1'), v4('127.0.0.2')])
    const origin = `http://mixed.example:${allowed.port}`
    expect(await dial({ origin, resolve, allowNetworks: ['127.0.0.2/32'] })).toBe(200)
    expect(allowed.requests).toHaveLength(1)
  })

  it('resolves once per connection, so an answer that rebinds reaches nothing', async () => {
    await using allowed = await ScriptedReceiver.start(undefined, '127.0.0.2')
    const answers = [[v4('127.0.0.2')], [v4('127.0.0.1')]]
    const asked: string[] = []
    const resolve: Resolve = async (hostname) => {
      asked.push(hostname)
      return await Promise.resolve(answers[asked.length - 1] ?? [])
    }
    const origin = `http://rebind.example:${allowed.port}`
    expect(await dial({ origin, resolve, allowNetworks: ['127.0.0.2/32'] })).toBe(200)
    expect(asked).toEqual(['rebind.example'])
    expect(await dial({ origin, resolve, allowNetworks: ['127.0.0.2/32'] })).toMatch(/^127\.0\.0\.1 \(an address of/)
    expect(await dial({ origin, resolve, allowNetworks: ['127.0.0.2/32'] })).toMatch(/not known to DNS/)
  })

  it('passes on what the resolver says', async () => {
    expect(await dial({ origin: 'http://nowhere.example', resolve: unresolvable })).toBe('getaddrinfo ENOTFOUND')
  })
})
