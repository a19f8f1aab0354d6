import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Database } from '../../src/store/server/database.ts'
import { Query } from '../../src/store/server/query.ts'
import { DatabaseProxy } from '../support/database-proxy.ts'
import { postgresDatabases } from '../support/postgres-databases.ts'

const WHO = new Query<{ pid: number; snapshot: string; begun: string }>(
  'SELECT pg_backend_pid() AS pid, pg_current_snapshot()::text AS snapshot, now()::text AS begun',
)
const WRONG = new Query('SELECT 1 / 0 AS nothing')

let url: string
let proxy: DatabaseProxy
let db: Database

beforeEach(async () => {
  url = await (await postgresDatabases()).take()
  proxy = await DatabaseProxy.start(url)
  db = new Database({ url: proxy.url, pool: 2, readonly: true })
})
afterEach(async () => {
  await db[Symbol.asyncDispose]()
  await proxy[Symbol.asyncDispose]()
  await (await postgresDatabases()).giveBack(url)
})

/** Who answers, and within which transaction. */
async function who(): Promise<{ readonly pid: number; readonly begun: string } | undefined> {
  return await db.read(async (tx) => await tx.one(WHO))
}

describe('reads of whoever only looks that are asked for at once', () => {
  test('share one transaction; what is asked for later has one of its own', async () => {
    const [one, other, alone] = await Promise.all([who(), who(), db.one(WHO)])
    expect([other, alone]).toEqual([one, one])
    expect(await who()).not.toMatchObject({ begun: one?.begun })
  })

  test('that are one statement each share a connection and no transaction', async () => {
    const [one, other] = await Promise.all([db.one(WHO), db.one(WHO)])
    expect(other?.pid).toBe(one?.pid)
    expect(other?.begun).not.toBe(one?.begun)
  })

  test('fail by themselves, whatever failed beside them', async () => {
    const [right, wrong, thrown] = await Promise.allSettled([
      who(),
      db.all(WRONG),
      db.read(async () => await Promise.reject(new RangeError('no such place'))),
    ])
    expect(right).toMatchObject({ status: 'fulfilled', value: { pid: expect.any(Number) } })
    expect(wrong).toMatchObject({ reason: { code: 'store_unusable', message: expect.stringContaining('22012') } })
    expect(thrown).toMatchObject({ reason: new RangeError('no such place') })
  })

  test('are asked again where the connection is cut, and answered once each', async () => {
    await who()
    proxy.cut()
    let calls = 0
    const answers = await Promise.all([
      who(),
      db.read(async (tx) => {
        calls += 1
        const first = await tx.one(WHO)
        if (calls === 1) proxy.cut()
        return [first, await tx.one(WHO)].length
      }),
    ])
    expect(answers).toEqual([expect.objectContaining({ pid: expect.any(Number) }), 2])
  })

  test('say that the database is away', { tags: 'long' }, async () => {
    await proxy[Symbol.asyncDispose]()
    const answers = await Promise.allSettled([who(), db.one(WHO)])
    expect(answers.map((each) => each.status === 'rejected' && each.reason.code)).toEqual([
      'store_unusable',
      'store_unusable',
    ])
  })
})
