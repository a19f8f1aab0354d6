import { describe, expect, test } from 'vitest'
import type { OpenStore } from './conformance.ts'
import { batch, ring, sampleEvent, sampleState, T, write } from './samples.ts'
import { deliveriesOf, eventsOf } from '../support/log-rows.ts'

const NOW = { since: T, now: T }

export function describeQuestions(open: OpenStore): void {
  describe('questions', () => {
    test('events are found newest first by account, type, subject and time', async () => {
      await using store = await open()
      await ring(
        store,
        [
          sampleEvent('evt_1', { timestamp: T }),
          sampleEvent('evt_2', { timestamp: T + 1, type: 'shipment.updated' }),
          sampleEvent('evt_3', {
            timestamp: T + 1,
            subject: { resource: 'shipment', id: 'SHP-2', version: 1, previousEventId: null },
          }),
        ],
        [],
      )
      await store.commit(
        batch({ account: 'other', events: [sampleEvent('evt_4', { account: 'other', timestamp: T + 2 })] }),
      )
      const found = async (filter: object) => (await eventsOf(store, { limit: 9, ...filter })).map(({ id }) => id)
      expect(await found({})).toEqual(['evt_4', 'evt_3', 'evt_2', 'evt_1'])
      expect(await found({ limit: 2 })).toEqual(['evt_4', 'evt_3'])
      expect(await found({ account: 'acme' })).toEqual(['evt_3', 'evt_2', 'evt_1'])
      expect(await found({ types: ['shipment.updated', 'shipment.created'] })).toEqual(['evt_2'])
      expect(await found({ types: [] })).toEqual([])
      expect(await found({ subjectId: 'SHP-2' })).toEqual(['evt_3'])
      expect(await found({ since: T + 1 })).toEqual(['evt_4', 'evt_3', 'evt_2'])
      expect(await found({ since: T + 1, account: 'acme', subjectId: 'SHP-1' })).toEqual(['evt_2'])
    })

    test('deliveries are found newest first by id, event, subscription, state and time', async () => {
      await using store = await open()
      await store.syncSubscriptions([{ name: 'erp', enabled: true }], T)
      await ring(store, [sampleEvent('evt_1')], ['erp', 'ops'])
      await ring(store, [sampleEvent('evt_2', { timestamp: T + 1 })], ['erp'])
      const found = async (filter: object) =>
        (await deliveriesOf(store, { limit: 9, ...filter })).map(
          (row) => `${row.eventId} ${row.subscription} ${row.state}`,
        )
      expect((await found({})).slice(0, 1)).toEqual(['evt_2 erp pending'])
      expect(await found({ limit: 1 })).toHaveLength(1)
      expect((await found({ id: 'evt_1' })).sort()).toEqual(['evt_1 erp pending', 'evt_1 ops held'])
      const [row] = await deliveriesOf(store, { subscription: 'ops', limit: 9 })
      expect(row?.id).toMatch(/^dlv_[a-z0-9]+$/)
      expect(await found({ id: row?.id })).toEqual(['evt_1 ops held'])
      expect(await found({ id: 'nothing' })).toEqual([])
      expect(await found({ subscription: 'erp' })).toEqual(['evt_2 erp pending', 'evt_1 erp pending'])
      expect(await found({ states: ['held', 'exhausted'] })).toEqual(['evt_1 ops held'])
      expect(await found({ since: T + 1 })).toEqual(['evt_2 erp pending'])
      expect(await found({ id: 'evt_1', subscription: 'erp', states: ['pending'], since: T })).toEqual([
        'evt_1 erp pending',
      ])
      expect(await store.attempts('nothing')).toEqual([])
    })

    test('what rang later than it was seen is found by when it rang', async () => {
      await using store = await open()
      await store.syncSubscriptions([{ name: 'erp', enabled: true }], T)
      const deliveries = [{ eventId: 'evt_1', subscription: 'erp' }]
      await store.commit(batch({ events: [sampleEvent('evt_1')], deliveries, storedAt: T + 60_000 }))
      const since = T + 60_000
      expect((await deliveriesOf(store, { since, limit: 9 })).map(({ eventId }) => eventId)).toEqual(['evt_1'])
      expect((await eventsOf(store, { since, limit: 9 })).map(({ id }) => id)).toEqual(['evt_1'])
      expect(
        (await store.logPage({ since, after: null, limit: 9 })).events.map(({ event }) => event.timestamp),
      ).toEqual([T])
      expect(await deliveriesOf(store, { since: since + 1, limit: 9 })).toEqual([])
      expect((await store.endpoints()).map(({ oldestPendingAt }) => oldestPendingAt)).toEqual([since])
      const sweep = { before: since - 1, now: since + 1, after: null, limit: 9 }
      expect((await store.expirePayloads(sweep)).expired).toBe(0)
    })

    test('requests count as sent after they were counted, at the end of their minute at the latest', async () => {
      await using store = await open()
      const minute = Math.ceil(T / 60_000) * 60_000
      for (const [at, amount] of [
        [minute - 1, 2],
        [minute, 3],
        [minute + 59_999, 4],
        [minute + 60_000, 5],
        [minute + 180_000, 6],
      ] as const) {
        const count = { at, amount, budgetPerHour: 60 }
        if (amount % 2 === 0) await store.countRequests('acme', count)
        else await store.commit(batch({ requests: count }))
      }
      const spent = (await store.restraint('acme', { since: minute, now: minute + 60_001 })).spent
      const sent = spent.flatMap(({ amount, at }) => Array<number>(amount).fill(at))
      expect(sent).toEqual(sent.toSorted((a, b) => a - b))
      expect(sent.slice(0, 3).filter((at) => at < minute || at > minute + 60_000)).toEqual([])
      expect(sent.slice(3)).toEqual([
        ...Array<number>(4).fill(minute + 60_000),
        ...Array<number>(5).fill(minute + 60_001),
      ])
      expect((await store.restraint('other', { since: 0, now: minute + 60_001 })).spent).toEqual([])
    })

    test('accounts tell their lists, their sequence and their health', async () => {
      await using store = await open()
      expect(await store.accounts(0)).toEqual([])
      const list = await store.startPass('acme', 'shipment', T)
      await store.startPass('acme', 'invoice', T)
      const health = sampleState('acme', {
        resource: 'account',
        seen: null,
        reported: null,
        memory: { health: { state: 'degraded', since: T, reason: 'It timed out.' } },
      })
      await store.commit(
        batch({
          records: [
            write(sampleState('A', { lastRead: { sentAt: T, answeredAt: T + 10 } })),
            write(sampleState('B', { lastRead: { sentAt: T, answeredAt: T + 30 } })),
            write(health, { contentHash: null }),
          ],
          events: [sampleEvent('evt_1'), sampleEvent('evt_0', { account: null })],
          list: { resource: 'shipment', state: { ...list, completedAt: T + 40 } },
        }),
      )
      await store.commit(batch({ account: 'beta', records: [] }))
      expect(await store.accounts(0)).toEqual([
        {
          account: 'acme',
          lists: [
            expect.objectContaining({
              resource: 'invoice',
              pass: 1,
              records: 0,
              oldestReadAt: null,
              newestReadAt: null,
            }),
            expect.objectContaining({
              pass: list.pass,
              passStartedAt: T,
              completedAt: T + 40,
              resource: 'shipment',
              records: 2,
              oldestReadAt: T + 10,
              newestReadAt: T + 30,
            }),
          ],
          lastSequence: 1,
          budgetUse: null,
          pause: null,
          ceiling: null,
          record: health,
        },
        { account: 'beta', lists: [], lastSequence: 0, budgetUse: null, pause: null, ceiling: null, record: null },
      ])
    })

    test('accounts tell how much of their budget the last hour used', async () => {
      await using store = await open()
      const budgetPerHour = 3_600
      await store.countRequests('acme', { at: T - 3_600_000, amount: 100, budgetPerHour })
      await store.countRequests('acme', { at: T - 60_000, amount: 5, budgetPerHour })
      await store.countRequests('acme', { at: T, amount: 2, budgetPerHour })
      await store.countRequests('acme', { at: T, amount: 1, budgetPerHour })
      const [account] = await store.accounts(T)
      expect(account?.budgetUse).toEqual({ requests: 8, budgetPerHour })
    })

    test('accounts tell how long their platform is left alone', async () => {
      await using store = await open()
      const pause = { failures: 1, throttles: 2, notBefore: T + 9_000, decidedAt: T, reason: 'too many requests' }
      expect((await store.restraint('acme', NOW)).pause).toBeNull()
      await store.commit(batch({ pause }))
      await store.commit(batch({}))
      expect((await store.restraint('acme', NOW)).pause).toEqual(pause)
      expect((await store.restraint('other', NOW)).pause).toBeNull()
      expect(await store.accounts(T)).toMatchObject([{ account: 'acme', pause }])
      await store.commit(batch({ pause: null }))
      expect(await store.accounts(T)).toMatchObject([{ account: 'acme', pause: null }])
    })

    test('what of its budget a key bears is kept until it is told otherwise', async () => {
      await using store = await open()
      const ceiling = { fraction: 0.5, loweredAt: T, creditedTo: T + 60_000, isStrained: true, of: 'somebody' }
      expect((await store.restraint('acme', NOW)).ceiling).toBeNull()
      await store.commit(batch({ ceiling }))
      await store.commit(batch())
      expect((await store.restraint('acme', NOW)).ceiling).toEqual(ceiling)
      expect((await store.restraint('other', NOW)).ceiling).toBeNull()
      await store.commit(batch({ ceiling: null }))
      expect((await store.restraint('acme', NOW)).ceiling).toBeNull()
    })

    test('endpoints tell how they are and what waits for them', async () => {
      await using store = await open()
      expect(await store.endpoints()).toEqual([])
      await store.syncSubscriptions(
        [
          { name: 'erp', enabled: true },
          { name: 'off', enabled: false },
        ],
        T,
      )
      await ring(
        store,
        [sampleEvent('evt_1', { timestamp: T + 3 }), sampleEvent('evt_2', { timestamp: T + 4 })],
        ['erp', 'off'],
      )
      const none = { pending: 0, delivered: 0, exhausted: 0, held: 0, discarded: 0 }
      const healthy = {
        disabled: null,
        runtime: null,
        failuresInARow: 0,
        failingSince: null,
        failingForMs: 0,
        lastFailureAt: null,
        lastError: null,
        lastSuccessAt: null,
        exhaustedSince: null,
      }
      expect(await store.endpoints()).toEqual([
        {
          subscription: 'erp',
          configured: true,
          enabled: true,
          counts: { ...none, pending: 2 },
          oldestPendingAt: T + 3,
          isPulled: false,
          position: 2,
          ...healthy,
        },
        {
          subscription: 'off',
          configured: true,
          enabled: false,
          counts: { ...none, held: 2 },
          oldestPendingAt: null,
          isPulled: false,
          position: 2,
          ...healthy,
        },
      ])
      await store.syncSubscriptions([], T)
      expect((await store.endpoints()).map(({ configured }) => configured)).toEqual([false, false])
    })
  })
}
