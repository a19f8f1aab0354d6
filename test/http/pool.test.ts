import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Pool } from 'undici'
import { describe, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { connector } from '../../src/http/connector.ts'
import { HttpExchange } from '../../src/http/exchange.ts'
import { OpenSockets } from '../../src/http/open-sockets.ts'
import { keepAlivePool } from '../../src/http/pool.ts'
import { FickleServer } from '../support/fickle-server.ts'

interface Dialled {
  readonly pool: Pool
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
  const pool = keepAlivePool({ origin: `http://127.0.0.1:${port}`, connections, connect, now })
  onTestFinished(async () => await pool.destroy())
  return { pool, sockets }
}

function exchangeOf(): HttpExchange {
  return new HttpExchange({ decode: false, portion: () => ({ bytes: 1_024, of: 'beginning' }) })
}

/** The status, or the error. */
async function ask(pool: Pool, idempotent = true): Promise<unknown> {
  const exchange = exchangeOf()
  pool.dispatch({ method: 'POST', path: '/', body: 'x', idempotent }, exchange)
  const received = await exchange.received
  return received.status ?? received.flaw
}

async function learn(pool: Pool): Promise<void> {
  await ask(pool)
  for (let turn = 0; turn < 3; turn += 1) await nextTurn()
}

const reset = (): Error => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })

describe('a pool', () => {
  test('has no queue that is filled beforehand, and requests wait in their order', async () => {
    const server = await FickleServer.start(() => 'answered')
    const { pool } = poolTo(server.port, 1)
    const queues = Object.getOwnPropertySymbols(pool).filter(({ description }) => description === 'queue')
    expect(queues.map((queue) => Object.keys(Reflect.get(pool, queue)))).toEqual([[]])
    const ended: number[] = []
    await Promise.all([1, 2, 3].map(async (n) => (expect(await ask(pool)).toBe(200), ended.push(n))))
    expect(ended).toEqual([1, 2, 3])
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
