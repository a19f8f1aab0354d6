import { beforeEach, describe, expect, test } from 'vitest'
import { Database } from '../../src/store/server/database.ts'
import { openPostgresStore, type PostgresStore } from '../../src/store/server/open-store.ts'
import { Query } from '../../src/store/server/query.ts'
import { DatabaseProxy } from '../support/database-proxy.ts'
import { postgresDatabases } from '../support/postgres-databases.ts'
import { batch, ring, sampleEvent, sampleState, success, T, write } from './samples.ts'

/** Another event has its number by now, as on a standby that was promoted without it. */
const RENAMED = new Query(`UPDATE events SET id = 'evt_other', sequence = sequence + 100 WHERE id = 'evt_1'`)
const END_CLAIMS = new Query('DELETE FROM claims')
const END_ATTEMPTS = new Query('DELETE FROM attempts')
const EVENT = { subscription: 'erp', slots: new Map([['erp', 9]]) }

describe('a database that went back', () => {
  let store: PostgresStore
  let db: Database
  let proxy: DatabaseProxy

  beforeEach(async () => {
    const databases = await postgresDatabases()
    const url = await databases.take()
    proxy = await DatabaseProxy.start(url)
    store = await openPostgresStore({ url: proxy.url, pool: 4 })
    db = new Database({ url, pool: 1 })
    await store.syncSubscriptions([{ name: 'erp', enabled: true }], T)
    return async () => {
      await store[Symbol.asyncDispose]()
      await db[Symbol.asyncDispose]()
      await proxy[Symbol.asyncDispose]()
      await databases.giveBack(url)
    }
  })

  const claim = async () => await store.claim({ owner: 'one', now: T, leaseMs: 60_000, ...EVENT })

  test('has other events by the numbers of before: what is sent is what the row says', { tags: 'long' }, async () => {
    await ring(store, [sampleEvent('evt_1')], ['erp'])
    expect((await claim()).map(({ event }) => event.id)).toEqual(['evt_1'])
    await db.write(async (tx) => {
      await tx.run(END_CLAIMS)
      await tx.run(RENAMED)
    })
    expect((await claim()).map(({ event }) => event.id)).toEqual(['evt_other'])
  })

  test('has other attempts by the numbers of before, and shows them', async () => {
    await ring(store, [sampleEvent('evt_1'), sampleEvent('evt_2')], ['erp'])
    const rows = await claim()
    const begun = await store.workers.attemptsSince(null)
    const settle = async (nth: number) =>
      await store.settle('one', [{ id: rows[nth]?.id ?? '', attempt: success(), result: { kind: 'delivered' } }])
    await settle(0)
    const seen = await store.workers.attemptsSince(begun)
    expect(seen.deliveries).toEqual([rows[0]?.id])
    await db.write(async (tx) => {
      await tx.run(END_ATTEMPTS)
      await tx.run(new Query(`ALTER SEQUENCE attempts_ref_seq RESTART WITH ${seen.last}`))
    })
    await settle(1)
    const next = await store.workers.attemptsSince(seen)
    expect(next).toMatchObject({ deliveries: [rows[1]?.id], last: seen.last })
  })

  test('knows no lease of before, though worker, account and number are the same', async () => {
    const worker = { host: 'here', pid: 1, command: 'run', version: '1', port: null, config: '', settings: {} }
    await store.workers.join({ id: 'w', loadedAt: null, ...worker }, 60_000)
    const units = [{ unit: 'key', accounts: ['acme'] }]
    const [lease] = await store.workers.take('w', { units, most: 1 })
    if (lease === undefined) throw new Error('it was free')
    expect(lease.past).toBe((await store.workers.survey()).past)
    const state = sampleState('SHP-1')
    await store.workers.under(lease).commit(batch({ records: [write(state)] }))
    const before = store.workers.under({ ...lease, past: 'of before' })
    const next = batch({ records: [write({ ...state, version: 1 }, { expectedVersion: 0 })] })
    await expect(before.commit(next)).rejects.toMatchObject({ code: 'lease_lost' })
    await store.workers.under(lease).commit(next)
  })

  test('has other series, once and for all workers', async () => {
    await ring(store, [sampleEvent('evt_1'), sampleEvent('evt_2')], ['erp'])
    const series = async () => (await db.one(new Query<{ series: string }>('SELECT series FROM endpoints')))?.series
    const known = await series()
    await store.workers.survey()
    expect(await series()).toBe(known)
    await db.write(async (tx) => tx.run(new Query(`UPDATE series_life SET life = 'of another timeline'`)))
    {
      await using other = await openPostgresStore({ url: proxy.url, pool: 1 })
      const renewed = await series()
      expect(renewed).not.toBe(known)
      await other.workers.survey()
      await store.workers.survey()
      expect(await series()).toBe(renewed)
      expect((await claim()).map(({ place }) => place)).toEqual([
        { series: renewed, position: 1 },
        { series: renewed, position: 2 },
      ])
    }
  })

  test('has other documents by the numbers of before: none that was known is taken for one of them', async () => {
    const state = sampleState('SHP-1')
    await store.commit(batch({ records: [write(state)] }))
    const known = (await store.records('acme', 'shipment', ['SHP-1'])).get('SHP-1') ?? state
    await db.write(async (tx) => tx.run(new Query(`UPDATE bodies SET content = content || ' ', codec = codec`)))
    proxy.cut()
    await store.commit(batch({ records: [write({ ...known, version: 1 }, { expectedVersion: 0 })] }))
    const after = (await store.records('acme', 'shipment', ['SHP-1'])).get('SHP-1')
    expect(after?.seen).toEqual(state.seen)
    expect((await db.one(new Query<{ all: number }>('SELECT count(*) AS all FROM bodies')))?.all).toBe(1)
    expect(await db.one(new Query(`SELECT 1 AS one FROM bodies WHERE content LIKE '% '::bytea`))).toBeUndefined()
  })
})
