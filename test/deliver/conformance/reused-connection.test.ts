import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import type { Channel, SendOutcome } from '../../../src/deliver/channels/channel.ts'
import { issueCertificate } from '../../support/certificate.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { type Arrival, type Fate, type FateOf, FickleServer } from '../../support/fickle-server.ts'
import { sampleBatch } from '../sample-event.ts'
import { NEVER, senderTo } from './sending.ts'

const AUTHORITY = issueCertificate({ name: 'Our own authority', authority: true })
const ENDPOINT = issueCertificate({ name: 'endpoint', hosts: ['127.0.0.1'], issuer: AUTHORITY })

const WIRES = ['http', 'https'] as const
type Wire = (typeof WIRES)[number]

interface About {
  readonly wire: Wire
  readonly fateOf: FateOf
  readonly channel?: Parameters<typeof senderTo>[1]
  readonly clock?: FakeClock
}

async function endpoint({ wire, fateOf, channel, clock = new FakeClock() }: About): Promise<Endpoint> {
  const server = await FickleServer.start(fateOf, wire === 'http' ? null : ENDPOINT)
  const tls = wire === 'http' ? null : { ca: AUTHORITY.cert, cert: null, key: null }
  return { server, sender: senderTo(`${wire}://127.0.0.1:${server.port}`, { tls, ...channel }, { clock }) }
}

interface Endpoint {
  readonly server: FickleServer
  readonly sender: Channel
}

/** The first request on a connection is answered, a later one meets its fate. */
const reusedIs =
  (fate: Fate): FateOf =>
  ({ request }) =>
    request === 0 ? 'answered' : fate

const onlyTheFirstIsAnswered: FateOf = ({ connection, request }) => (connection + request === 0 ? 'answered' : 'closed')

/** Once a connection on which an answer came may be used again. */
async function send(sender: Channel): Promise<SendOutcome> {
  for (let turn = 0; turn < 3; turn += 1) await nextTurn()
  return await sender.send(sampleBatch(), NEVER)
}

const places = ({ arrivals }: FickleServer): readonly string[] =>
  arrivals.map(({ connection, request }) => `${connection}.${request}`)

const signed = ({ text }: Arrival): readonly (string | undefined)[] =>
  ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    new RegExp(`\r\n${name}: (.*)\r\n`).exec(text)?.at(1),
  )

describe.each(WIRES)('a connection that is used again over %s', (wire) => {
  it.each<Fate>(['closed', 'cut', 'reset', 'read and closed'])(
    'and is %s before any byte of an answer is replaced within the attempt',
    async (fate) => {
      const { server, sender } = await endpoint({ wire, fateOf: reusedIs(fate) })
      await send(sender)
      expect(await send(sender)).toMatchObject({ kind: 'delivered', status: 200 })
      expect(places(server)).toEqual(['0.0', '0.1', '1.0'])
    },
  )

  it('has the message repeated as it was', async () => {
    const { server, sender } = await endpoint({ wire, fateOf: reusedIs('read and closed') })
    await send(sender)
    await send(sender)
    const [, lost, repeated] = server.arrivals.map(signed)
    expect(lost).toEqual([expect.any(String), expect.any(String), expect.any(String)])
    expect(repeated).toEqual(lost)
  })

  it('and its successor dies, too, has failed', async () => {
    const { server, sender } = await endpoint({ wire, fateOf: onlyTheFirstIsAnswered })
    await send(sender)
    const error = expect.stringMatching(/ closed the connection without an answer \(\w+\)$/)
    expect(await send(sender)).toMatchObject({ kind: 'failed', error })
    expect(places(server)).toEqual(['0.0', '0.1', '1.0'])
  })

  it('has failed once a byte of an answer came', async () => {
    const { server, sender } = await endpoint({ wire, fateOf: reusedIs('answered with one byte') })
    await send(sender)
    expect(await send(sender)).toMatchObject({ kind: 'failed', status: null })
    expect(places(server)).toEqual(['0.0', '0.1'])
  })

  it('is replaced by a fresh one, not by another that has been idle', async () => {
    const { server, sender } = await endpoint({ wire, fateOf: reusedIs('closed'), channel: { concurrency: 2 } })
    await Promise.all([send(sender), send(sender)])
    expect(server.sockets).toHaveLength(2)
    expect(await send(sender)).toMatchObject({ kind: 'delivered' })
    expect(server.sockets).toHaveLength(3)
    expect(server.arrivals.filter(({ connection, request }) => connection < 2 && request > 0)).toHaveLength(1)
  })

  it('keeps to the connections that are allowed', async () => {
    const { server, sender } = await endpoint({ wire, fateOf: reusedIs('closed'), channel: { concurrency: 1 } })
    await send(sender)
    const outcomes = await Promise.all([send(sender), send(sender), send(sender)])
    expect(outcomes.map(({ kind }) => kind)).toEqual(['delivered', 'delivered', 'delivered'])
    // Each of the three was lost once with the connection before it, but the first of a connection.
    expect(places(server)).toEqual(['0.0', '0.1', '1.0', '1.1', '2.0', '2.1', '3.0'])
  })

  it('has the one deadline of the attempt for both', async () => {
    const clock = new FakeClock()
    const fresh = Promise.withResolvers<void>()
    const fateOf: FateOf = ({ connection, request }) => {
      if (connection === 1) fresh.resolve()
      return connection === 1 ? 'never answered' : request === 0 ? 'answered' : 'closed'
    }
    const { server, sender } = await endpoint({ wire, fateOf, channel: { timeoutMs: 3_000 }, clock })
    await send(sender)
    const second = send(sender)
    await fresh.promise
    await clock.advance(3_000)
    expect(await second).toMatchObject({ kind: 'failed', error: expect.stringContaining('did not answer within 3s') })
    expect(places(server)).toEqual(['0.0', '0.1', '1.0'])
  })

  it('leaves a first connection that dies a failure', async () => {
    const { server, sender } = await endpoint({ wire, fateOf: () => 'closed' })
    expect(await send(sender)).toMatchObject({ kind: 'failed', status: null })
    expect(places(server)).toEqual(['0.0'])
  })

  it('is used for 800 ms after an answer, and no longer', async () => {
    const { server, sender } = await endpoint({ wire, fateOf: () => 'answered' })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      await send(sender)
      await nextTurn()
      await vi.advanceTimersByTimeAsync(799)
      await send(sender)
      await nextTurn()
      expect(places(server)).toEqual(['0.0', '0.1'])
      const [socket] = server.sockets
      if (socket === undefined) throw new Error('no connection')
      const closed = once(socket, 'close')
      await vi.advanceTimersByTimeAsync(800)
      await closed
      expect(await send(sender)).toMatchObject({ kind: 'delivered' })
      expect(places(server)).toEqual(['0.0', '0.1', '1.0'])
    } finally {
      vi.useRealTimers()
    }
  })
})
