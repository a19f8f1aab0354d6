import { describe, expect, test } from 'vitest'
import type { OpenStore } from './conformance.ts'
import { batch, sampleEvent, sampleState, T, write } from './samples.ts'

export function describeCalendar(open: OpenStore): void {
  describe('the calendar', () => {
    test('finds records whose edge is at or before an instant, the earliest first', async () => {
      await using store = await open()
      const records = [
        write(sampleState('late', { nextEdgeAt: T + 2 })),
        write(sampleState('never')),
        write(sampleState('INV-1', { resource: 'invoice', nextEdgeAt: T })),
        write(sampleState('next', { nextEdgeAt: T + 1 })),
      ]
      await store.commit(batch({ records }))
      expect(await store.calendar.due('acme', { until: T + 1 })).toMatchObject([
        { resource: 'invoice', id: 'INV-1' },
        { resource: 'shipment', id: 'next' },
      ])
      expect(await store.calendar.due('acme', { until: T - 1 })).toEqual([])
      expect(await store.calendar.due('other', { until: T + 9 })).toEqual([])
    })

    test('says when the next edge after an instant is', async () => {
      await using store = await open()
      const records = [T, T + 5, null].map((nextEdgeAt, index) => write(sampleState(`SHP-${index}`, { nextEdgeAt })))
      await store.commit(batch({ records }))
      expect(await store.calendar.due('acme', { after: T - 1, most: 1 })).toMatchObject([{ at: T }])
      expect(await store.calendar.due('acme', { after: T, most: 1 })).toMatchObject([{ at: T + 5 }])
      expect(await store.calendar.due('acme', { after: T + 5, most: 1 })).toEqual([])
      expect(await store.calendar.due('other', { after: 0, most: 1 })).toEqual([])
    })

    test('a removed record has no edges until it is back', async () => {
      await using store = await open()
      const state = sampleState('SHP-1', { nextEdgeAt: T })
      await store.commit(batch({ records: [write({ ...state, removedAt: T })] }))
      expect(await store.calendar.due('acme', { until: T })).toEqual([])
      expect(await store.calendar.due('acme', { after: 0, most: 1 })).toEqual([])
      await store.commit(batch({ records: [write(state, { expectedVersion: 0 })] }))
      expect(await store.calendar.due('acme', { until: T })).toHaveLength(1)
    })

    test('settings that differ make every invoice and shipment of the account due to be looked at, once', async () => {
      await using store = await open()
      const records = [
        write(sampleState('SHP-1')),
        write(sampleState('INV-1', { resource: 'invoice', nextEdgeAt: T + 9 })),
        write(sampleState('SHP-1', { resource: 'tracking' })),
      ]
      await store.commit(batch({ records }))
      await store.commit(batch({ account: 'other', records: [write(sampleState('SHP-2'))] }))
      expect(await store.calendar.configure('acme', 'UTC')).toBe(true)
      expect(await store.calendar.due('acme', { until: 1 })).toMatchObject([
        { resource: 'invoice', id: 'INV-1' },
        { resource: 'shipment', id: 'SHP-1' },
      ])
      expect(await store.calendar.due('other', { until: T })).toEqual([])
      await store.commit(batch({ records: [write(sampleState('SHP-1'), { expectedVersion: 0 })] }))
      expect(await store.calendar.configure('acme', 'UTC')).toBe(false)
      expect(await store.calendar.due('acme', { until: 1 })).toMatchObject([{ resource: 'invoice', id: 'INV-1' }])
      expect(await store.calendar.configure('acme', 'Europe/Paris')).toBe(true)
      expect(await store.calendar.due('acme', { until: 1 })).toHaveLength(2)
    })

    test('settings of an account that was never read are kept', async () => {
      await using store = await open()
      expect(await store.calendar.configure('acme', 'UTC')).toBe(true)
      expect(await store.calendar.configure('acme', 'UTC')).toBe(false)
      await store.startPass('acme', 'invoice', T)
      await store.commit(batch({ events: [sampleEvent('evt_1')] }))
      expect(await store.calendar.configure('acme', 'UTC')).toBe(false)
    })

    test('a record that no read taught keeps its last read, its fingerprint, its pass and its misses', async () => {
      await using store = await open()
      const list = await store.startPass('acme', 'shipment', T)
      const state = sampleState('SHP-1')
      await store.commit(batch({ records: [write(state)], list: { resource: 'shipment', state: list } }))
      await store.commit(batch({ missed: { resource: 'shipment', ids: ['SHP-1'] } }))
      const known = await store.known('acme', 'shipment', ['SHP-1'])
      const rung = { ...state, version: 1, nextEdgeAt: T + 7, lastRead: { sentAt: T + 50, answeredAt: T + 60 } }
      await store.commit(batch({ records: [write(rung, { contentHash: null, expectedVersion: 0, read: 'none' })] }))
      expect(await store.known('acme', 'shipment', ['SHP-1'])).toEqual(known)
      expect(known.get('SHP-1')?.misses).toBe(1)
      const stored = (await store.records('acme', 'shipment', ['SHP-1'])).get('SHP-1')
      expect(stored).toEqual({ ...rung, lastRead: state.lastRead })
      expect(await store.missing('acme', 'shipment', list.pass)).toHaveLength(0)
    })
  })
}
