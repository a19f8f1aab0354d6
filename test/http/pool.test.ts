import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { buildConnector } from 'undici'
import { describe, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { connector } from '../../src/http/connector.ts'
import { HttpExchange } from '../../src/http/exchange.ts'
import { OpenSockets } from '../../src/http/open-sockets.ts'
import { KeepAlivePool } from '../../src/http/pool.ts'
import { FickleServer } from '../support/fickle-server.ts'

interface Dialled {
  readonly pool: KeepAlivePool
  /** Ours, in the order in which they were opened. */
  readonly sockets: readonly Socket[]
}

function poolTo(port: number, connections: number, now?: () => number): Dialled {
  const sockets: Socket[] = []
  class Recorded extends OpenSockets {
    override add(socket: Socket): void {
      sockets.push(socket)
      super.add(socket)
    }
  }
  const connect = connector({ clock: systemClock, timeoutMs: 5_000, sockets: new Recorded() })
  const pool = new KeepAlivePool({ origin: `http://127.0.0.1:${port}`, connections, connect, now })
  onTestFinished(async () => await pool.destroy())
  return { pool, sockets }
}

function exchangeOf(): HttpExchange {
  return new HttpExchange({ decode: false, portion: () => ({ bytes: 1_024, of: 'beginning' }) })
}

/** The status, or the error. */
async function ask(pool: KeepAlivePool, idempotent = true): Promise<unknown> {
  const exchange = exchangeOf()
  pool.dispatch({ method: 'POST', path: '/', body: 'x', idempotent }, exchange)
  const received = await exchange.received
  return received.status ?? received.flaw
}

async function learn(pool: KeepAlivePool): Promise<void> {
  await ask(pool)
  for (let turn = 0; turn < 3; turn += 1) await nextTurn()
}

const reset = (): Error => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })

describe('a pool', () => {
  test('opens as many connections as it may, on which requests wait in their order', async () => {
    const server = await FickleServer.start(() => 'answered')
    const { pool, sockets } = poolTo(server.port, 2)
    const ended: number[] = []
    const numbers = Array.from({ length: 20 }, (_, nth) => nth)
    await Promise.all(numbers.map(async (nth) => (expect(await ask(pool)).toBe(200), ended.push(nth))))
    expect(sockets).toHaveLength(2)
    for (const [place, nth] of ended.entries()) expect(Math.abs(place - nth)).toBeLessThan(2)
  })

  test('has no connection but those it needs: one request after the other goes over one', async () => {
    const server = await FickleServer.start(() => 'answered')
    const { pool, sockets } = poolTo(server.port, 4)
    for (let nth = 0; nth < 5; nth += 1) await learn(pool)
    expect(sockets).toHaveLength(1)
  })

  test('tells every request that nobody listens, and goes on once somebody does', async () => {
    const server = await FickleServer.start(() => 'answered')
    let isDown = true
    const dial = connector({ clock: systemClock, timeoutMs: 5_000, sockets: new OpenSockets() })
    const connect: buildConnector.connector = (target, callback) => {
      if (isDown) setImmediate(() => callback(reset(), null))
      else dial(target, callback)
    }
    const pool = new KeepAlivePool({ origin: `http://127.0.0.1:${server.port}`, connections: 2, connect })
    onTestFinished(async () => await pool.destroy())
    const failed = await Promise.all([1, 2, 3, 4, 5].map(async () => await ask(pool)))
    expect(failed).toEqual(Array(5).fill(reset()))
    isDown = false
    expect(await Promise.all([1, 2, 3].map(async () => await ask(pool)))).toEqual([200, 200, 200])
    expect(server.sockets.length).toBeLessThanOrEqual(2)
  })

  test('ends the requests that wait for a connection once it is closed', async () => {
    const server = await FickleServer.start(() => 'never answered')
    const { pool, sockets } = poolTo(server.port, 1)
    const asked = [ask(pool), ask(pool), ask(pool)]
    while (server.arrivals.length < 1) await nextTurn()
    await pool.destroy()
    for (const error of await Promise.all(asked)) expect(error).toMatchObject({ code: 'UND_ERR_DESTROYED' })
    expect(sockets).toHaveLength(1)
  })

  test('finds another place for a request whose connection failed before it was written', async () => {
    const server = await FickleServer.start(() => 'answered')
    const { pool, sockets } = poolTo(server.port, 1)
    await learn(pool)
    const answers = [ask(pool), ask(pool)]
    sockets[0]?.destroy(reset())
    expect(await Promise.all(answers)).toEqual([200, 200])
    expect(server.arrivals.map(({ connection }) => connection)).toEqual([0, 1, 1])
  })

  test('uses a connection for a minute at most, however busy it is, and loses nothing to that', async () => {
    const server = await FickleServer.start(() => 'answered')
    let now = 0
    const { pool, sockets } = poolTo(server.port, 2, () => now)
    for (let second = 0; second < 150; second += 1) {
      now = second * 1_000
      expect(await Promise.all([ask(pool), ask(pool)])).toEqual([200, 200])
    }
    const used = Map.groupBy(server.arrivals, ({ connection }) => connection)
    expect(server.arrivals).toHaveLength(300)
    expect(Math.max(...[...used.values()].map(({ length }) => length))).toBeLessThanOrEqual(61)
    expect(used.size).toBeGreaterThanOrEqual(6)
    expect(sockets.filter(({ destroyed }) => !destroyed).length).toBeLessThanOrEqual(2)
  })

  test('repeats nothing that does not say it may be sent twice', async () => {
    const server = await FickleServer.start(({ request }) => (request === 0 ? 'answered' : 'closed'))
    const { pool } = poolTo(server.port, 1)
    await learn(pool)
    expect(await ask(pool, false)).toMatchObject({ code: 'UND_ERR_SOCKET' })
    expect(server.arrivals).toHaveLength(2)
  })

  test('opens no connection for a request that its sender has given up', async () => {
    const server = await FickleServer.start(({ request }) => (request === 0 ? 'answered' : 'never answered'))
    const { pool, sockets } = poolTo(server.port, 1)
    await learn(pool)
    const exchange = exchangeOf()
    pool.dispatch({ method: 'POST', path: '/', idempotent: true }, exchange)
    while (server.arrivals.length < 2) await nextTurn()
    exchange.cut(new Error('given up'))
    expect(await exchange.received).toMatchObject({ status: null, flaw: { message: 'given up' } })
    for (let turn = 0; turn < 5; turn += 1) await nextTurn()
    expect(sockets).toHaveLength(1)
  })

  test('repeats nothing once it is closed', async () => {
    const server = await FickleServer.start(({ request }) => (request === 0 ? 'answered' : 'never answered'))
    const { pool, sockets } = poolTo(server.port, 1)
    await learn(pool)
    const asked = ask(pool)
    while (server.arrivals.length < 2) await nextTurn()
    sockets[0]?.destroy(reset())
    await pool.destroy()
    expect(await asked).toBeInstanceOf(Error)
    expect(sockets).toHaveLength(1)
  })
})
