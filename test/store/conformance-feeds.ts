import { beforeEach, describe, expect, test } from 'vitest'
import { type FeedEnding } from '../../src/ledger/feeds.ts'
import type { OpenStore, TestedStore } from './conformance.ts'
import { attempt, ring, sampleEvent, success, T } from './samples.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** An event of a subject of its own. */
function nth(number: number, timestamp = T) {
  const subject = { resource: 'shipment', id: `SHP-${number}`, version: 1, previousEventId: null } as const
  return sampleEvent(`evt_${number}`, { subject, timestamp })
}

export function describeFeeds(open: OpenStore): void {
  describe('the feed of a subscription', () => {
    let store: TestedStore

    beforeEach(async () => {
      store = await open()
      const subscriptions = [
        { name: 'erp', enabled: true },
        { name: 'warehouse', enabled: true, channel: { kind: 'pull', keepMs: 30 * DAY } },
      ]
      await store.syncSubscriptions(subscriptions, T)
      return () => store[Symbol.asyncDispose]()
    })

    const part = async (subscription: string, after = 0, limit = 99) =>
      await store.feedPart({ subscription, after, limit })
    const shown = async (subscription: string, after = 0, limit = 99) =>
      (await part(subscription, after, limit))?.items.map(({ event, position, state }) => [position, event.id, state])
    const end = async (ending: FeedEnding, most = 99) =>
      await store.endFeed({ subscription: 'warehouse', ending, at: T + HOUR, most })
    const take = async (position: number, most?: number) => await end({ kind: 'taken', position }, most)

    test('shows rows in the order of their numbers, whatever became of them', async () => {
      await ring(store, [nth(1), nth(2)], [])
      await ring(store, [nth(3)], ['erp'])
      await store.backfill({ deliveries: [{ eventId: 'evt_2', subscription: 'erp' }], at: T })
      await ring(store, [{ ...nth(4), cause: 'test' }, nth(5)], ['erp'])
      const [row] = await store.claim({ owner: 'one', now: T, leaseMs: 1_000, slots: new Map([['erp', 1]]) })
      await store.settle('one', [{ id: row?.id ?? '', attempt: success(), result: { kind: 'delivered' } }])
      expect(await shown('erp')).toEqual([
        [1, 'evt_3', 'pending'],
        [2, 'evt_2', 'delivered'],
        [3, 'evt_5', 'pending'],
      ])
      expect(await shown('erp', 1, 1)).toEqual([[2, 'evt_2', 'delivered']])
      expect(await part('erp', 3)).toMatchObject({ first: 1, head: 3, items: [] })
      expect((await part('erp'))?.items[0]?.event.object).toEqual({ status: 'booked' })
      expect(await part('warehouse')).toMatchObject({ series: expect.any(String), first: null, head: 0, items: [] })
      expect(await part('nobody')).toBeNull()
    })

    test('goes on behind what was dropped', async () => {
      await ring(store, [nth(1)], ['warehouse'])
      await take(1)
      await ring(store, [nth(2, T + 900 * DAY)], ['warehouse'])
      await store.expirePayloads({ before: T + DAY, now: T, after: null, limit: 99 })
      expect((await part('warehouse'))?.items[0]?.event.expiredAt).toBe(T)
      await store.dropEnded({ before: T + DAY, after: null, limit: 99 })
      expect(await part('warehouse', 0, 0)).toMatchObject({ first: 2, head: 2 })
    })

    test('is taken up to a number, in slices, pending rows and held ones', async () => {
      await ring(store, [nth(1), nth(2), nth(3)], ['warehouse'])
      await store.disable('warehouse', { reason: 'away', at: T })
      await ring(store, [nth(4), nth(5)], ['warehouse'])
      expect(await take(4, 2)).toEqual({ ended: 2, isDone: false })
      expect(await take(4, 2)).toEqual({ ended: 2, isDone: false })
      expect(await take(4, 2)).toEqual({ ended: 0, isDone: true })
      expect(await take(2)).toEqual({ ended: 0, isDone: true })
      expect((await shown('warehouse'))?.map(([, , state]) => state)).toEqual([
        ...Array.from({ length: 4 }, () => 'delivered'),
        'held',
      ])
      const [, warehouse] = await store.endpoints()
      expect(warehouse).toMatchObject({
        isPulled: true,
        position: 5,
        counts: { delivered: 4, held: 1, pending: 0 },
        lastSuccessAt: T + HOUR,
      })
    })

    test('that was not taken in time is exhausted, and can be taken when somebody asked for it again', async () => {
      await ring(store, [nth(1), nth(2)], ['warehouse'])
      await ring(store, [nth(3, T + DAY)], ['warehouse'])
      const late = { kind: 'kept too long', before: T + 1 } as const
      expect(await end(late)).toEqual({ ended: 2, isDone: true })
      expect((await shown('warehouse'))?.map(([, , state]) => state)).toEqual(['exhausted', 'exhausted', 'pending'])
      const [, warehouse] = await store.endpoints()
      const reason = 'Nobody took it from the feed in time.'
      expect(warehouse).toMatchObject({ exhaustedSince: T + HOUR, lastError: reason, failuresInARow: 0 })
      const { items } = await store.deliveryPage({ undelivered: { now: T }, limit: 9 })
      expect(items.map(({ eventId, lastError }) => [eventId, lastError])).toEqual([
        ['evt_2', reason],
        ['evt_1', reason],
      ])
      expect(await store.retry([items[1]?.id ?? ''], { at: T + HOUR, delivered: false })).toBe(1)
      expect(await end(late)).toEqual({ ended: 0, isDone: true })
      expect(await take(1)).toEqual({ ended: 1, isDone: true })
      expect(await take(3)).toEqual({ ended: 1, isDone: true })
    })

    test('is known to be complete as far as every row has ended, and not once one is open again', async () => {
      await ring(store, [nth(1), nth(2), nth(3)], ['erp'])
      const walk = async () => {
        await store.endFeed({ subscription: 'erp', ending: null, at: T, most: 2 })
        return (await part('erp', 0, 0))?.endedTo
      }
      expect(await walk()).toBe(0)
      const rows = await store.claim({ owner: 'one', now: T, leaseMs: 1_000, slots: new Map([['erp', 2]]) })
      const ids = rows.map(({ id }) => id)
      await store.settle(
        'one',
        ids.map((id) => ({ id, attempt: success(), result: { kind: 'delivered' } })),
      )
      expect(await walk()).toBe(2)
      expect(await store.retry([ids[0] ?? ''], { at: T, delivered: true })).toBe(1)
      expect((await part('erp', 0, 0))?.endedTo).toBe(0)
      expect(await walk()).toBe(0)
    })

    test('fails no more because of what failed while it was sent to', async () => {
      await ring(store, [nth(1)], ['erp'])
      const [row] = await store.claim({ owner: 'one', now: T, leaseMs: 1_000, slots: new Map([['erp', 1]]) })
      const result = { kind: 'retry', at: T + HOUR } as const
      await store.settle('one', [{ id: row?.id ?? '', attempt: attempt(), result }])
      const failures = async () => (await store.endpoints()).map(({ failuresInARow: times }) => times)
      expect(await failures()).toEqual([1, 0])
      await store.syncSubscriptions([{ name: 'erp', enabled: true, channel: { kind: 'pull', keepMs: DAY } }], T)
      expect(await failures()).toEqual([0, 0])
    })

    test('has one watermark in its time, whoever asks, and none while its endpoint is shut', async () => {
      const claim = async () => await store.claimWatermark({ subscription: 'erp', everyMs: HOUR, now: T })
      expect(await claim()).toEqual({ isDue: true, waitMs: HOUR })
      expect(await claim()).toMatchObject({ isDue: false })
      await store.disable('warehouse', { reason: 'away', at: T })
      const shut = { subscription: 'warehouse', everyMs: HOUR, now: T }
      expect(await store.claimWatermark(shut)).toEqual({ isDue: false, waitMs: HOUR })
    })

    test('is in no backlog: what waits there is not undelivered', async () => {
      await ring(store, [nth(1)], ['erp', 'warehouse'])
      await store.disable('warehouse', { reason: 'away', at: T })
      await ring(store, [nth(2)], ['warehouse'])
      const page = await store.deliveryPage({ undelivered: { now: T }, limit: 9 })
      expect(page.items.map(({ subscription }) => subscription)).toEqual(['erp'])
      const ofEvent = await store.deliveryPage({ undelivered: { now: T }, eventId: 'evt_1', limit: 9 })
      expect(ofEvent.items.map(({ subscription }) => subscription)).toEqual(['erp'])
    })
  })
}
