import { describe, expect, test } from 'vitest'
import type { LearntNews, LearntUnit } from '../../src/model/learnt.ts'
import type { ReadBatch } from '../../src/store/ports/commit-port.ts'
import type { OpenStore } from './conformance.ts'

const PROFILE = { hours: [1, 2.5], days: [3], at: 5 }

function unit(name: string, changes: number, what: LearntUnit['what'] = 'item'): LearntUnit {
  const mix = what === 'page' ? { at_sea: 3, arrival: 1 } : {}
  return { resource: 'tracking', what, name, mix, activity: { changes, expected: 0.25, at: 7 } }
}

function batch(learnt: LearntNews, account = 'acme'): ReadBatch {
  return { account, records: [], changes: [{ kind: 'learnt', learnt }], dates: [], events: [], deliveries: [] }
}

export function describeLearnt(open: OpenStore): void {
  describe('what was learnt of how often things change', () => {
    test('is nothing at first, then what was said last, by account', async () => {
      await using store = await open()
      expect(await store.learnt('acme')).toEqual({ units: [], profile: null })
      await store.commit(batch({ units: [unit('A', 1), unit('0', 2, 'page')], gone: [], profile: PROFILE }))
      await store.commit(batch({ units: [unit('A', 4)], gone: [], profile: null }))
      await store.commit(batch({ units: [unit('B', 1)], gone: [], profile: null }, 'other'))
      const { units, profile } = await store.learnt('acme')
      expect(units).toHaveLength(2)
      expect(units).toEqual(expect.arrayContaining([unit('A', 4), unit('0', 2, 'page')]))
      expect(profile).toEqual(PROFILE)
    })

    test('goes with what is read no more', async () => {
      await using store = await open()
      await store.commit(batch({ units: [unit('A', 1), unit('B', 1)], gone: [], profile: null }))
      await store.commit(batch({ units: [unit('B', 2)], gone: [unit('A', 1), unit('B', 1)], profile: null }))
      expect((await store.learnt('acme')).units).toEqual([unit('B', 2)])
    })
  })
}
