import { describe, expect, test } from 'vitest'
import type { EventDraft } from '../../src/model/event.ts'
import type { RecordState } from '../../src/model/record-state.ts'
import type { RecordQuery } from '../../src/store/ports/record-query-port.ts'
import type { Store } from '../../src/store/ports/store.ts'
import type { OpenStore } from './conformance.ts'
import { batch, sampleEvent, sampleState, T, write } from './samples.ts'

export function describeRecords(open: OpenStore): void {
  describe('lists of records', () => {
    test('show each record as it is, the one with the newest event first', async () => {
      await using store = await open()
      await store.commit(
        batch({
          records: [shipment('A', { name: 'Spring', status: 'booked' }), shipment('B'), shipment('C')].map((state) =>
            write(state),
          ),
          events: [rang('evt_1', 'C', T), rang('evt_2', 'A', T + 5), rang('evt_3', 'A', T + 9)],
        }),
      )
      const { items, next } = await store.recordPage({ resource: 'shipment', limit: 9 })
      expect(next).toBeNull()
      expect(items.map(({ id, lastEventAt }) => [id, lastEventAt])).toEqual([
        ['A', T + 9],
        ['C', T],
        ['B', null],
      ])
      expect(items[0]).toEqual({
        account: 'acme',
        resource: 'shipment',
        id: 'A',
        name: 'Spring',
        status: 'booked',
        removedAt: null,
        version: 0,
        lastReadAt: T,
        lastEventAt: T + 9,
        dueOn: null,
        ...NOT_DATED,
      })
      expect(await ids(store, { resource: 'invoice', limit: 9 })).toEqual([])
    })

    test('go on where a page ended, over accounts, and refuse a cursor of another list', async () => {
      await using store = await open()
      for (const account of ['acme', 'beta', 'corp']) {
        const records = ['1', '2', '3'].map((n) => write(shipment(`${account}-${n}`)))
        const events = records.map(({ state: { id } }, n) => ({ ...rang(`evt_${id}`, id, T + n), account }))
        await store.commit(batch({ account, records, events: events.slice(1) }))
      }
      const seen: string[] = []
      let cursor: string | undefined
      for (;;) {
        const page = await store.recordPage({ resource: 'shipment', limit: 2, ...(cursor && { cursor }) })
        seen.push(...page.items.map(({ id }) => id))
        if (page.next === null) break
        cursor = page.next
      }
      expect(seen.map((id) => id.slice(-1))).toEqual(['3', '3', '3', '2', '2', '2', '1', '1', '1'])
      expect(new Set(seen).size).toBe(9)
      expect(await ids(store, { resource: 'shipment', account: 'beta', limit: 9 })).toEqual([
        'beta-3',
        'beta-2',
        'beta-1',
      ])
      expect(await ids(store, { resource: 'shipment', account: 'nobody', limit: 9 })).toEqual([])
      for (const wrong of ['', 'x', 'bm90IEpTT04', '!!', cursor?.slice(1) ?? '']) {
        await expect(store.recordPage({ resource: 'shipment', limit: 2, cursor: wrong })).rejects.toMatchObject({
          code: 'bad_cursor',
        })
      }
      for (const other of [{ resource: 'invoice' }, { resource: 'location', q: 'acme' }] as const)
        await expect(store.recordPage({ ...other, limit: 2, ...(cursor && { cursor }) })).rejects.toMatchObject({
          code: 'bad_cursor',
        })
      const found = { resource: 'shipment', limit: 2, q: 'acme' } as const
      await expect(store.recordPage({ ...found, ...(cursor && { cursor }) })).rejects.toMatchObject({
        code: 'bad_cursor',
      })
      await expect(store.slips({ since: 0, limit: 2, ...(cursor && { cursor }) })).rejects.toMatchObject({
        code: 'bad_cursor',
      })
    })

    test('are cut down to a status, as it is now', async () => {
      await using store = await open()
      const states = [shipment('A', { status: 'draft' }), shipment('B', { status: 'booked' }), shipment('C')]
      await store.commit(batch({ records: states.map((state) => write(state)) }))
      const drafts = { resource: 'shipment', status: 'draft', limit: 9 } as const
      expect(await ids(store, drafts)).toEqual(['A'])
      await store.commit(batch({ records: [write(shipment('A', { status: 'booked' }), { expectedVersion: 0 })] }))
      expect(await ids(store, drafts)).toEqual([])
      expect(await ids(store, { ...drafts, status: 'booked' })).toEqual(['B', 'A'])
      expect(await ids(store, { ...drafts, status: 'booked', q: 'b' })).toEqual(['B'])
    })

    test('keep what was removed, and say since when; what comes back is there again', async () => {
      await using store = await open()
      await store.commit(batch({ records: [write(shipment('A', { name: 'Spring' }))] }))
      const gone = { ...shipment('A', { name: 'Spring' }), removedAt: T + 7, version: 1 }
      await store.commit(batch({ records: [write(gone, { expectedVersion: 0 })], events: [rang('evt_1', 'A', T + 7)] }))
      const all = { resource: 'shipment', limit: 9 } as const
      const removed = [expect.objectContaining({ id: 'A', name: 'Spring', removedAt: T + 7, lastEventAt: T + 7 })]
      expect((await store.recordPage(all)).items).toEqual(removed)
      expect((await store.recordPage({ ...all, q: 'spring' })).items).toEqual(removed)
      await store.commit(batch({ records: [write(shipment('A', { name: 'Autumn' }), { expectedVersion: 1 })] }))
      expect((await store.recordPage({ ...all, q: 'autumn' })).items).toEqual([
        expect.objectContaining({ name: 'Autumn', removedAt: null, lastEventAt: T + 7 }),
      ])
      expect(await ids(store, { ...all, q: 'spring' })).toEqual([])
    })

    test('know when a record was read last, on its page or beside it', async () => {
      await using store = await open()
      await store.commit(batch({ records: [write(shipment('A'))] }))
      const read = { sentAt: T + 50, answeredAt: T + 60 }
      await store.commit(batch({ unchanged: { resource: 'shipment', ids: ['A'], read } }))
      const [item] = (await store.recordPage({ resource: 'shipment', limit: 9 })).items
      expect(item?.lastReadAt).toBe(T + 60)
    })

    test('show one record whole, also one that reads did not find', async () => {
      await using store = await open()
      const known = shipment('A', { name: 'Spring' })
      const missing = sampleState('A', { resource: 'tracking', seen: null, reported: null })
      await store.commit(batch({ records: [write(known), write(missing, { contentHash: null })] }))
      const key = { account: 'acme', resource: 'shipment', id: 'A' } as const
      expect(await store.recordDetail(key)).toEqual({
        ...key,
        name: 'Spring',
        status: null,
        removedAt: null,
        version: 0,
        lastReadAt: T,
        lastEventAt: null,
        dueOn: null,
        object: known.seen,
        firstSeenAt: T,
        dates: {},
        ...NOT_DATED,
      })
      expect(await store.recordDetail({ ...key, resource: 'tracking' })).toMatchObject({ object: null, dates: {} })
      expect(await store.recordDetail({ ...key, id: 'B' })).toBeNull()
      expect(await store.recordDetail({ ...key, account: 'beta' })).toBeNull()
    })

    test('take any text for a name or a status', async () => {
      await using store = await open()
      const odd = { name: '\ud800\u0000<b>'.repeat(500), status: '\u202e'.repeat(1_000) }
      await store.commit(
        batch({ records: [write(shipment('A', odd)), write(shipment('B', { name: ['x'], status: {} }))] }),
      )
      const { items } = await store.recordPage({ resource: 'shipment', status: odd.status, limit: 9 })
      expect(items.map(({ id, name, status }) => [id, name?.length, status?.length])).toEqual([['A', 300, 300]])
      expect(await ids(store, { resource: 'shipment', limit: 9 })).toEqual(['B', 'A'])
    })
  })
}

async function ids(store: Store, query: RecordQuery): Promise<readonly string[]> {
  return (await store.recordPage(query)).items.map(({ id }) => id)
}

function shipment(id: string, record: RecordState['seen'] = {}): RecordState {
  const seen = { platform_shipment_id: id, ...record }
  return sampleState(id, { seen, reported: seen })
}

function rang(id: string, subject: string, timestamp: number): EventDraft {
  return sampleEvent(id, {
    timestamp,
    subject: { resource: 'shipment', id: subject, version: 1, previousEventId: null },
  })
}

/** What a shipment without a carrier, a route, a mode and dates is listed by. */
const NOT_DATED = { carrier: null, lane: null, kind: null, isOpen: true, etaAt: null, drift: null, totals: null }
