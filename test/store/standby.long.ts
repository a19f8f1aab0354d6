import { Client } from 'pg'
import { expect, test } from 'vitest'
import { Database } from '../../src/store/server/database.ts'
import { openPostgresStore } from '../../src/store/server/open-store.ts'
import { Query } from '../../src/store/server/query.ts'
import { DatabaseProxy } from '../support/database-proxy.ts'
import { DEBIANS_POSTGRES } from '../support/debians-postgres.ts'
import { PostgresServer } from '../support/postgres-server.ts'

const COUNT = new Query('UPDATE steady_time SET latest = latest + 1')
const READ = new Query<{ latest: number }>('SELECT latest FROM steady_time')
const SERIES = new Query<{ series: string }>('SELECT series FROM endpoints')
const PROMOTE = 'SELECT pg_promote()'

test.runIf(DEBIANS_POSTGRES !== null)(
  'a standby is refused until it is promoted, and everything goes on over it',
  async () => {
    await using primary = await PostgresServer.start({
      bin: DEBIANS_POSTGRES ?? '',
      durable: true,
      settings: ['wal_level=replica'],
    })
    await using proxy = await DatabaseProxy.start(primary.url())
    await using store = await openPostgresStore({ url: proxy.url, pool: 4 })
    await using db = new Database({ url: proxy.url, pool: 4 })
    const countUp = async (): Promise<number> => await db.write(async (tx) => await tx.run(COUNT))
    await Promise.all(Array.from({ length: 8 }, countUp))
    await store.syncSubscriptions([{ name: 'erp', enabled: true }], 0)
    await store.workers.survey()
    const series = await db.one(SERIES)
    await using standby = await primary.standby()

    await expect(store.look()).resolves.toBeGreaterThan(0)
    proxy.target = standby.url()
    proxy.cut()
    await expect(store.look()).rejects.toThrow(/cannot be reached \(it is a standby\)/)
    await expect(countUp()).rejects.toMatchObject({ code: 'store_unusable' })
    await expect(db.one(READ)).rejects.toMatchObject({ code: 'store_unusable' })

    await primary.stop('SIGQUIT')
    const client = new Client({ connectionString: standby.url() })
    await client.connect()
    await client.query(PROMOTE)
    await client.end()
    await Promise.all(Array.from({ length: 8 }, countUp))
    expect(await db.one(READ)).toEqual({ latest: 16 })
    await expect(store.look()).resolves.toBeGreaterThan(0)
    await store.workers.survey()
    expect(await db.one(SERIES)).not.toEqual(series)
  },
)

test('a transaction that the server ends while it writes is done again', async () => {
  await using server = await PostgresServer.start({ durable: true })
  await using store = await openPostgresStore({ url: server.url(), pool: 4 })
  await using db = new Database({ url: server.url(), pool: 1 })
  let tries = 0
  const written = db.write(async (tx) => {
    tries += 1
    await tx.run(COUNT)
    if (tries === 1) {
      await server.stop('SIGQUIT')
      await server.start()
    }
    return await tx.one(READ)
  })
  expect(await written).toEqual({ latest: 1 })
  expect(tries).toBe(2)
  await expect(store.look()).resolves.toBeGreaterThan(0)
})
