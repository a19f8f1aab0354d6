import { beforeEach, describe, expect, test } from 'vitest'
import type { AttemptResult } from '../../src/model/attempt-result.ts'
import type { Store } from '../../src/store/ports/store.ts'
import type { SweepPlace } from '../../src/store/ports/retention-port.ts'
import type { OpenStore } from './conformance.ts'
import { attempt, batch, ring, sampleEvent, sampleState, success, T, write } from './samples.ts'
import { deliveriesOf, eventsOf } from '../support/log-rows.ts'

const DAY = 86_400_000

/** A whole sweep, in steps of `limit`. */
async function sweep(store: Store, before: number, limit = 2): Promise<number> {
  let expired = 0
  let after: SweepPlace | null = null
  do {
    const step: Awaited<ReturnType<Store['expirePayloads']>> = await store.expirePayloads({
      before,
      now: before + 30 * DAY,
      after,
      limit,
    })
    expired += step.expired
    after = step.end
  } while (after !== null)
  return expired
}

export function describeRetention(open: OpenStore): void {
  describe('retention', () => {
    let store: Store

    beforeEach(async () => {
      store = await open()
      await store.syncSubscriptions(
        [
          { name: 'erp', enabled: true },
          { name: 'ops', enabled: true },
        ],
        T,
      )
      return () => store[Symbol.asyncDispose]()
    })

    /** The row of `subscription` for the oldest event that waits ends so, at `at`. */
    const end = async (subscription: string, result: AttemptResult['result'], at: number) => {
      const [row] = await store.claim({ owner: 'one', now: at, leaseMs: 1_000, slots: new Map([[subscription, 1]]) })
      const made = result.kind === 'delivered' ? success({ at, durationMs: 0 }) : attempt({ at, durationMs: 0 })
      await store.settle('one', [{ id: row?.id ?? '', attempt: made, result }])
      return row?.id ?? ''
    }
    const expiredIds = async () =>
      (await eventsOf(store, { limit: 99 }))
        .filter(({ expiredAt }) => expiredAt !== null)
        .map(({ id }) => id)
        .toSorted()

    test('an event expires once its last row has ended that long ago, and not a moment before', async () => {
      await ring(store, [sampleEvent('evt_1')], ['erp', 'ops'])
      await end('erp', { kind: 'delivered' }, T + 1)
      await end('ops', { kind: 'exhausted' }, T + 5)
      expect(await sweep(store, T + 4)).toBe(0)
      expect(await sweep(store, T + 5)).toBe(1)
      expect(await sweep(store, T + 5)).toBe(0)
      expect(await expiredIds()).toEqual(['evt_1'])
    })

    test('only the payload goes: envelope, rows and attempts stay', async () => {
      const sent = sampleEvent('evt_1', {
        shipment: {
          id: 'SHP-1',
          name: 'Coffee',
          status: 'booked',
          freight_mode: 'ocean',
          purchase_order_references: [],
          container_numbers: [],
          master_bill: null,
          house_bill: null,
        },
      })
      await ring(store, [sent], ['erp'])
      const row = await end('erp', { kind: 'delivered' }, T + 1)
      await sweep(store, T + 1)
      const gone = { object: null, before: null, changes: null, shipment: null, extras: {} }
      expect(await store.event('evt_1')).toEqual({ ...sent, ...gone, sequence: 1, expiredAt: T + 1 + 30 * DAY })
      expect((await deliveriesOf(store, { id: row, limit: 1 }))[0]).toMatchObject({
        state: 'delivered',
        attempts: 1,
        lastStatus: 200,
        payloadExpiredAt: T + 1 + 30 * DAY,
      })
      expect(await store.attempts(row)).toEqual([success({ at: T + 1, durationMs: 0, answer: null })])
      expect((await store.endpoints())[0]?.counts).toMatchObject({ delivered: 1 })
    })

    test('never while a row is pending, waits for its retry or is held, however old', async () => {
      await ring(store, [sampleEvent('evt_1'), sampleEvent('evt_2'), sampleEvent('evt_3')], ['erp'])
      await ring(store, [sampleEvent('evt_4')], ['ops'])
      await end('erp', { kind: 'delivered' }, T + 1)
      await end('erp', { kind: 'retry', at: T + 400 * DAY }, T + 1)
      await store.disable('ops', { reason: 'gone', at: T })
      expect(await sweep(store, T + 300 * DAY)).toBe(1)
      expect(await expiredIds()).toEqual(['evt_1'])
      expect((await store.event('evt_4'))?.object).toEqual({ status: 'booked' })
    })

    test('one whose rows were discarded counts from then on', async () => {
      await ring(store, [sampleEvent('evt_1')], ['ops'])
      await store.disable('ops', { reason: 'gone', at: T })
      await store.discard('ops', T + 9)
      expect(await sweep(store, T + 8)).toBe(0)
      expect(await sweep(store, T + 9)).toBe(1)
    })

    test('one that was retried counts from its new end', async () => {
      await ring(store, [sampleEvent('evt_1')], ['erp'])
      const row = await end('erp', { kind: 'exhausted' }, T + 1)
      await store.retry([row], { at: T + 5, delivered: false })
      expect(await sweep(store, T + DAY)).toBe(0)
      await end('erp', { kind: 'delivered' }, T + 2 * DAY)
      expect(await sweep(store, T + 2 * DAY - 1)).toBe(0)
      expect(await sweep(store, T + 2 * DAY)).toBe(1)
    })

    test('events that nobody hears expire by their own age', async () => {
      await ring(store, [sampleEvent('evt_1', { timestamp: T }), sampleEvent('evt_2', { timestamp: T + 1 })], [])
      expect(await sweep(store, T)).toBe(1)
      expect(await expiredIds()).toEqual(['evt_1'])
    })

    test('a step looks at few events, and a sweep at all of them, past those that must stay', async () => {
      const ids = Array.from({ length: 9 }, (_, index) => `evt_${index}`)
      for (const id of ids) await ring(store, [sampleEvent(id)], id < 'evt_5' ? ['erp'] : [])
      expect(await store.expirePayloads({ before: T, now: T, after: null, limit: 3 })).toMatchObject({
        expired: 0,
        end: expect.anything(),
      })
      expect(await sweep(store, T, 3)).toBe(4)
      expect(await expiredIds()).toEqual(ids.slice(5))
    })

    test('what records are known by stays, also where an expired event showed the same', async () => {
      const record = { platform_shipment_id: 'SHP-1', status: 'booked' }
      await store.commit(
        batch({
          records: [write(sampleState('SHP-1', { seen: record, reported: record }))],
          events: [sampleEvent('evt_1', { object: record, before: { status: 'draft' } })],
        }),
      )
      expect(await sweep(store, T)).toBe(1)
      const known = (await store.records('acme', 'shipment', ['SHP-1'])).get('SHP-1')
      expect([known?.seen, known?.reported]).toEqual([record, record])
    })

    test('what a younger event shows stays until it expires itself', async () => {
      const [draft, booked] = [{ status: 'draft' }, { status: 'booked' }]
      await ring(
        store,
        [
          sampleEvent('evt_1', { timestamp: T, before: null, object: draft }),
          sampleEvent('evt_2', { timestamp: T + 1, before: draft, object: booked }),
        ],
        [],
      )
      await sweep(store, T)
      expect(await store.event('evt_2')).toMatchObject({ before: draft, object: booked })
      await sweep(store, T + 1)
      expect(await store.event('evt_2')).toMatchObject({ before: null, object: null })
    })

    test('the chain of a subject and its numbers go on, and a known event is not stored anew', async () => {
      await ring(store, [sampleEvent('evt_1')], [])
      await sweep(store, T)
      const next = { resource: 'shipment', id: 'SHP-1', version: 2, previousEventId: 'evt_1' } as const
      await ring(store, [sampleEvent('evt_1'), sampleEvent('evt_2', { subject: next })], ['erp'])
      expect(await store.event('evt_1')).toMatchObject({ sequence: 1, object: null })
      expect(await store.event('evt_2')).toMatchObject({ sequence: 2, subject: next })
      expect(await deliveriesOf(store, { id: 'evt_1', limit: 9 })).toEqual([])
    })

    test('what an event corrects stays: the story of both still tells it', async () => {
      const correction = { cause: 'correction', type: 'shipment.milestone_corrected' } as const
      await ring(
        store,
        [
          sampleEvent('evt_1', { type: 'shipment.departed' }),
          sampleEvent('evt_2', {
            ...correction,
            extras: { corrects: 'evt_1', date_change: { milestone: 'departure' } },
          }),
        ],
        [],
      )
      expect(await sweep(store, T)).toBe(2)
      const emitted = await store.story('evt_2')
      expect(emitted?.event).toMatchObject({ extras: { corrects: 'evt_1' }, expiredAt: T + 30 * DAY })
      expect(emitted?.corrects?.id).toBe('evt_1')
      expect((await store.story('evt_1'))?.correctedBy.map(({ id }) => id)).toEqual(['evt_2'])
      expect((await store.event('evt_1'))?.extras).toEqual({})
    })

    test('an expired event is never sent again: neither a retry nor a backfill makes a row due', async () => {
      await ring(store, [sampleEvent('evt_1')], ['erp'])
      const row = await end('erp', { kind: 'exhausted' }, T + 1)
      await sweep(store, T + 1)
      expect(await store.retry([row], { at: T + 2, delivered: true })).toBe(0)
      const both = ['erp', 'ops'].map((subscription) => ({ eventId: 'evt_1', subscription }))
      expect(await store.backfill({ deliveries: both, at: T + 2 })).toEqual([])
      expect(await deliveriesOf(store, { id: 'evt_1', limit: 9 })).toMatchObject([{ id: row, state: 'exhausted' }])
      expect(await store.nextDueAt()).toBeNull()
    })
  })
}
