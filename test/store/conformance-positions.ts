import { beforeEach, describe, expect, test } from 'vitest'
import type { DeliveryPlace } from '../../src/model/delivery-place.ts'
import type { OpenStore, TestedStore } from './conformance.ts'
import { ring, sampleEvent, success, T } from './samples.ts'

const DAY = 86_400_000

/** An event of a subject of its own. */
function nth(number: number, timestamp = T) {
  const subject = { resource: 'shipment', id: `SHP-${number}`, version: 1, previousEventId: null } as const
  return sampleEvent(`evt_${number}`, { subject, timestamp })
}

export function describePositions(open: OpenStore): void {
  describe('the numbers of deliveries', () => {
    let store: TestedStore

    beforeEach(async () => {
      store = await open()
      await know('erp', 'ops')
      return () => store[Symbol.asyncDispose]()
    })

    const know = async (...names: readonly string[]) =>
      await store.syncSubscriptions(
        names.map((name) => ({ name, enabled: true })),
        T,
      )
    const claim = async (name: string) =>
      await store.claim({ owner: 'one', now: T + DAY, leaseMs: 1_000, slots: new Map([[name, 99]]) })
    /** The places of what is claimed of a subscription, by event; all of it is delivered. */
    const places = async (name: string): Promise<Record<string, DeliveryPlace | null | undefined>> => {
      const rows = await claim(name)
      const attempt = success({ at: T + DAY, durationMs: 0 })
      await store.settle(
        'one',
        rows.map(({ id }) => ({ id, attempt, result: { kind: 'delivered' } })),
      )
      return Object.fromEntries(rows.map(({ event, place }) => [event.id, place]))
    }
    const numbers = async (name: string) =>
      Object.fromEntries(Object.entries(await places(name)).map(([id, place]) => [id, place?.position ?? null]))

    test('are those of each subscription, from 1 in the order of commits, whatever it hears', async () => {
      await ring(store, [nth(1)], ['erp', 'ops'])
      await ring(store, [nth(2)], ['ops'])
      await ring(store, [nth(3), nth(4)], ['erp', 'ops'])
      expect(await numbers('erp')).toEqual({ evt_1: 1, evt_3: 2, evt_4: 3 })
      expect(await numbers('ops')).toEqual({ evt_1: 1, evt_2: 2, evt_3: 3, evt_4: 4 })
    })

    test('go on with what is made later of older events, once for each row', async () => {
      await ring(store, [nth(1), nth(2)], [])
      await ring(store, [nth(3)], ['erp'])
      const fill = async (...ids: readonly string[]) =>
        await store.backfill({ deliveries: ids.map((eventId) => ({ eventId, subscription: 'erp' })), at: T })
      await fill('evt_3', 'evt_2', 'evt_2')
      await fill('evt_2', 'evt_none', 'evt_1')
      await ring(store, [nth(4)], ['erp'])
      expect(await numbers('erp')).toEqual({ evt_3: 1, evt_2: 2, evt_1: 3, evt_4: 4 })
    })

    test('are none of tests and samples, which leave no hole', async () => {
      await ring(store, [nth(1)], ['erp'])
      await ring(store, [{ ...nth(2), cause: 'test' }], ['erp'])
      await store.addSample({ event: nth(3), subscription: 'erp', at: T })
      await ring(store, [nth(4)], ['erp'])
      expect(await numbers('erp')).toEqual({ evt_1: 1, evt_2: null, evt_3: null, evt_4: 2 })
    })

    test('stay when rows are held, and go on when all before were dropped', async () => {
      await store.disable('erp', { reason: 'away', at: T })
      await ring(store, [nth(1), nth(2)], ['erp'])
      expect(await places('erp')).toEqual({})
      await store.enable('erp', { at: T, discard: false })
      expect(await numbers('erp')).toEqual({ evt_1: 1, evt_2: 2 })
      await ring(store, [nth(3, T + 900 * DAY)], [])
      await store.expirePayloads({ before: T + 2 * DAY, now: T, after: null, limit: 99 })
      await store.dropEnded({ before: T + 2 * DAY, after: null, limit: 99 })
      expect(await store.event('evt_2')).toBeNull()
      await ring(store, [nth(4)], ['erp'])
      expect(await numbers('erp')).toEqual({ evt_4: 3 })
    })

    test('belong to a series, which is another one for a name that was discarded', async () => {
      await ring(store, [nth(1)], ['erp', 'ops'])
      const first = (await places('erp'))['evt_1']?.series
      expect((await places('ops'))['evt_1']?.series).not.toBe(first)
      await know('ops')
      await know('erp', 'ops')
      await ring(store, [nth(2)], ['erp'])
      expect((await places('erp'))['evt_2']).toEqual({ series: first, position: 2 })
      await know('ops')
      await store.discard('erp', T)
      await know('erp', 'ops')
      await ring(store, [nth(3)], ['erp'])
      expect((await places('erp'))['evt_3']).toEqual({ series: expect.not.stringMatching(`^${first}$`), position: 3 })
    })
  })
}
