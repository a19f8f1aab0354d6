import { NO_GAPS } from '../../src/model/list-gaps.ts'
import { describe, expect, test } from 'vitest'
import type { OpenStore } from './conformance.ts'
import { batch, ring, sampleEvent, sampleState, T, write } from './samples.ts'
import { deliveriesOf, eventsOf } from '../support/log-rows.ts'

/** What is known of a list beside its state, before anything is. */
const UNKNOWN = { records: 0, churning: [], validatorsLie: false, audit: null }

export function describePolling(open: OpenStore): void {
  describe('lists', () => {
    test('a list that was never read has zero values', async () => {
      await using store = await open()
      expect(await store.listState('acme', 'shipment')).toEqual({
        pass: 0,
        passStartedAt: null,
        completedAt: null,
        completeFrom: null,
        baselinedAt: null,
        largestPage: 0,
        endProbe: null,
        shipmentIdField: null,
        baselinePass: null,
        fetchWorks: false,
        absorbed: [],
        idCollisions: [],
        gaps: NO_GAPS,
        ...UNKNOWN,
      })
    })

    test('starting a pass counts it and keeps the rest of the list', async () => {
      await using store = await open()
      const state = {
        pass: 3,
        passStartedAt: T,
        completedAt: T + 1,
        completeFrom: T - 9,
        baselinedAt: T + 2,
        largestPage: 50,
        endProbe: { at: T - 1, skip: 50 },
        shipmentIdField: 'x_shipment_id',
        baselinePass: 1,
        fetchWorks: true,
        absorbed: ['/cargo/containers/*/colour'],
        idCollisions: [{ id: 'A', hashes: ['one', 'two'], passes: 2 }],
        gaps: {
          places: [
            {
              skip: 7,
              rows: 2,
              isSplit: true,
              tries: 1,
              nextAt: T + 5,
              reason: 'it answered 500',
              ofBaseline: true,
              after: 'G',
            },
          ],
          unreadFrom: 10_000,
          incomplete: { passes: 3, at: T + 2, since: T, skip: 7, reason: 'it answered 500', hasRung: true },
          catchingUp: { passes: 2 },
        },
      }
      const next = { ...state, pass: 4, passStartedAt: T + 9, completeFrom: T, ...UNKNOWN }
      await store.commit(batch({ list: { resource: 'shipment', state } }))
      expect(await store.startPass('acme', 'shipment', T + 9)).toEqual(next)
      expect(await store.listState('acme', 'shipment')).toEqual(next)
      expect(await store.startPass('acme', 'shipment', T + 19)).toMatchObject({
        passStartedAt: T + 19,
        completeFrom: T,
      })
      expect((await store.startPass('acme', 'invoice', T)).pass).toBe(1)
      expect((await store.startPass('other', 'shipment', T)).pass).toBe(1)
    })

    test('records that a pass has not met are missing', async () => {
      await using store = await open()
      const list = await store.startPass('acme', 'shipment', T)
      const records = ['A', 'B', 'C'].map((id) => write(sampleState(id)))
      await store.commit(batch({ records, list: { resource: 'shipment', state: list } }))
      expect(await store.missing('acme', 'shipment', list.pass)).toHaveLength(0)

      const next = await store.startPass('acme', 'shipment', T + 1)
      expect(next.records).toBe(3)
      expect(await store.missing('acme', 'shipment', next.pass)).toHaveLength(3)
      const unchanged = { resource: 'shipment', ids: ['A'], read: { sentAt: T + 1, answeredAt: T + 2 } } as const
      await store.commit(
        batch({
          unchanged,
          records: [write(sampleState('B'), { expectedVersion: 0 })],
          list: { resource: 'shipment', state: next },
        }),
      )
      expect(await store.missing('acme', 'shipment', next.pass)).toHaveLength(1)
      expect(await store.missing('other', 'shipment', next.pass)).toHaveLength(0)
    })

    test('a record read outside its list is not met by the pass', async () => {
      await using store = await open()
      const list = await store.startPass('acme', 'shipment', T)
      await store.commit(batch({ records: [write(sampleState('A'))] }))
      await store.commit(
        batch({
          unchanged: { resource: 'shipment', ids: ['A'], read: { sentAt: T, answeredAt: T } },
          list: { resource: 'invoice', state: list },
        }),
      )
      expect(await store.missing('acme', 'shipment', list.pass)).toHaveLength(1)
    })
  })

  describe('records', () => {
    test('a record is read back as it was written', async () => {
      await using store = await open()
      const state = sampleState('SHP-1', {
        seen: { status: 'booked', nested: { list: [1, 2.5, 'x', null, true] } },
        reported: { status: 'draft' },
        version: 4,
        lastEventId: 'evt_4',
        atBaseline: false,
        closedAt: T + 5,
        memory: {
          milestones: { arrival: { first: { date: '2026-12-01', seenAt: T }, instants: [T], actualEventId: null } },
          rung: ['due/2026-12-01/status'],
        },
      })
      await store.commit(batch({ records: [write(state)] }))
      expect(await store.records('acme', 'shipment', ['SHP-1', 'SHP-2'])).toEqual(new Map([['SHP-1', state]]))
      expect(await store.records('other', 'shipment', ['SHP-1'])).toEqual(new Map())
      expect(await store.records('acme', 'tracking', ['SHP-1'])).toEqual(new Map())
    })

    test('a record of which reads showed nothing is known', async () => {
      await using store = await open()
      const state = sampleState('SHP-1', { resource: 'tracking', seen: null, reported: null })
      await store.commit(batch({ records: [write(state, { contentHash: null })] }))
      expect((await store.records('acme', 'tracking', ['SHP-1'])).get('SHP-1')).toEqual(state)
      expect(await store.known('acme', 'tracking', ['SHP-1'])).toEqual(
        new Map([['SHP-1', { contentHash: null, etag: null, lastRead: state.lastRead, removed: false, misses: 0 }]]),
      )
    })

    test('a subscription is of no account, whichever account taught of it, and is guarded by its version', async () => {
      await using store = await open()
      const state = sampleState('erp', { resource: 'subscription', seen: null, reported: null, version: 1 })
      const subject = { resource: 'subscription', id: 'erp', version: 1, previousEventId: null } as const
      const service = sampleEvent('evt_1', {
        type: 'endpoint.failing',
        account: null,
        subject,
        object: null,
        before: null,
      })
      await store.commit(
        batch({ records: [write(state, { contentHash: null })], events: [service, sampleEvent('evt_2')] }),
      )
      expect(await store.records(null, 'subscription', ['erp', 'ops'])).toEqual(new Map([['erp', state]]))
      expect(await store.records('acme', 'subscription', ['erp'])).toEqual(new Map())
      expect((await eventsOf(store, { limit: 5 })).map(({ account, sequence }) => [account, sequence])).toEqual([
        ['acme', 1],
        [null, 1],
      ])
      const again = batch({ account: 'globex', records: [write(state, { contentHash: null })] })
      await expect(store.commit(again)).rejects.toMatchObject({ code: 'store_conflict' })
      expect((await store.accounts(T)).map(({ account }) => account)).toEqual(['acme'])
    })

    test('an unchanged record gets the newer read and nothing else', async () => {
      await using store = await open()
      const state = sampleState('SHP-1')
      await store.commit(batch({ records: [write(state)] }))
      const read = { sentAt: T + 60_000, answeredAt: T + 60_100 }
      await store.commit(batch({ unchanged: { resource: 'shipment', ids: ['SHP-1', 'unknown'], read } }))
      expect(await store.known('acme', 'shipment', ['SHP-1', 'unknown'])).toEqual(
        new Map([['SHP-1', { contentHash: 'hash of SHP-1', etag: null, lastRead: read, removed: false, misses: 0 }]]),
      )
      expect((await store.records('acme', 'shipment', ['SHP-1'])).get('SHP-1')).toEqual({ ...state, lastRead: read })
    })

    test.each([
      ['a record that exists although it must not', null],
      ['a record at another version', 1],
    ])('%s is a conflict, and nothing of the batch is kept', async (_, expectedVersion) => {
      await using store = await open()
      await store.syncSubscriptions([{ name: 'erp', enabled: true }], T)
      const state = sampleState('SHP-1', { version: 2 })
      await store.commit(batch({ records: [write(state)] }))
      const list = await store.startPass('acme', 'shipment', T)
      const conflicting = batch({
        records: [write(sampleState('SHP-2')), write(sampleState('SHP-1', { version: 3 }), { expectedVersion })],
        events: [sampleEvent('evt_1')],
        deliveries: [{ eventId: 'evt_1', subscription: 'erp' }],
        list: { resource: 'shipment', state: { ...list, completedAt: T } },
      })
      await expect(store.commit(conflicting)).rejects.toMatchObject({ code: 'store_conflict' })
      expect(await store.records('acme', 'shipment', ['SHP-1', 'SHP-2'])).toEqual(new Map([['SHP-1', state]]))
      expect(await store.event('evt_1')).toBeNull()
      expect(await deliveriesOf(store, { limit: 9 })).toEqual([])
      expect((await store.listState('acme', 'shipment')).completedAt).toBeNull()
    })

    test('a record that is gone although it should be at a version is a conflict', async () => {
      await using store = await open()
      const records = [write(sampleState('SHP-1'), { expectedVersion: 0 })]
      await expect(store.commit(batch({ records }))).rejects.toMatchObject({ code: 'store_conflict' })
    })

    test('an id as long as any that is let in is a key of all that is kept of it', async () => {
      await using store = await open()
      const id = Array.from({ length: 500 }, (_, n) => String.fromCharCode(0x4e_00 + ((n * 7_919) % 20_000))).join('')
      const subject = { resource: 'shipment', id, version: 1, previousEventId: null } as const
      const to = { date: '2026-12-01', status: 'estimated' }
      const extras = { date_change: { milestone: 'arrival', from: null, to, first: to, revision: 1 } }
      const unit = { resource: 'shipment', what: 'item', name: id, mix: {} } as const
      await store.commit(
        batch({
          records: [
            write(sampleState(id, { nextEdgeAt: T, closedAt: T, memory: { settling: { dueAt: T, estimates: {} } } })),
          ],
          events: [sampleEvent('evt_1', { subject, extras })],
          dates: [{ subscription: 'e'.repeat(64), subject, date: 'arrival', instant: T, version: 1 }],
          learnt: { profile: null, units: [{ ...unit, activity: { changes: 1, expected: 1, at: T } }], gone: [] },
          quarantine: { resource: 'shipment', via: 'list', remember: [{ id, reason: id.repeat(20) }], forget: [] },
        }),
      )
      expect([...(await store.records('acme', 'shipment', [id])).keys()]).toEqual([id])
      expect(await store.calendar.due('acme', { until: T })).toMatchObject([{ resource: 'shipment', id }])
      expect((await store.eventPage({ subjectId: id, limit: 9 })).items.map((event) => event.id)).toEqual(['evt_1'])
    })

    test('ids and values of any shape come back as they were', async () => {
      await using store = await open()
      const ids = ['__proto__', "O'Reilly; --", 'a/b c', 'ä\u0000ö', '🚢', '']
      const seen = JSON.parse('{"__proto__": {"polluted": true}, "constructor": "x", "text": "\\u0000\\ud800"}')
      const records = ids.map((id) => write(sampleState(id, { seen, reported: seen })))
      await store.commit(batch({ records }))
      const states = await store.records('acme', 'shipment', ids)
      expect([...states.keys()]).toEqual(ids)
      for (const id of ids) expect(JSON.stringify(states.get(id)?.seen)).toBe(JSON.stringify(seen))
      expect([...(await store.known('acme', 'shipment', ids)).keys()]).toEqual(ids)
    })
  })

  describe('events', () => {
    test('an event is read back as it was written, with its place in the sequence', async () => {
      await using store = await open()
      const plain = sampleEvent('evt_1')
      const bare = sampleEvent('evt_2', {
        type: 'account.recovered',
        cause: 'correction',
        subject: { resource: 'account', id: 'acme', version: 2, previousEventId: 'evt_1' },
        observed: null,
        object: null,
        before: null,
        changes: null,
        shipment: {
          id: 'SHP-1',
          name: null,
          status: 'booked',
          freight_mode: 'ocean',
          purchase_order_references: ['PO 1'],
          container_numbers: [],
          master_bill: null,
          house_bill: null,
        },
        extras: {},
      })
      const firstRead = sampleEvent('evt_3', { observed: { notBefore: null, notAfter: T } })
      await ring(store, [plain, bare, firstRead], [])
      expect(await store.event('evt_1')).toEqual({ ...plain, sequence: 1, expiredAt: null })
      expect(await store.event('evt_2')).toEqual({ ...bare, sequence: 2, expiredAt: null })
      expect(await store.event('evt_3')).toEqual({ ...firstRead, sequence: 3, expiredAt: null })
      expect(await store.event('evt_4')).toBeNull()
    })

    test('every account has a sequence of its own, and so have the events of none', async () => {
      await using store = await open()
      await ring(store, [sampleEvent('evt_a1'), sampleEvent('evt_0', { account: null }), sampleEvent('evt_a2')], [])
      await store.commit(batch({ account: 'other', events: [sampleEvent('evt_o1', { account: 'other' })] }))
      await ring(store, [sampleEvent('evt_00', { account: null }), sampleEvent('evt_a3')], [])
      const sequences = await Promise.all(
        ['evt_a1', 'evt_a2', 'evt_a3', 'evt_o1', 'evt_0', 'evt_00'].map(
          async (id) => (await store.event(id))?.sequence,
        ),
      )
      expect(sequences).toEqual([1, 2, 3, 1, 1, 2])
    })

    test('an event that is already stored is left out with its deliveries, and takes no number', async () => {
      await using store = await open()
      await store.syncSubscriptions([{ name: 'erp', enabled: true }], T)
      await ring(store, [sampleEvent('evt_1')], ['erp'])
      await ring(store, [sampleEvent('evt_1'), sampleEvent('evt_2'), sampleEvent('evt_2')], ['erp', 'late'])
      expect((await store.event('evt_2'))?.sequence).toBe(2)
      const rows = await deliveriesOf(store, { limit: 9 })
      expect(rows.map(({ eventId, subscription }) => `${eventId} ${subscription}`).sort()).toEqual([
        'evt_1 erp',
        'evt_2 erp',
        'evt_2 late',
      ])
    })

    test('a delivery of an event outside the batch is refused whole', async () => {
      await using store = await open()
      const deliveries = [{ eventId: 'evt_9', subscription: 'erp' }]
      await expect(store.commit(batch({ events: [sampleEvent('evt_1')], deliveries }))).rejects.toMatchObject({
        code: 'internal',
      })
      expect(await store.event('evt_1')).toBeNull()
    })
  })
}
