import { beforeEach, describe, expect, test } from 'vitest'
import type { ClaimLimit, ClaimRequest } from '../../src/store/ports/delivery-port.ts'
import { openPostgresStore } from '../../src/store/server/open-store.ts'
import type { Store } from '../../src/store/ports/store.ts'
import { postgresDatabases } from '../support/postgres-databases.ts'
import { attempt, ring, sampleEvent, success, T } from './samples.ts'

const MINUTE = 60_000
const FREE: ClaimLimit = { concurrency: 9, rate: null, address: null }
const MOST = new Map([['erp', 9]])

describe('what workers keep to together', () => {
  let store: Store

  beforeEach(async () => {
    const databases = await postgresDatabases()
    const url = await databases.take()
    store = await openPostgresStore({ url, pool: 4 })
    await store.syncSubscriptions([{ name: 'erp', enabled: true }], T)
    await ring(
      store,
      ['evt_1', 'evt_2', 'evt_3', 'evt_4'].map((id) => sampleEvent(id)),
      ['erp'],
    )
    return async () => {
      await store[Symbol.asyncDispose]()
      await databases.giveBack(url)
    }
  })

  async function claim(owner: string, limit: Partial<ClaimLimit>, more: Partial<ClaimRequest> = {}) {
    const limits = new Map([['erp', { ...FREE, ...limit }]])
    return await store.claim({ owner, now: T, leaseMs: MINUTE, slots: MOST, limits, ...more })
  }

  const shown = async (owner: string, now = T) => (await store.waiting({ owner, now, most: MOST })).map(({ id }) => id)

  test('attempts at once are no more than are configured, whoever makes them', async () => {
    const rows = await claim('one', { concurrency: 2 })
    expect(rows).toHaveLength(2)
    expect(await claim('two', { concurrency: 2 })).toEqual([])
    await store.settle('one', [{ id: rows[0]?.id ?? '', attempt: success(), result: { kind: 'delivered' } }])
    expect(await claim('two', { concurrency: 2 })).toHaveLength(1)
    expect(await claim('two', { concurrency: 3 }, { now: T + MINUTE })).toHaveLength(3)
  })

  test('of all together no more is taken than is asked for, and each subscription has its turn', async () => {
    const names = ['crm', 'erp', 'tms']
    await store.syncSubscriptions(
      names.map((name) => ({ name, enabled: true })),
      T,
    )
    await ring(store, [sampleEvent('evt_5'), sampleEvent('evt_6')], ['crm', 'tms'])
    const slots = new Map(names.map((name) => [name, 9]))
    const taken = async (most: number) => (await claim('one', {}, { slots, most })).map((row) => row.subscription)
    const first = [...(await taken(1)), ...(await taken(1)), ...(await taken(1))]
    expect(first.toSorted()).toEqual(names)
    expect(await taken(4)).toHaveLength(4)
    expect(await taken(4)).toHaveLength(1)
  })

  test('a subscription with a rate has its turn among those without, and no more than its rate', async () => {
    const names = ['crm', 'erp', 'tms']
    await store.syncSubscriptions(
      names.map((name) => ({ name, enabled: true })),
      T,
    )
    await ring(store, [sampleEvent('evt_5'), sampleEvent('evt_6')], ['crm', 'tms'])
    const slots = new Map(names.map((name) => [name, 9]))
    const rated = { ...FREE, rate: { requests: 2, perMs: 1_000 } }
    const limits = new Map(names.map((name) => [name, name === 'erp' ? rated : FREE]))
    const taken = async (most: number) =>
      (await store.claim({ owner: 'one', now: T, leaseMs: MINUTE, slots, limits, most })).map((row) => row.subscription)
    const all = [...(await taken(3)), ...(await taken(1)), ...(await taken(9)), ...(await taken(9))]
    expect(all.toSorted()).toEqual(['crm', 'crm', 'erp', 'erp', 'tms', 'tms'])
  })

  test('a rate counts an attempt until its window has passed since it ended, also one that was cut', async () => {
    const rate = { requests: 2, perMs: 1_000 }
    const [cut, made] = await claim('one', { rate })
    await store.settle('one', [
      { id: cut?.id ?? '', attempt: null, endedAt: T + 5, result: { kind: 'released' } },
      { id: made?.id ?? '', attempt: success(), endedAt: T + 9, result: { kind: 'delivered' } },
    ])
    expect(await claim('two', { rate }, { now: T + 1_004 })).toEqual([])
    expect(await claim('two', { rate }, { now: T + 1_005 })).toHaveLength(1)
    expect(await claim('one', { rate }, { now: T + 1_008 })).toEqual([])
    expect(await claim('one', { rate }, { now: T + 1_009 })).toHaveLength(1)
  })

  test('while an address rests, nothing but tests is taken of whoever sends there, unless a command asks', async () => {
    const [row] = await claim('one', { concurrency: 1 })
    const cooldown = { address: 'a', until: T + MINUTE }
    await store.settle('one', [
      { id: row?.id ?? '', attempt: attempt(), cooldown, result: { kind: 'retry', at: T + MINUTE } },
    ])
    await ring(store, [sampleEvent('evt_test', { cause: 'test' })], ['erp'])
    expect((await claim('two', { address: 'a' })).map(({ event }) => event.id)).toEqual(['evt_test'])
    expect(await claim('two', { address: 'a' }, { forced: true })).toHaveLength(3)
  })

  test('what one gathers, others are not shown, until nothing waits or it is no more', async () => {
    const ids = await shown('one')
    expect(ids).toHaveLength(4)
    expect(await shown('two')).toEqual([])
    expect(await claim('two', { attempts: 1 }, { only: ids })).toEqual([])
    expect(await claim('one', { attempts: 1 }, { only: ids })).toHaveLength(4)
    await store.settle(
      'one',
      ids.map((id) => ({ id, attempt: success(), result: { kind: 'delivered' } })),
    )
    await ring(store, [sampleEvent('evt_5')], ['erp'])
    expect(await shown('two')).toEqual([])
    await store.recoverClaims({ alive: ['two'], now: T })
    expect(await shown('two')).toHaveLength(1)
    expect(await shown('one', T + MINUTE - 1)).toEqual([])
    expect(await shown('one', T + MINUTE)).toHaveLength(1)
  })

  test('batches are taken whole or not at all, and by a command from whoever gathers', async () => {
    const ids = await shown('one')
    expect(await claim('one', { attempts: 2, concurrency: 1 }, { only: ids })).toEqual([])
    expect(await claim('two', { attempts: 1 }, { only: ids.slice(0, 2), forced: true })).toHaveLength(2)
    expect(await claim('one', { attempts: 1 }, { only: ids })).toEqual([])
    expect(await shown('one')).toEqual([])
  })
})
