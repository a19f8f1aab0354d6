import { describe, expect, test } from 'vitest'
import type { NotifiedDate } from '../../src/model/routing.ts'
import type { OpenStore } from './conformance.ts'
import { batch, sampleEvent, sampleState, T, write } from './samples.ts'

const ASKED = { subscriptions: ['erp'], subjects: [{ resource: 'shipment', id: 'SHP-1' }] } as const

function notified(changes: Partial<NotifiedDate> = {}): NotifiedDate {
  const subject = { resource: 'shipment', id: 'SHP-1' } as const
  return { subscription: 'erp', subject, date: 'arrival', instant: T, version: 1, ...changes }
}

export function describeRouting(open: OpenStore): void {
  describe('what routing must know', () => {
    test('is empty at first, and the sequence of each series afterwards', async () => {
      await using store = await open()
      expect(await store.routingState('acme', ASKED)).toEqual({ lastSequence: 0, dates: [] })
      const subject = { resource: 'subscription', id: 'erp', version: 1, previousEventId: null } as const
      const failing = sampleEvent('evt_3', { type: 'endpoint.failing', account: null, subject })
      await store.commit(batch({ events: [sampleEvent('evt_1'), sampleEvent('evt_2'), failing] }))
      expect((await store.routingState('acme', ASKED)).lastSequence).toBe(2)
      expect((await store.routingState(null, ASKED)).lastSequence).toBe(1)
      expect((await store.routingState('globex', ASKED)).lastSequence).toBe(0)
    })

    test('are the dates of the subjects and subscriptions that are asked for', async () => {
      await using store = await open()
      const dates = [
        notified(),
        notified({ date: 'delivery', instant: null }),
        notified({ subscription: 'ops' }),
        notified({ subject: { resource: 'shipment', id: 'SHP-2' } }),
        notified({ subject: { resource: 'invoice', id: 'SHP-1' }, date: 'due' }),
      ]
      await store.commit(batch({ dates }))
      const read = (await store.routingState('acme', ASKED)).dates
      expect(read).toHaveLength(2)
      expect(read).toEqual(expect.arrayContaining(dates.slice(0, 2)))
      expect((await store.routingState('globex', ASKED)).dates).toEqual([])
    })

    test('a later version of the subject replaces a date, and the same one that is told again; an earlier one does not', async () => {
      await using store = await open()
      const instant = async (): Promise<number | null | undefined> =>
        (await store.routingState('acme', ASKED)).dates[0]?.instant
      await store.commit(batch({ dates: [notified({ version: 5, instant: 50 })] }))
      await store.commit(batch({ dates: [notified({ version: 4, instant: 40 })] }))
      await store.commit(batch({ dates: [notified({ version: 5, instant: 51 })] }))
      expect(await instant()).toBe(51)
      await store.commit(batch({ dates: [notified({ version: 6, instant: null })] }))
      expect(await instant()).toBeNull()
    })

    test('nothing of a batch that conflicts is kept', async () => {
      await using store = await open()
      await store.commit(batch({ records: [write(sampleState('SHP-1'))] }))
      const conflicting = batch({ records: [write(sampleState('SHP-1'))], dates: [notified()] })
      await expect(store.commit(conflicting)).rejects.toMatchObject({ code: 'store_conflict' })
      expect((await store.routingState('acme', ASKED)).dates).toEqual([])
    })

    test('is forgotten for subscriptions that are configured without `min_shift`, and kept for missing ones', async () => {
      await using store = await open()
      const every = { ...ASKED, subscriptions: ['erp', 'ops', 'gone'] }
      await store.commit(batch({ dates: every.subscriptions.map((subscription) => notified({ subscription })) }))
      await store.syncSubscriptions(
        [
          { name: 'erp', enabled: false, minShiftMs: 60_000 },
          { name: 'ops', enabled: true, minShiftMs: null },
        ],
        T,
      )
      const { dates } = await store.routingState('acme', every)
      expect(dates.map(({ subscription }) => subscription).sort()).toEqual(['erp', 'gone'])
    })
  })
}
