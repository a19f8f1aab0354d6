import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Database } from '../../src/store/server/database.ts'
import { Query } from '../../src/store/server/query.ts'
import type { Fault } from '../support/database-proxy.ts'
import { faultyDatabase } from '../support/faulty-database.ts'
import { runs } from '../support/runs.ts'

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

const faulty = faultyDatabase()

describe('a database behind a network that fails', () => {
  it('writes once what is written, wherever connections are cut', async () => {
    const { counted, countUp, proxy } = faulty()
    await fc.assert(
      fc.asyncProperty(fc.array(fault, { maxLength: 5 }), fc.integer({ min: 1, max: 4 }), async (faults, writes) => {
        const before = await counted()
        proxy.cut()
        proxy.faults = [...faults]
        await Promise.all(Array.from({ length: writes }, () => countUp()))
        proxy.faults = []
        expect(await counted()).toBe(before + writes)
      }),
      { ...runs(3), examples: [[[{ cutAfter: 1 }, { cutAfter: 1 }, { swallowsCommit: true }], 1]] },
    )
    // The example alone cuts so many.
    expect(proxy.cuts).toBeGreaterThanOrEqual(3)
  })

  it('goes on after a server has ended every connection', async () => {
    const { counted, countUp, url } = faulty()
    await Promise.all([countUp(), countUp()])
    await using other = new Database({ url, pool: 1 })
    expect((await other.one(BACKENDS))?.backends).toBeGreaterThan(0)
    await countUp()
    expect(await counted()).toBe(3)
  })

  it('one place is enough for a transaction whose end is asked for', async () => {
    const { counted, countUp, proxy } = faulty()
    await using narrow = new Database({ url: proxy.url, pool: 1 })
    proxy.faults = [{ swallowsCommit: true }]
    await countUp(narrow)
    expect(await counted()).toBe(1)
  })

  it('makes a kept plan anew after another worker has changed the schema', async () => {
    const { db, url } = faulty()
    await using other = new Database({ url, pool: 1 })
    const isWidened = async (): Promise<boolean> => Object.hasOwn((await db.one(TIME)) ?? {}, 'more')
    expect(await isWidened()).toBe(false)
    await other.write(async (tx) => await tx.run(WIDEN))
    expect(await isWidened()).toBe(true)
    await other.write(async (tx) => await tx.run(NARROW))
    await db.write(async (tx) => expect(await tx.one(TIME)).toEqual({ latest: 0, ahead: 0, one: true }))
  })
})
