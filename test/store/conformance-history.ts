import { describe, expect, test } from 'vitest'
import type { EventDraft } from '../../src/model/event.ts'
import type { OpenStore } from './conformance.ts'
import { batch, ring, sampleEvent, sampleState, T, write } from './samples.ts'

function of(id: string, resource: 'shipment' | 'tracking' = 'shipment'): Pick<EventDraft, 'subject'> {
  return { subject: { resource, id, version: 1, previousEventId: null } }
}

export function describeHistory(open: OpenStore): void {
  describe('history', () => {
    test('tells of each read that showed a change once, in order, and where the record is now', async () => {
      await using store = await open()
      const list = await store.startPass('acme', 'shipment', T)
      const state = sampleState('SHP-1')
      const { lastRead: read } = state
      const page = { kind: 'shown', resource: 'shipment', skip: 100, read, pass: list.pass, rows: 1 } as const
      const place = {
        ...page,
        contentHash: 'p',
        rules: '',
        current: list.pass,
        certainIdField: null,
        validator: null,
        ids: ['SHP-1'],
      }
      await store.commit(batch({ records: [write(state)], page: place }))
      const observed = { notBefore: T - 60_000, notAfter: T - 30_000 }
      await ring(
        store,
        [
          sampleEvent('evt_1', of('SHP-1')),
          sampleEvent('evt_2', { ...of('SHP-1'), type: 'shipment.updated', cause: 'correction' }),
          sampleEvent('evt_3', { ...of('SHP-1', 'tracking'), type: 'tracking.event_added', observed }),
        ],
        [],
      )
      expect(await store.changesSeen('acme', { since: T, most: 100 })).toEqual([
        { resource: 'tracking', id: 'SHP-1', ...observed, skip: null },
        { resource: 'shipment', id: 'SHP-1', notBefore: T - 120_000, notAfter: T, skip: 100 },
      ])
      const newest = await store.changesSeen('acme', { since: T, most: 1 })
      expect(newest.map(({ resource }) => resource)).toEqual(['tracking'])
    })

    test('leaves out what came before, of others, of the calendar, without bounds, and removals', async () => {
      await using store = await open()
      await ring(
        store,
        [
          sampleEvent('evt_1', { timestamp: T - 1 }),
          sampleEvent('evt_2', { cause: 'calendar', observed: null }),
          sampleEvent('evt_3', { observed: { notBefore: null, notAfter: T } }),
          sampleEvent('evt_4', { type: 'shipment.removed' }),
          sampleEvent('evt_5', { type: 'shipment.restored' }),
        ],
        [],
      )
      await store.commit(batch({ account: 'other', events: [sampleEvent('evt_6', { account: 'other' })] }))
      expect(await store.changesSeen('acme', { since: T, most: 100 })).toEqual([])
      expect(await store.changesSeen('acme', { since: T - 1, most: 100 })).toHaveLength(1)
      expect(await store.changesSeen('nobody', { since: 0, most: 100 })).toEqual([])
    })
  })
}
