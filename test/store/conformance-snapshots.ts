import { describe, expect, test } from 'vitest'
import { snapshotOf } from '../../src/detect/snapshot.ts'
import { newProgress, newSnapshotRun, type SnapshotProgress } from '../../src/model/snapshot-run.ts'
import type { Store } from '../../src/store/ports/store.ts'
import type { OpenStore } from './conformance.ts'
import { batch, ring, sampleEvent, sampleState, T, write } from './samples.ts'

const ERP = { name: 'erp', enabled: true }
const RUN = newSnapshotRun('erp', T)
const SHIPMENTS = { account: 'acme', resource: 'shipment' } as const
const MAKE = { kind: 'make', at: T, most: 2, owner: null, name: 'cust', sealed: 'x', ordered: 0 } as const
const FULL = { ...MAKE, settings: '{"start":"snapshot"}' }

export function describeSnapshots(open: OpenStore): void {
  describe('runs that send every known record', () => {
    test('begin once for a subscription that is known, and anew once they are over', async () => {
      await using store = await open()
      expect(await store.beginSnapshot(RUN)).toBe('unknown')
      await store.syncSubscriptions([ERP], T)
      expect(await store.beginSnapshot({ ...RUN, only: 'invoice' })).toBeNull()
      expect(await store.beginSnapshot(newSnapshotRun('erp', T + 1))).toBe('under way')
      expect(await runs(store)).toEqual([{ ...RUN, only: 'invoice', parts: [], isOrphaned: false }])
      expect(await store.endSnapshot({ subscription: 'erp', run: 'another', how: 'ended', at: T + 2 })).toBe(false)
      expect(await store.endSnapshot({ subscription: 'erp', how: 'cancelled', at: T + 2 })).toBe(true)
      expect(await store.endSnapshot({ subscription: 'erp', how: 'ended', at: T + 3 })).toBe(false)
      expect(await runs(store)).toEqual([])
      expect(await runs(store, 'last')).toMatchObject([{ cancelledAt: T + 2, endedAt: null }])
      expect(await store.beginSnapshot(newSnapshotRun('erp', T + 4))).toBeNull()
      expect(await runs(store, 'last')).toMatchObject([{ begunAt: T + 4, cancelledAt: null, only: null }])
      await store.syncSubscriptions([], T + 5)
      expect(await runs(store)).toMatchObject([{ isOrphaned: false }])
      await store.discard('erp', T + 6)
      expect(await runs(store)).toMatchObject([{ isOrphaned: true }])
    })

    test('begin with a subscription that asks for it, where its name is new', async () => {
      await using store = await open()
      await store.syncSubscriptions([ERP], T)
      const both = [{ ...ERP, start: 'snapshot' } as const, { name: 'new', enabled: true, start: 'snapshot' } as const]
      await store.syncSubscriptions(both, T + 1)
      await store.syncSubscriptions(both, T + 2)
      expect(await runs(store, 'last')).toMatchObject([{ subscription: 'new', begunAt: T + 1, only: null }])
      await store.changeRuntime(FULL)
      await store.changeRuntime({ ...MAKE, name: 'live', settings: '{}' })
      expect((await runs(store)).map(({ subscription }) => subscription)).toEqual(['cust', 'new'])
      await store.changeRuntime({ kind: 'end', name: 'cust', at: T + 3 })
      expect((await runs(store)).map(({ subscription }) => subscription)).toEqual(['new'])
      await store.changeRuntime(FULL)
      expect((await runs(store)).map(({ subscription }) => subscription)).toEqual(['new'])
      await store.changeRuntime({ kind: 'end', name: 'cust', at: T + 4 })
      await store.changeRuntime({ kind: 'forget', at: T + 70_000 })
      expect((await runs(store, 'last')).map(({ subscription }) => subscription)).toEqual(['new'])
    })

    test('leave rows that are found by time, though nothing else rang', async () => {
      await using store = await open()
      await store.syncSubscriptions([ERP], T)
      await ring(store, [sampleEvent('evt_s', { type: 'shipment.snapshot', cause: 'snapshot' })], ['erp'])
      const found = async (since: number) => await store.deliveryPage({ subscription: 'erp', since, limit: 9 })
      expect((await found(T)).items.map(({ eventId }) => eventId)).toEqual(['evt_s'])
      expect((await found(T + 7_200_000)).items).toEqual([])
      expect(await store.eventHours(T)).toEqual([])
    })

    test('look at the records that are there, some at a time, and at who is to get them', async () => {
      await using store = await open()
      await store.syncSubscriptions([ERP], T)
      const gone = { ...sampleState('B'), removedAt: T }
      const states = [sampleState('C'), gone, sampleState('A'), sampleState('D'), sampleState('a')]
      await store.commit(batch({ records: states.map((state) => write(state)) }))
      const asked = { ...SHIPMENTS, subscription: 'erp', most: 2 }
      expect(await store.snapshotSlice({ ...asked, after: null })).toEqual({ ids: ['A', 'C'], isOpen: true, ready: 0 })
      await ring(store, [sampleEvent('evt_1'), sampleEvent('evt_2'), sampleEvent('evt_3')], ['erp'])
      expect(await store.snapshotSlice({ ...asked, after: 'C' })).toEqual({ ids: ['D', 'a'], isOpen: true, ready: 2 })
      await store.disable('erp', { reason: 'x', at: T })
      expect(await store.snapshotSlice({ ...asked, after: 'a' })).toMatchObject({ ids: [], isOpen: false, ready: 0 })
      expect(await store.snapshotSlice({ ...asked, resource: 'invoice', after: null })).toMatchObject({ ids: [] })
    })

    test('are where their last slice left them, and send each once', async () => {
      await using store = await open()
      await store.syncSubscriptions([ERP], T)
      await store.commit(batch({ records: [write(sampleState('A')), write(sampleState('B'))] }))
      await store.beginSnapshot(RUN)
      const first = { ...newProgress(SHIPMENTS), after: 'A', sent: 1 }
      await send(store, ['A'], [newProgress(SHIPMENTS), first])
      await expect(send(store, ['A'], [newProgress(SHIPMENTS), first])).rejects.toThrow('is not where it was')
      const last = { ...first, after: 'B', sent: 2, leftOut: 1, endedAt: T + 1 }
      await send(store, ['B'], [first, last])
      await expect(send(store, [], [last, { ...last, after: 'C' }])).rejects.toThrow('is not where it was')
      expect(await runs(store)).toMatchObject([{ run: RUN.run, parts: [last] }])
      const { items } = await store.deliveryPage({ subscription: 'erp', limit: 9 })
      expect(items.map(({ type, state }) => [type, state])).toEqual([
        ['shipment.snapshot', 'pending'],
        ['shipment.snapshot', 'pending'],
      ])
      const part = await store.feedPart({ subscription: 'erp', after: 0, limit: 9 })
      expect(part?.items.map(({ event, position }) => [position, event.subject.id])).toEqual([
        [1, 'A'],
        [2, 'B'],
      ])
      await store.endSnapshot({ subscription: 'erp', how: 'cancelled', at: T + 2 })
      const other = { ...SHIPMENTS, account: 'other' }
      await expect(send(store, [], [newProgress(other), { ...newProgress(other), after: 'A' }])).rejects.toThrow()
      await store.beginSnapshot(newSnapshotRun('erp', T + 3))
      expect(await runs(store)).toMatchObject([{ parts: [] }])
    })

    test('are in the ledger, and in no list, stream, count or sum', async () => {
      await using store = await open()
      await store.syncSubscriptions([ERP], T)
      await store.commit(batch({ records: [write(sampleState('A', { version: 1, lastEventId: 'evt_1' }))] }))
      await ring(store, [sampleEvent('evt_1', { subject: { ...SUBJECT, id: 'A' } })], [])
      await store.beginSnapshot(RUN)
      await send(store, ['A'], [newProgress(SHIPMENTS), { ...newProgress(SHIPMENTS), after: 'A' }])
      const events = await store.eventPage({ limit: 9 })
      expect(events.items.map(({ id }) => id)).toEqual(['evt_1'])
      expect((await store.logPage({ since: 0, after: null, limit: 9 })).events).toHaveLength(1)
      const { items } = await store.deliveryPage({ subscription: 'erp', limit: 9 })
      const event = await store.event(items[0]?.eventId ?? '')
      expect(event).toMatchObject({ type: 'shipment.snapshot', cause: 'snapshot', subject: { version: 1 } })
      expect(await store.recordDetail({ ...SHIPMENTS, id: 'A' })).toMatchObject({ version: 1 })
    })
  })
}

const SUBJECT = { resource: 'shipment', version: 1, previousEventId: null } as const

async function runs(store: Store, which: 'under way' | 'last' = 'under way') {
  return await store.snapshotRuns({ which })
}

/** Commits what a slice of the run sends of these records. */
async function send(store: Store, ids: readonly string[], moved: readonly [SnapshotProgress, SnapshotProgress]) {
  const [before, after] = moved
  const states = await store.records('acme', 'shipment', ids)
  const events = [...states.values()].flatMap((state) => {
    const { subscription, run } = RUN
    const of = { subscription, run }
    const event = snapshotOf({ of, ...SHIPMENTS, state, shipment: null, timeZone: 'UTC', publicUrl: null, at: T })
    return event === null ? [] : [event]
  })
  const { subscription, run } = RUN
  await store.commit({
    ...batch({ storedAt: T, events, deliveries: events.map(({ id }) => ({ eventId: id, subscription })) }),
    changes: [{ kind: 'snapshot', subscription, run, before, after }],
  })
}
