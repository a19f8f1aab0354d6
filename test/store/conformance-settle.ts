import { describe, expect, test } from 'vitest'
import type { RecordState } from '../../src/model/record-state.ts'
import type { OpenStore } from './conformance.ts'
import { batch, sampleState, T, write } from './samples.ts'

export function describeSettling(open: OpenStore): void {
  describe('estimates that wait', () => {
    test('are found when the first of a record has waited for long enough, the earliest first', async () => {
      await using store = await open()
      const records = [waiting('late', T + 2), waiting('SHP-1', T), sampleState('none'), waiting('next', T + 1)]
      await store.commit(batch({ records: records.map((state) => write(state)) }))
      expect((await store.settling.due('acme', { until: T + 1 })).map(({ id }) => id)).toEqual(['SHP-1', 'next'])
      expect(await store.settling.due('acme', { most: 1 })).toMatchObject([{ at: T }])
      expect(await store.settling.due('other', { until: T + 9 })).toEqual([])
      expect(await store.settling.due('other', { most: 1 })).toEqual([])
    })

    test('are gone when they rang, and with their record', async () => {
      await using store = await open()
      await store.commit(batch({ records: [write(waiting('SHP-1', T)), write(waiting('SHP-2', T))] }))
      const gone = { ...waiting('SHP-2', T), removedAt: T }
      const after = [sampleState('SHP-1'), gone].map((state) => write(state, { expectedVersion: 0 }))
      await store.commit(batch({ records: after }))
      expect(await store.settling.due('acme', { until: T })).toEqual([])
      expect(await store.settling.due('acme', { most: 1 })).toEqual([])
    })

    test('of a tracking are not found while its shipment is removed', async () => {
      await using store = await open()
      const tracking = { ...waiting('SHP-1', T), resource: 'tracking' } as const
      const gone = sampleState('SHP-1', { removedAt: T })
      await store.commit(batch({ records: [gone, tracking].map((state) => write(state)) }))
      expect(await store.settling.due('acme', {})).toEqual([])
      await store.commit(batch({ records: [write(sampleState('SHP-1'), { expectedVersion: 0 })] }))
      expect(await store.settling.due('acme', { until: T })).toMatchObject([{ resource: 'tracking', id: 'SHP-1' }])
      expect(await store.settling.due('acme', { most: 1 })).toMatchObject([{ at: T }])
    })
  })
}

function waiting(id: string, dueAt: number): RecordState {
  const held = { since: T, notBefore: T, notAfter: T, value: '' }
  return sampleState(id, { memory: { settling: { dueAt, estimates: { arrival_date: held } } } })
}
