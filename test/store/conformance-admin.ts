import { beforeEach, describe, expect, test } from 'vitest'
import type { Store } from '../../src/store/ports/store.ts'
import type { OpenStore } from './conformance.ts'
import { attempt, ring, sampleEvent, success, T } from './samples.ts'
import { deliveriesOf } from '../support/log-rows.ts'

export function describeAdmin(open: OpenStore): void {
  describe('administering', () => {
    let store: Store
    /** Delivery ids by the state that they are in; all of `erp`. */
    let rows: Readonly<Record<'delivered' | 'exhausted' | 'waiting' | 'claimed' | 'fresh', string>>

    beforeEach(async () => {
      store = await open()
      await store.syncSubscriptions([{ name: 'erp', enabled: true }], T)
      await ring(
        store,
        [1, 2, 3, 4, 5].map((n) => sampleEvent(`evt_${n}`)),
        ['erp'],
      )
      const claimed = await store.claim({ owner: 'one', now: T, leaseMs: 60_000, slots: new Map([['erp', 4]]) })
      const [delivered = '', exhausted = '', waiting = '', under = ''] = claimed.map(({ id }) => id)
      await store.settle('one', [
        { id: delivered, attempt: success(), result: { kind: 'delivered' } },
        { id: exhausted, attempt: attempt(), result: { kind: 'exhausted' } },
        { id: waiting, attempt: attempt(), result: { kind: 'retry', at: T + 3_600_000 } },
      ])
      const [fresh] = await deliveriesOf(store, { id: 'evt_5', limit: 1 })
      rows = { delivered, exhausted, waiting, claimed: under, fresh: fresh?.id ?? '' }
      return () => store[Symbol.asyncDispose]()
    })

    const states = async () =>
      Object.fromEntries((await deliveriesOf(store, { limit: 9 })).map(({ id, state }) => [id, state]))
    const claimed = async (now: number, owner = 'two') => {
      const slots = new Map([['erp', 99]])
      return (await store.claim({ owner, now, leaseMs: 60_000, slots })).map(({ id, attempts }) => ({ id, attempts }))
    }

    test('retry makes rows due with a fresh schedule, but not delivered ones', async () => {
      const ids = [...Object.values(rows), 'dlv_unknown']
      expect(await store.retry(ids, { at: T + 500, delivered: false })).toBe(4)
      expect(await states()).toEqual({
        [rows.delivered]: 'delivered',
        [rows.exhausted]: 'pending',
        [rows.waiting]: 'pending',
        [rows.claimed]: 'pending',
        [rows.fresh]: 'pending',
      })
      expect(await claimed(T + 500)).toEqual(
        [rows.exhausted, rows.waiting, rows.fresh].map((id) => ({ id, attempts: 0 })),
      )
      expect((await deliveriesOf(store, { id: rows.exhausted, limit: 1 }))[0]).toMatchObject({ attempts: 1 })
    })

    test('retry sends a delivered row again where that is asked for', async () => {
      expect(await store.retry([rows.delivered], { at: T + 500, delivered: true })).toBe(1)
      expect((await claimed(T + 500)).map(({ id }) => id)).toEqual([rows.delivered, rows.fresh])
    })

    test('retry never takes a row from who is sending it', async () => {
      await store.retry([rows.claimed], { at: T, delivered: false })
      expect((await claimed(T + 1)).map(({ id }) => id)).toEqual([rows.fresh])
      await store.settle('one', [{ id: rows.claimed, attempt: success(), result: { kind: 'delivered' } }])
      expect(await states()).toMatchObject({ [rows.claimed]: 'delivered' })
    })

    test.each([{ kind: 'exhausted' }, { kind: 'retry', at: T + 3_600_000 }] as const)(
      'a retry that is asked for during an attempt follows it, whatever is to come of that: %j',
      async (result) => {
        await store.retry([rows.claimed], { at: T + 2, delivered: false })
        await store.settle('one', [{ id: rows.claimed, attempt: attempt({ at: T + 1 }), result }])
        expect((await claimed(T + 30)).map(({ id }) => id)).toContain(rows.claimed)
        const last = attempt({ at: T + 30 })
        await store.settle('two', [{ id: rows.claimed, attempt: last, result: { kind: 'exhausted' } }])
        expect(await states()).toMatchObject({ [rows.claimed]: 'exhausted' })
      },
    )

    test('a retry is due at once, though the clock was set back since', async () => {
      await store.retry([rows.waiting], { at: T + 9_000, delivered: false })
      expect((await claimed(T + 1)).map(({ id }) => id)).toContain(rows.waiting)
    })

    test('rows of a disabled endpoint are held instead', async () => {
      await store.disable('erp', { reason: 'maintenance', at: T })
      expect(await store.retry(Object.values(rows), { at: T, delivered: true })).toBe(0)
      expect(new Set(Object.values(await states()))).toEqual(new Set(['held']))
      expect(await store.nextDueAt()).toBeNull()
    })

    test('disabling holds what is pending, once, and keeps the first reason', async () => {
      await store.disable('erp', { reason: 'maintenance', at: T })
      await store.disable('erp', { reason: 'again', at: T + 1 })
      const [erp] = await store.endpoints()
      expect(erp?.disabled).toEqual({ reason: 'maintenance', at: T, by: 'command' })
      expect(erp?.counts).toEqual({ pending: 0, delivered: 1, exhausted: 1, held: 3, discarded: 0 })
      await ring(store, [sampleEvent('evt_6')], ['erp'])
      expect((await deliveriesOf(store, { id: 'evt_6', limit: 1 }))[0]?.state).toBe('held')
    })

    test('an endpoint can be disabled before it was ever configured', async () => {
      await store.disable('late', { reason: 'not yet', at: T })
      await store.syncSubscriptions([{ name: 'late', enabled: true }], T)
      await ring(store, [sampleEvent('evt_6')], ['late'])
      expect((await deliveriesOf(store, { id: 'evt_6', limit: 1 }))[0]?.state).toBe('held')
    })

    test('enabling releases held rows in order with a fresh schedule, but never one that is being sent', async () => {
      await store.disable('erp', { reason: 'maintenance', at: T })
      expect(await store.enable('erp', { at: T + 1_000, discard: false })).toBe(3)
      expect((await store.endpoints())[0]).toMatchObject({ disabled: null, failuresInARow: 0 })
      expect(await claimed(T + 500)).toEqual([
        { id: rows.waiting, attempts: 0 },
        { id: rows.fresh, attempts: 0 },
      ])
      expect((await claimed(T + 60_000, 'three')).map(({ id }) => id)).toEqual([rows.claimed])
      expect(await store.enable('erp', { at: T + 2_000, discard: false })).toBe(0)
    })

    test('enabling with discard drops the held rows', async () => {
      await store.disable('erp', { reason: 'maintenance', at: T })
      expect(await store.enable('erp', { at: T, discard: true })).toBe(3)
      expect(Object.values(await states()).sort()).toEqual([
        'delivered',
        'discarded',
        'discarded',
        'discarded',
        'exhausted',
      ])
      await ring(store, [sampleEvent('evt_6')], ['erp'])
      expect((await deliveriesOf(store, { id: 'evt_6', limit: 1 }))[0]?.state).toBe('pending')
    })

    test('enabling by command does not overrule the file', async () => {
      await store.disable('erp', { reason: 'maintenance', at: T })
      await store.syncSubscriptions([{ name: 'erp', enabled: false }], T)
      expect(await store.enable('erp', { at: T, discard: false })).toBe(0)
      expect((await store.endpoints())[0]).toMatchObject({ disabled: null, enabled: false, counts: { held: 3 } })
      await store.syncSubscriptions([{ name: 'erp', enabled: true }], T)
      expect((await store.endpoints())[0]?.counts).toMatchObject({ held: 0, pending: 3 })
    })

    test('discarding drops the held rows of a subscription that left the file', async () => {
      expect(await store.discard('erp', T)).toBe(0)
      await store.syncSubscriptions([], T)
      expect(await store.discard('erp', T)).toBe(3)
      expect(await store.discard('erp', T)).toBe(0)
      await store.syncSubscriptions([{ name: 'erp', enabled: true }], T)
      expect(await claimed(T + 9_999_999)).toEqual([])
      expect(await store.retry([rows.fresh], { at: T, delivered: false })).toBe(1)
      expect((await claimed(T)).map(({ id }) => id)).toEqual([rows.fresh])
    })

    test('one that left the file is known to go on getting rows until it is discarded, whatever it was', async () => {
      const known = async () => (await store.endpoints()).find(({ subscription }) => subscription === 'erp')
      await store.syncSubscriptions([{ name: 'erp', enabled: false }], T)
      await store.syncSubscriptions([{ name: 'ops', enabled: true }], T)
      expect(await known()).toMatchObject({ configured: false, enabled: true })
      await store.discard('erp', T)
      await store.syncSubscriptions([], T)
      expect(await known()).toMatchObject({ configured: false, enabled: false })
      await store.syncSubscriptions([{ name: 'erp', enabled: true }], T)
      await store.discard('erp', T)
      expect(await known()).toMatchObject({ configured: true, enabled: true })
    })

    test('a row discarded while it is being sent is delivered if that succeeds, and is not sent twice at once', async () => {
      await store.disable('erp', { reason: 'maintenance', at: T })
      await store.enable('erp', { at: T, discard: true })
      await store.retry([rows.claimed], { at: T, delivered: false })
      expect(await claimed(T + 1)).toEqual([])
      await store.disable('erp', { reason: 'maintenance', at: T })
      await store.discard('erp', T)
      await store.settle('one', [{ id: rows.claimed, attempt: success(), result: { kind: 'delivered' } }])
      expect(await states()).toMatchObject({ [rows.claimed]: 'delivered', [rows.fresh]: 'discarded' })
    })

    test('a session that was signed out is kept until it expires', async () => {
      await store.endSession({ id: 'one', expiresAt: T + 10 }, T)
      await store.endSession({ id: 'two', expiresAt: T + 20 }, T)
      await store.endSession({ id: 'two', expiresAt: T + 20 }, T)
      expect(await store.endedSessions(T)).toEqual([
        { id: 'one', expiresAt: T + 10 },
        { id: 'two', expiresAt: T + 20 },
      ])
      expect(await store.endedSessions(T + 10)).toEqual([{ id: 'two', expiresAt: T + 20 }])
    })
  })
}
