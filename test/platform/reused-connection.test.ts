import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { PlatformClient } from '../../src/platform/platform.ts'
import { type Fate, FickleServer } from '../support/fickle-server.ts'
import { clientOf, FIRST_PAGE } from './client-of.ts'

/** The first request on a connection is answered, a later one meets its fate. */
async function platform(fate: Fate): Promise<{ server: FickleServer; client: PlatformClient }> {
  const server = await FickleServer.start(({ request }) => (request === 0 ? 'answered' : fate))
  const client = clientOf(`http://127.0.0.1:${server.port}`)
  onTestFinished(async () => await client[Symbol.asyncDispose]())
  return { server, client }
}

/** Reads once, and waits until the connection may be used again. */
async function learn(client: PlatformClient): Promise<void> {
  await client.list('shipment', FIRST_PAGE)
  for (let turn = 0; turn < 3; turn += 1) await nextTurn()
}

const asked = ({ arrivals }: FickleServer): readonly string[] =>
  arrivals.map(({ connection, request, text }) => `${connection}.${request} ${text.slice(0, text.indexOf(' HTTP'))}`)

const LIST = 'GET /v1/shipments?skip=0&take=100'

describe('a connection to the platform that is used again', () => {
  test.each<Fate>(['closed', 'reset', 'read and closed'])(
    'and is %s before any byte of an answer is replaced, and that is no failure',
    async (fate) => {
      const { server, client } = await platform(fate)
      await learn(client)
      expect(await client.list('shipment', FIRST_PAGE)).toMatchObject({ kind: 'ok' })
      expect(asked(server)).toEqual([`0.0 ${LIST}`, `0.1 ${LIST}`, `1.0 ${LIST}`])
    },
  )

  test('is a failure once a byte of an answer came', async () => {
    const { server, client } = await platform('answered with one byte')
    await learn(client)
    expect(await client.list('shipment', FIRST_PAGE)).toMatchObject({ kind: 'unreachable' })
    expect(asked(server)).toHaveLength(2)
  })

  test('never has a write repeated', async () => {
    const { server, client } = await platform('read and closed')
    await learn(client)
    const outcome = await client.call({ method: 'POST', path: '/v1/purchaseOrders', body: '{}' })
    expect(outcome).toMatchObject({ kind: 'unreachable' })
    expect(asked(server)).toEqual([`0.0 ${LIST}`, '0.1 POST /v1/purchaseOrders'])
  })
})
