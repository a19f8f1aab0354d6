import { once } from 'node:events'
import type { Socket } from 'node:net'
import { createServer, TLSSocket } from 'node:tls'
import type { buildConnector } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { connector, type ConnectorOptions } from '../../src/http/connector.ts'
import { OpenSockets } from '../../src/http/open-sockets.ts'
import { rawLoopback } from '../platform/loopback.ts'
import { issueCertificate } from '../support/certificate.ts'
import { FakeClock } from '../support/fake-clock.ts'

/** Ours, in the order in which they were opened. */
class Recorded extends OpenSockets {
  readonly opened: Socket[] = []

  override add(socket: Socket): void {
    this.opened.push(socket)
    super.add(socket)
  }
}

function connectorOf(options: Partial<ConnectorOptions>): buildConnector.connector {
  const sockets = new OpenSockets()
  onTestFinished(() => sockets.close())
  return connector({ clock: systemClock, timeoutMs: 5_000, sockets, ...options })
}

async function dial(connect: buildConnector.connector, protocol: string, port: number): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  connect({ hostname: '127.0.0.1', protocol, port: String(port) }, (error, socket) => {
    if (socket === null) reject(error)
    else resolve(socket)
  })
  return await promise
}

test('a connection is given up when the clock says so', async () => {
  const accepted = Promise.withResolvers<void>()
  await using server = await rawLoopback(() => accepted.resolve())
  const clock = new FakeClock()
  const dialled = expect(dial(connectorOf({ clock }), 'https:', server.port)).rejects.toMatchObject({
    code: 'ETIMEDOUT',
  })
  await accepted.promise
  await clock.advance(4_999)
  expect(clock.nextWakeAt).not.toBeNull()
  await clock.advance(1)
  await dialled
  expect(clock.nextWakeAt).toBeNull()
})

test('of several addresses, one that did not answer says more than those that refused', async () => {
  const sockets = new Recorded()
  await using server = await rawLoopback(() => {})
  const dialled = expect(dial(connectorOf({ sockets }), 'https:', server.port)).rejects.toMatchObject({
    code: 'ETIMEDOUT',
  })
  const errors = ['ECONNREFUSED', 'ETIMEDOUT'].map((code) => Object.assign(new Error(code), { code }))
  sockets.opened[0]?.destroy(new AggregateError(errors))
  await dialled
})

test('a connection over TLS resumes the session of the last one', async () => {
  const authority = issueCertificate({ name: 'authority', authority: true })
  const { cert, key } = issueCertificate({ name: 'server', hosts: ['127.0.0.1'], issuer: authority })
  const server = createServer({ cert, key }, (socket) => socket.on('error', () => {})).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const connect = connectorOf({ tls: { ca: authority.cert, cert: null, key: null } })
  const first = await dial(connect, 'https:', port)
  // It comes with what is read.
  await once(first.resume(), 'session')
  const second = await dial(connect, 'https:', port)
  expect([first, second].map((socket) => socket instanceof TLSSocket && socket.isSessionReused())).toEqual([
    false,
    true,
  ])
})
