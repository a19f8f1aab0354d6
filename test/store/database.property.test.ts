import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Database } from '../../src/store/server/database.ts'
import { Query } from '../../src/store/server/query.ts'
import { DatabaseProxy, type Fault } from '../support/database-proxy.ts'
import { postgresDatabases } from '../support/postgres-databases.ts'
import { runs } from '../support/runs.ts'

const COUNT = new Query('UPDATE steady_time SET latest = latest + 1')
const READ = new Query<{ latest: number }>('SELECT latest FROM steady_time')
const TIME = Query.frequent<{ latest: number }>('SELECT * FROM steady_time')
const WIDEN = new Query('ALTER TABLE steady_time ADD more bigint')
const NARROW = new Query('ALTER TABLE steady_time DROP more')
const BACKENDS = new Query<{ backends: number }>(`
  SELECT count(pg_terminate_backend(pid)) AS backends FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`)

const fault: fc.Arbitrary<Fault> = fc.oneof(
  fc.record({ cutAfter: fc.integer({ min: 1, max: 1_800 }) }),
  fc.constant({ swallowsCommit: true } as const),
)

let url: string
let proxy: DatabaseProxy
let db: Database

beforeEach(async () => {
  url = await (await postgresDatabases()).take()
  proxy = await DatabaseProxy.start(url)
  db = new Database({ url: proxy.url, pool: 2 })
})

afterEach(async () => {
  await db[Symbol.asyncDispose]()
  await proxy[Symbol.asyncDispose]()
  await (await postgresDatabases()).giveBack(url)
})

const countUp = async (): Promise<number> => await db.write(async (tx) => await tx.run(COUNT))
const counted = async (): Promise<number> => (await db.one(READ))?.latest ?? -1

describe('a database behind a network that fails', () => {
  it('writes once what is written, wherever connections are cut', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fault, { maxLength: 5 }), fc.integer({ min: 1, max: 4 }), async (faults, writes) => {
        const before = await counted()
        proxy.cut()
        proxy.faults = [...faults]
        await Promise.all(Array.from({ length: writes }, countUp))
        proxy.faults = []
        expect(await counted()).toBe(before + writes)
      }),
      { ...runs(3), examples: [[[{ cutAfter: 1 }, { cutAfter: 1 }, { swallowsCommit: true }], 1]] },
    )
    // The example alone cuts so many.
    expect(proxy.cuts).toBeGreaterThanOrEqual(3)
  })

  it('goes on after a server has ended every connection', async () => {
    await Promise.all([countUp(), countUp()])
    await using other = new Database({ url, pool: 1 })
    expect((await other.one(BACKENDS))?.backends).toBeGreaterThan(0)
    await countUp()
    expect(await counted()).toBe(3)
  })

  it('one place is enough for a transaction whose end is asked for', async () => {
    await using narrow = new Database({ url: proxy.url, pool: 1 })
    proxy.faults = [{ swallowsCommit: true }]
    await narrow.write(async (tx) => await tx.run(COUNT))
    expect(await counted()).toBe(1)
  })

  it('makes a kept plan anew after another worker has changed the schema', async () => {
    await using other = new Database({ url, pool: 1 })
    const isWidened = async (): Promise<boolean> => Object.hasOwn((await db.one(TIME)) ?? {}, 'more')
    expect(await isWidened()).toBe(false)
    await other.write(async (tx) => await tx.run(WIDEN))
    expect(await isWidened()).toBe(true)
    await other.write(async (tx) => await tx.run(NARROW))
    await db.write(async (tx) => expect(await tx.one(TIME)).toEqual({ latest: 0, ahead: 0, one: true }))
  })
})
