import { describe, expect, test } from 'vitest'
import type { ExpectedRecord } from '../../src/model/expectation.ts'
import type { JsonObject } from '../../src/model/json.ts'
import type { RecordResource } from '../../src/model/resource.ts'
import type { BatchChange } from '../../src/store/ports/commit-port.ts'
import type { Store } from '../../src/store/ports/store.ts'
import type { OpenStore } from './conformance.ts'
import { batch, sampleEvent, sampleState, T, write } from './samples.ts'

const RULE = { name: 'packing-list', digest: 'a', generation: 4, since: T }

export function describeExpectations(open: OpenStore): void {
  describe('what is expected of records', () => {
    test('is remembered by record with the rules that it was judged by', async () => {
      await using store = await open()
      await change(store, { rules: [RULE], records: [expected('A'), expected('B', { dueAt: T })] })
      await change(store, { records: [expected('B', { dueAt: T + 5, failures: { other: 'no \0 date' } })] })
      const keys = [key('B'), key('C'), key('A')]
      expect(await store.expected('acme', keys)).toEqual({
        rules: [RULE],
        records: [expected('B', { dueAt: T + 5, failures: { other: 'no \0 date' } }), expected('A')],
      })
      expect(await store.expected('other', keys)).toEqual({ rules: [], records: [] })
      await change(store, { rules: [], records: [expected('C')], forget: true })
      expect(await store.expected('acme', keys)).toEqual({ rules: [], records: [expected('C')] })
    })

    test('is found by when it is due, page by page, and by what fails', async () => {
      await using store = await open()
      const failing = expected('B', { failures: { other: 'no date' } })
      const due = [expected('D', { dueAt: T }), expected('C', { dueAt: T + 2 }), expected('E', { dueAt: T + 2 })]
      await change(store, { records: [expected('A'), failing, ...due, expected('F', { dueAt: T + 3 })] })
      const pages = { which: { dueUntil: T + 2 }, most: 2 } as const
      const first = await store.expectedRecords('acme', { ...pages, after: null })
      expect(idsOf(first)).toEqual(['D', 'C'])
      expect(idsOf(await store.expectedRecords('acme', { ...pages, after: first[1] ?? null }))).toEqual(['E'])
      expect(idsOf(await store.expectedRecords('acme', { which: 'failing', after: null, most: 9 }))).toEqual(['B'])
      const all = { which: 'all', most: 4 } as const
      expect(idsOf(await store.expectedRecords('acme', { ...all, after: null }))).toEqual(['A', 'B', 'C', 'D'])
      expect(idsOf(await store.expectedRecords('acme', { ...all, after: due[0] ?? null }))).toEqual(['E', 'F'])
      expect(await store.expectedRecords('other', { ...all, after: null })).toEqual([])
    })

    test('goes by what names a shipment, and when that changed', async () => {
      await using store = await open()
      const named = { platform_shipment_id: 'SHP 1' }
      const records = [
        stored('shipment', 'SHP 1', named),
        stored('document', '9', named),
        stored('document', '8', { platform_shipment_id: 'SHP-2' }),
        stored('invoice', 'INV-1', named),
        stored('purchase_order', 'PO-1', orderOf('SHP-2', 'SHP 1')),
        stored('purchase_order', 'PO-2', orderOf('SHP-2')),
      ]
      await store.commit(batch({ records }))
      const asked = {
        records: [{ resource: 'invoice', id: 'INV-1' } as const, { resource: 'invoice', id: '?' } as const],
      }
      expect(await store.related('acme', { ...asked, shipments: ['SHP 1', 'none'] })).toEqual([
        { shipment: null, resource: 'invoice', id: 'INV-1', changedAt: T },
        { shipment: 'SHP 1', resource: 'shipment', id: 'SHP 1', changedAt: T },
        { shipment: 'SHP 1', resource: 'document', id: '9', changedAt: T },
        { shipment: 'SHP 1', resource: 'invoice', id: 'INV-1', changedAt: T },
        { shipment: 'SHP 1', resource: 'purchase_order', id: 'PO-1', changedAt: T },
      ])
      expect(await store.related('acme', { records: [], shipments: [] })).toEqual([])
    })

    test('knows when a read showed a change, which no event of the calendar moves', async () => {
      await using store = await open()
      await store.commit(batch({ records: [write(sampleState('SHP-1'))] }))
      await ring(store, 1, { timestamp: T + 9, observed: { notBefore: T, notAfter: T + 7 } })
      await ring(store, 2, { type: 'shipment.milestone_overdue', timestamp: T + 50, observed: null, cause: 'calendar' })
      const [changed] = await store.related('acme', { records: [{ resource: 'shipment', id: 'SHP-1' }], shipments: [] })
      expect(changed?.changedAt).toBe(T + 7)
    })
  })
}

async function ring(store: Store, version: number, event: Parameters<typeof sampleEvent>[1]): Promise<void> {
  const known = (await store.records('acme', 'shipment', ['SHP-1'])).get('SHP-1') ?? null
  const subject = { resource: 'shipment', id: 'SHP-1', version, previousEventId: null } as const
  const state = sampleState('SHP-1', { version })
  const events = [sampleEvent(`evt_${version}`, { ...event, subject })]
  await store.commit(batch({ records: [{ ...write(state), before: known }], events }))
}

function orderOf(...shipments: readonly string[]): JsonObject {
  const assigned_order_lines = shipments.map((id) => ({ platform_shipment_id: id }))
  return { purchase_order_lines: [{ reference: 'L-1', assigned_order_lines }] }
}

function stored(resource: RecordResource, id: string, record: JsonObject) {
  return write(sampleState(id, { resource, seen: record, reported: record }))
}

function key(id: string) {
  return { resource: 'shipment', id } as const
}

function expected(id: string, changes: Partial<ExpectedRecord> = {}): ExpectedRecord {
  const states = { 'packing-list': { state: 'waiting', by: changes.dueAt ?? null, rang: false } } as const
  return { ...key(id), generation: 4, isGone: false, states, failures: {}, dueAt: null, ...changes }
}

async function change(
  store: Store,
  expectations: Omit<Extract<BatchChange, { readonly kind: 'expectations' }>, 'kind'>,
): Promise<void> {
  const nothing = { account: 'acme', records: [], events: [], deliveries: [], dates: [] }
  await store.commit({ ...nothing, changes: [{ kind: 'expectations', ...expectations }] })
}

function idsOf(records: readonly ExpectedRecord[]): readonly string[] {
  return records.map(({ id }) => id)
}
