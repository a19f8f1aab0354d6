import { beforeEach, describe, expect, test } from 'vitest'
import type { Store } from '../../src/store/ports/store.ts'
import type { OpenStore } from './conformance.ts'
import { attempt, batch, ring, sampleEvent, success, T } from './samples.ts'
import { deliveriesOf } from '../support/log-rows.ts'

function to(subscription: string, ...ids: readonly string[]) {
  return ids.map((eventId) => ({ eventId, subscription }))
}

export function describeLog(open: OpenStore): void {
  describe('the log', () => {
    let store: Store

    beforeEach(async () => {
      store = await open()
      await store.syncSubscriptions([{ name: 'erp', enabled: true }], T)
      return () => store[Symbol.asyncDispose]()
    })

    /** Ids of the log, page by page. */
    const walk = async (query: { since: number; limit: number; rowsOf?: string }) => {
      const pages: (readonly string[])[] = []
      let after: number | null = null
      do {
        const page: Awaited<ReturnType<Store['logPage']>> = await store.logPage({ ...query, after })
        pages.push(page.events.map(({ event }) => event.id))
        after = page.end
      } while (after !== null)
      return pages
    }
    const rows = async () =>
      (await deliveriesOf(store, { limit: 99 }))
        .toReversed()
        .map((row) => `${row.eventId} ${row.subscription} ${row.state}`)

    test('is read in the order of storing, from an instant on, in pages', async () => {
      await ring(store, [sampleEvent('evt_0', { timestamp: T - 1 }), sampleEvent('evt_1')], [])
      await ring(store, [sampleEvent('evt_2', { timestamp: T + 9 }), sampleEvent('evt_3', { timestamp: T - 5 })], [])
      await ring(store, [sampleEvent('evt_4', { timestamp: T + 1, account: null })], [])
      expect((await walk({ since: T, limit: 2 })).flat()).toEqual(['evt_1', 'evt_2', 'evt_4'])
      expect((await walk({ since: 0, limit: 99 })).flat()).toHaveLength(5)
      expect(await walk({ since: T + 10, limit: 2 })).toEqual([[]])
    })

    test('tells what a subscription has not got: no row, or one that was not delivered; tests are nothing to get', async () => {
      await ring(store, [sampleEvent('evt_1'), sampleEvent('evt_2')], ['erp'])
      await ring(store, [sampleEvent('evt_3')], ['ops'])
      await store.commit(batch({ events: [sampleEvent('evt_4', { cause: 'test' })] }))
      const [row] = await store.claim({ owner: 'one', now: T, leaseMs: 1_000, slots: new Map([['erp', 1]]) })
      await store.settle('one', [{ id: row?.id ?? '', attempt: success(), result: { kind: 'delivered' } }])
      const page = await store.logPage({ since: 0, after: null, rowsOf: 'erp', undelivered: true, limit: 99 })
      const [held] = await deliveriesOf(store, { id: 'evt_2', limit: 1 })
      expect(page.events.map(({ event }) => event.id)).toEqual(['evt_2', 'evt_3'])
      expect([...page.rows]).toEqual([['evt_2', { id: held?.id, delivered: false }]])
      const whole = await store.logPage({ since: 0, after: null, rowsOf: 'erp', limit: 99 })
      expect(whole.events.map(({ event }) => event.id)).toEqual(['evt_1', 'evt_2', 'evt_3'])
      expect(whole.rows.get('evt_1')).toEqual({ id: row?.id, delivered: true })
    })

    test('a backfill makes rows for events that have none, due in event order, once', async () => {
      await ring(store, [sampleEvent('evt_1'), sampleEvent('evt_2'), sampleEvent('evt_3')], [])
      const made = await store.backfill({ deliveries: to('erp', 'evt_3', 'evt_1', 'evt_nope'), at: T + 7 })
      expect((await store.deliveries(made)).map(({ eventId }) => eventId)).toEqual(['evt_3', 'evt_1'])
      expect(await store.backfill({ deliveries: to('erp', 'evt_1', 'evt_3'), at: T + 7 })).toHaveLength(2)
      expect(await rows()).toEqual(['evt_1 erp pending', 'evt_3 erp pending'])
      const claim = { owner: 'one', leaseMs: 1_000, slots: new Map([['erp', 9]]) }
      expect((await store.claim({ ...claim, now: T + 6 })).map(({ event }) => event.id)).toEqual(['evt_1', 'evt_3'])
    })

    test('a backfill retries what was not delivered and leaves what was', async () => {
      await ring(store, [sampleEvent('evt_1'), sampleEvent('evt_2')], ['erp'])
      const claimed = await store.claim({ owner: 'one', now: T, leaseMs: 1_000, slots: new Map([['erp', 2]]) })
      const [delivered = '', exhausted = ''] = claimed.map(({ id }) => id)
      await store.settle('one', [
        { id: delivered, attempt: success(), result: { kind: 'delivered' } },
        { id: exhausted, attempt: attempt(), result: { kind: 'exhausted' } },
      ])
      expect(await store.backfill({ deliveries: to('erp', 'evt_1', 'evt_2'), at: T + 7 })).toEqual([exhausted])
      expect(await rows()).toEqual(['evt_1 erp delivered', 'evt_2 erp pending'])
    })

    test('a backfill to an endpoint that is shut is held until it opens', async () => {
      await ring(store, [sampleEvent('evt_1')], [])
      expect(await store.backfill({ deliveries: to('late', 'evt_1'), at: T })).toHaveLength(1)
      expect(await rows()).toEqual(['evt_1 late held'])
      await store.syncSubscriptions([{ name: 'late', enabled: true }], T)
      expect(await rows()).toEqual(['evt_1 late pending'])
    })
  })

  describe('tests', () => {
    let store: Store

    beforeEach(async () => {
      store = await open()
      await store.syncSubscriptions([{ name: 'erp', enabled: true }], T)
      return () => store[Symbol.asyncDispose]()
    })

    const ringTest = async (id = 'evt_test') => {
      const event = sampleEvent(id, { account: null, type: 'shipbell.test', cause: 'test' })
      await store.commit(batch({ events: [event], deliveries: [{ eventId: id, subscription: 'erp' }] }))
    }
    const claim = async () => await store.claim({ owner: 'one', now: T, leaseMs: 1_000, slots: new Map([['erp', 9]]) })

    test('are sent also where the endpoint is shut, by the file or by command', async () => {
      await store.disable('erp', { reason: 'gone', at: T })
      await store.syncSubscriptions([{ name: 'erp', enabled: false }], T)
      await ringTest()
      await ring(store, [sampleEvent('evt_1')], ['erp'])
      await store.disable('erp', { reason: 'again', at: T })
      expect((await claim()).map(({ event }) => event.id)).toEqual(['evt_test'])
    })

    test('wait where the subscription has left the file', async () => {
      await ringTest()
      await store.syncSubscriptions([], T)
      expect((await deliveriesOf(store, { limit: 1 }))[0]?.state).toBe('held')
      await store.syncSubscriptions([{ name: 'erp', enabled: true }], T)
      expect(await claim()).toHaveLength(1)
    })

    test('are in no count and say nothing about the health of the endpoint', async () => {
      await ring(store, [sampleEvent('evt_1')], ['erp'])
      await ringTest()
      const [real, row] = await claim()
      await store.settle('one', [
        { id: real?.id ?? '', attempt: attempt(), result: { kind: 'exhausted' } },
        { id: row?.id ?? '', attempt: success(), result: { kind: 'delivered' } },
      ])
      await ringTest('evt_test2')
      const [second] = await claim()
      await store.settle('one', [{ id: second?.id ?? '', attempt: attempt(), result: { kind: 'exhausted' } }])
      await ringTest('evt_test3')
      expect((await store.endpoints())[0]).toMatchObject({
        counts: { pending: 0, delivered: 0, exhausted: 1, held: 0, discarded: 0 },
        failuresInARow: 1,
        lastSuccessAt: null,
        oldestPendingAt: null,
      })
      expect(await deliveriesOf(store, { tests: false, limit: 9 })).toHaveLength(1)
      expect(await deliveriesOf(store, { limit: 9 })).toHaveLength(4)
    })
  })
}
