import { judgeHold } from '../support/judge-hold.ts'
import { describe, expect, test } from 'vitest'
import type { Hold, HoldVerdict } from '../../src/model/hold.ts'
import type { RecordState } from '../../src/model/record-state.ts'
import type { ReadBatch } from '../../src/store/ports/commit-port.ts'
import type { ListState } from '../../src/store/ports/list-port.ts'
import type { Store } from '../../src/store/ports/store.ts'
import type { OpenStore } from './conformance.ts'
import { batch, sampleHold, sampleState, T, write } from './samples.ts'

/** A list of A, B and C, all met by its first pass; the second has begun. */
async function listOfThree(store: Store): Promise<ListState> {
  const first = await store.startPass('acme', 'shipment', T)
  const records = ['A', 'B', 'C'].map((id) => write(sampleState(id)))
  await store.commit(batch({ records, list: { resource: 'shipment', state: first } }))
  return await store.startPass('acme', 'shipment', T + 1)
}

async function misses(store: Store): Promise<readonly (number | undefined)[]> {
  const known = await store.known('acme', 'shipment', ['A', 'B', 'C'])
  return ['A', 'B', 'C'].map((id) => known.get(id)?.misses)
}

function tombstone(id: string): RecordState {
  return sampleState(id, { removedAt: T + 5, version: 1, lastEventId: 'evt_1' })
}

function held(hold: Hold | null, expectedVerdict: HoldVerdict | null = null): ReadBatch {
  return batch({ hold: { resource: 'shipment', hold, expectedVerdict } })
}

export function describeRemoval(open: OpenStore): void {
  describe('records that passes miss', () => {
    test('are named with their misses, fewest first', async () => {
      await using store = await open()
      const { pass } = await listOfThree(store)
      await store.commit(batch({ missed: { resource: 'shipment', ids: ['A', 'C'] } }))
      await store.commit(batch({ missed: { resource: 'shipment', ids: ['A'] } }))
      expect(await store.missing('acme', 'shipment', pass)).toEqual([
        { id: 'B', misses: 0, lastPass: 1 },
        { id: 'C', misses: 1, lastPass: 1 },
        { id: 'A', misses: 2, lastPass: 1 },
      ])
      expect(await store.missing('other', 'shipment', pass)).toEqual([])
      expect(await store.missing('acme', 'invoice', pass)).toEqual([])
    })

    test.each(['unchanged', 'written', 'proved'] as const)('are missed no longer once met: %s', async (how) => {
      await using store = await open()
      const state = await listOfThree(store)
      await store.commit(batch({ missed: { resource: 'shipment', ids: ['A', 'B', 'C'] } }))
      const read = { sentAt: T + 1, answeredAt: T + 2 }
      const met = { resource: 'shipment', ids: ['B'] } as const
      await store.commit(
        batch({
          list: { resource: 'shipment', state },
          ...(how === 'unchanged' && { unchanged: { ...met, read } }),
          ...(how === 'written' && { records: [write(sampleState('B'), { expectedVersion: 0 })] }),
          ...(how === 'proved' && { met }),
        }),
      )
      expect(await misses(store)).toEqual([1, 0, 1])
      expect((await store.missing('acme', 'shipment', state.pass)).map(({ id }) => id)).toEqual(['A', 'C'])
    })

    test('keep their misses when a read does not show them', async () => {
      await using store = await open()
      await listOfThree(store)
      await store.commit(batch({ missed: { resource: 'shipment', ids: ['A'] } }))
      await store.commit(batch({ records: [write(sampleState('A'), { expectedVersion: 0, contentHash: null })] }))
      expect(await misses(store)).toEqual([1, 0, 0])
    })

    test('proof of existence leaves the last read as it was, and creates nothing', async () => {
      await using store = await open()
      const state = await listOfThree(store)
      const before = await store.known('acme', 'shipment', ['A'])
      await store.commit(
        batch({ met: { resource: 'shipment', ids: ['A', 'X'] }, list: { resource: 'shipment', state } }),
      )
      expect(await store.known('acme', 'shipment', ['A', 'X'])).toEqual(before)
    })
  })

  describe('removed records', () => {
    test('keep what they were, and are known no more', async () => {
      await using store = await open()
      const { pass } = await listOfThree(store)
      await store.commit(batch({ records: [write(tombstone('B'), { expectedVersion: 0, contentHash: null })] }))
      expect((await store.records('acme', 'shipment', ['B'])).get('B')).toEqual(tombstone('B'))
      expect((await store.known('acme', 'shipment', ['B'])).get('B')).toMatchObject({ removed: true, misses: 0 })
      expect((await store.known('acme', 'shipment', ['A'])).get('A')).toMatchObject({ removed: false })
      expect(await store.missing('acme', 'shipment', pass)).toHaveLength(2)
      expect((await store.missing('acme', 'shipment', pass)).map(({ id }) => id)).toEqual(['A', 'C'])
      const [account] = await store.accounts(T)
      expect(account?.lists[0]?.records).toBe(2)
    })

    test('are neither missed nor met until they are read again', async () => {
      await using store = await open()
      const state = await listOfThree(store)
      const list = { resource: 'shipment', state } as const
      await store.commit(batch({ records: [write(tombstone('B'), { expectedVersion: 0, contentHash: null })] }))
      const ids = { resource: 'shipment', ids: ['B'] } as const
      await store.commit(batch({ met: ids, missed: ids, list }))
      expect(await store.missing('acme', 'shipment', state.pass)).toHaveLength(2)
      await store.commit(batch({ records: [write(sampleState('B'), { expectedVersion: 1 })], list }))
      expect((await store.known('acme', 'shipment', ['B'])).get('B')).toMatchObject({ removed: false, misses: 0 })
      expect((await store.records('acme', 'shipment', ['B'])).get('B')?.removedAt).toBeNull()
      expect(await store.missing('acme', 'shipment', state.pass + 1)).toHaveLength(3)
    })

    test('of shipments: their tracking is not read', async () => {
      await using store = await open()
      await store.commit(batch({ records: [write(tombstone('A')), write(sampleState('B'))] }))
      const due = { readBefore: T, now: T, limit: 9 }
      const queue = await store.trackedShipments('acme', { closedAfter: T, after: null, due })
      expect(queue.shipments.map(({ shipmentId }) => shipmentId)).toEqual(['B'])
    })
  })

  describe('holds', () => {
    test('a hold is read back as it was written, changed, and ended', async () => {
      await using store = await open()
      await listOfThree(store)
      expect((await store.doubts('acme', 'shipment')).hold).toBeNull()
      await store.commit(held(sampleHold()))
      expect((await store.doubts('acme', 'shipment')).hold).toEqual(sampleHold())
      expect((await store.doubts('acme', 'invoice')).hold).toBeNull()
      await store.commit(held(sampleHold({ missing: 11, sample: ['B'] })))
      expect(await store.holds()).toEqual([
        { account: 'acme', resource: 'shipment', ...sampleHold({ missing: 11, sample: ['B'] }) },
      ])
      await store.commit(held(null))
      expect((await store.doubts('acme', 'shipment')).hold).toBeNull()
    })

    test('a verdict given between a pass and its commit is not overwritten', async () => {
      await using store = await open()
      await listOfThree(store)
      await store.commit(held(sampleHold()))
      expect(await judgeHold(store, { account: 'acme', resource: 'shipment' }, 'accept')).toBe(true)
      await expect(store.commit(held(sampleHold({ missing: 11 })))).rejects.toMatchObject({ code: 'store_conflict' })
      expect((await store.doubts('acme', 'shipment')).hold).toEqual(sampleHold({ verdict: 'accept' }))
      await store.commit(held(null, 'accept'))
      expect(await store.holds()).toEqual([])
    })

    test('a rejection forgets every miss of its list, and the hold waits in silence', async () => {
      await using store = await open()
      await listOfThree(store)
      await store.commit(batch({ missed: { resource: 'shipment', ids: ['A', 'C'] } }))
      await store.commit(held(sampleHold()))
      expect(await judgeHold(store, { account: 'acme', resource: 'shipment' }, 'reject')).toBe(true)
      expect(await misses(store)).toEqual([0, 0, 0])
      expect(await store.holds()).toEqual([])
      expect((await store.doubts('acme', 'shipment')).hold).toEqual(sampleHold({ verdict: 'reject', quietPasses: 2 }))
      expect(await judgeHold(store, { account: 'acme', resource: 'shipment' }, 'accept')).toBe(false)
    })

    test('records that no fetch proves gone wait each by itself, beside the hold of their list', async () => {
      await using store = await open()
      await listOfThree(store)
      await store.commit(held(sampleHold()))
      const unproved = { resource: 'shipment', add: ['C', 'A'], drop: [], at: T + 1 } as const
      await store.commit(batch({ unproved }))
      await store.commit(batch({ unproved: { ...unproved, add: ['A', 'B'], at: T + 2 } }))
      expect(await store.holds()).toEqual([
        { account: 'acme', resource: 'shipment', ...sampleHold() },
        {
          account: 'acme',
          resource: 'shipment',
          ...sampleHold({ since: T + 1, known: 3, missing: 3, sample: ['A', 'B', 'C'] }),
          reason: 'unproved',
        },
      ])
      expect(await judgeHold(store, { account: 'acme', resource: 'invoice', reason: 'unproved' }, 'accept')).toBe(false)
      expect(await judgeHold(store, { account: 'acme', resource: 'shipment', reason: 'unproved' }, 'accept')).toBe(true)
      expect((await store.doubts('acme', 'shipment')).hold).toMatchObject({ verdict: null })
      await store.commit(batch({ unproved: { ...unproved, add: [], drop: ['B', 'X'] } }))
      expect((await store.doubts('acme', 'shipment')).unproved).toEqual([
        { id: 'A', verdict: 'accept' },
        { id: 'C', verdict: 'accept' },
      ])
      expect(await judgeHold(store, { account: 'acme', resource: 'shipment', reason: 'unproved' }, 'reject')).toBe(true)
      expect(await judgeHold(store, { account: 'acme', resource: 'shipment', reason: 'unproved' }, 'accept')).toBe(
        false,
      )
      expect((await store.holds()).map(({ reason }) => reason)).toEqual(['too_many'])
      expect((await store.doubts('acme', 'shipment')).unproved).toMatchObject([
        { verdict: 'reject' },
        { verdict: 'reject' },
      ])
    })

    test('an accepted one may still be rejected; where nothing is held there is nothing to judge', async () => {
      await using store = await open()
      await listOfThree(store)
      expect(await judgeHold(store, { account: 'acme', resource: 'shipment' }, 'accept')).toBe(false)
      await store.commit(held(sampleHold()))
      expect(await judgeHold(store, { account: 'other', resource: 'shipment' }, 'accept')).toBe(false)
      expect(await judgeHold(store, { account: 'acme', resource: 'shipment' }, 'accept')).toBe(true)
      expect(await judgeHold(store, { account: 'acme', resource: 'shipment' }, 'reject')).toBe(true)
    })
  })
}
