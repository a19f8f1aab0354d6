import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { mailer } from '../deliver/channels/email/mailing.ts'
import { NEVER, senderTo } from '../deliver/conformance/sending.ts'
import { sampleBatch } from '../deliver/sample-event.ts'
import { clientOf, FIRST_PAGE } from '../platform/client-of.ts'

/** Code is compiled, and pools and caches are filled, by the first ones. */
const WARM_UP = 1_500
const CONNECTIONS = 600
/** A listener that stays on a signal, with its socket, is some 4 kB. */
const MOST_BYTES_EACH = 1_000
/** Accounts that are read once in a while. A pool of undici is some 25 kB. */
const RESTING = 300
const MOST_BYTES_RESTING = 12_000

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

async function heap(): Promise<number> {
  for (let turn = 0; turn < 3; turn += 1) {
    await nextTurn()
    collect()
  }
  return process.memoryUsage().heapUsed
}

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

const KINDS: Readonly<Record<string, (port: number) => () => Promise<unknown>>> = {
  'an endpoint': (port) => {
    const sender = senderTo(`http://127.0.0.1:${port}`)
    return async () => await sender.send(sampleBatch(), NEVER)
  },
  'a mail server': (port) => {
    const sender = mailer(`smtp://127.0.0.1:${port}`)
    return async () => await sender.send(sampleBatch(), NEVER)
  },
  'the platform': (port) => {
    const client = clientOf(`http://127.0.0.1:${port}`)
    return async () => await client.list('shipment', FIRST_PAGE)
  },
}

test.each(Object.entries(KINDS))(
  'connections that %s refused leave nothing behind',
  async (_, make) => {
    const connect = make(await closedPort())
    for (let made = 0; made < WARM_UP; made += 1) await connect()
    const before = await heap()
    for (let made = 0; made < CONNECTIONS; made += 1) await connect()
    expect(((await heap()) - before) / CONNECTIONS).toBeLessThan(MOST_BYTES_EACH)
  },
  60_000,
)

test('connections that rest hold no pool', { timeout: 60_000 }, async () => {
  const server = createHttpServer((_, response) => void response.setHeader('connection', 'close').end('[]'))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  const asked = async () => {
    const client = clientOf(url)
    expect((await client.list('shipment', FIRST_PAGE)).kind).toBe('ok')
    return client
  }
  const clients = [await asked()]
  const before = await heap()
  while (clients.length <= RESTING) clients.push(await asked())
  for (let turn = 0; turn < 9; turn += 1) await nextTurn()
  expect(((await heap()) - before) / RESTING).toBeLessThan(MOST_BYTES_RESTING)
  await Promise.all(clients.map(async (client) => await client.list('shipment', FIRST_PAGE)))
  server.close()
})
