import { describe, expect, test } from 'vitest'
import type { TrackedQuery, TrackedShipment, TrackedSlice } from '../../src/store/ports/record-port.ts'
import { AT_LENGTH } from '../support/runs.ts'
import type { OpenStore } from './conformance.ts'
import { batch, sampleState, T, write } from './samples.ts'

function items({ shipments }: TrackedSlice) {
  return shipments.map(({ lastSentAt, shipmentId }) => ({ shipmentId, lastSentAt }))
}

export function describeTracking(open: OpenStore): void {
  describe('the tracking queue', () => {
    test('puts shipments never read first, then those read longest ago', async () => {
      await using store = await open()
      await store.commit(batch({ records: ['A', 'B', 'C', 'D'].map((id) => write(sampleState(id))) }))
      const tracked = { B: T + 2_000, D: T + 1_000 }
      const records = Object.entries(tracked).map(([id, sentAt]) =>
        write(sampleState(id, { resource: 'tracking', lastRead: { sentAt, answeredAt: sentAt + 50 } })),
      )
      await store.commit(batch({ records }))
      const query = { closedAfter: T, after: null }
      const due = { readBefore: T + 9_000, limit: 9, now: T + 86_400_000 }
      expect(items(await store.trackedShipments('acme', { ...query, due }))).toEqual([
        { shipmentId: 'A', lastSentAt: null },
        { shipmentId: 'C', lastSentAt: null },
        { shipmentId: 'D', lastSentAt: T + 1_000 },
        { shipmentId: 'B', lastSentAt: T + 2_000 },
      ])
      expect(items(await store.trackedShipments('acme', { ...query, due: { ...due, readBefore: T + 2_000 } }))).toEqual(
        [
          { shipmentId: 'A', lastSentAt: null },
          { shipmentId: 'C', lastSentAt: null },
          { shipmentId: 'D', lastSentAt: T + 1_000 },
        ],
      )
      expect(items(await store.trackedShipments('acme', { ...query, due: { ...due, limit: 1 } }))).toHaveLength(1)
      expect(await store.trackedShipments('other', { ...query, due })).toEqual({ shipments: [], after: null })
    })

    test('shows what says how often tracking changes, slice by slice', async () => {
      await using store = await open()
      const shipments = Array.from({ length: 1_200 }, (_, nth) => sampleState(`S-${nth}`))
      const closed = [T - 1, T, T + 1].map((closedAt) => sampleState(`closed ${closedAt}`, { closedAt }))
      const records = [...shipments, ...closed].map((state) => write(state))
      await store.commit(batch({ records }))
      const lastRead = { sentAt: T + 2_000, answeredAt: T + 2_050 }
      await store.commit(batch({ records: [write(sampleState('S-7', { resource: 'tracking', lastRead }))] }))
      const found: TrackedShipment[] = []
      let [slices, after]: [number, TrackedSlice['after']] = [0, null]
      do {
        const slice: TrackedSlice = await store.trackedShipments('acme', { closedAfter: T, after })
        found.push(...slice.shipments)
        after = slice.after
        slices += 1
      } while (after !== null)
      const ids = [...shipments.map(({ id }) => id), `closed ${T}`, `closed ${T + 1}`]
      expect([slices > 1, found.map(({ shipmentId }) => shipmentId).toSorted()]).toEqual([true, ids.toSorted()])
      expect(found.filter(({ lastSentAt }) => lastSentAt !== null)).toMatchObject([
        { shipmentId: 'S-7', lastSentAt: T + 2_000, closedAt: null },
      ])
      expect(found.at(-1)).toMatchObject({ shipmentId: `closed ${T + 1}`, closedAt: T + 1 })
      expect(await store.trackedShipments('other', { closedAfter: T, after: null })).toEqual({
        shipments: [],
        after: null,
      })
    })

    test.runIf(AT_LENGTH)('comes in slices where there are thousands', async () => {
      await using store = await open()
      const states = Array.from({ length: 5_300 }, (_, nth) =>
        sampleState(`S-${nth}`, { closedAt: nth < 5_100 ? null : T + (nth % 7) }),
      )
      await store.commit(batch({ records: states.map((state) => write(state)) }))
      const found: string[] = []
      let [slices, after]: [number, TrackedSlice['after']] = [0, null]
      do {
        const query: TrackedQuery = { closedAfter: T + 1, after, due: { readBefore: T, now: T, limit: 9_999 } }
        const slice: TrackedSlice = await store.trackedShipments('acme', query)
        found.push(...slice.shipments.map(({ shipmentId }) => shipmentId))
        after = slice.after
        slices += 1
      } while (after !== null)
      const asked = states.filter(({ closedAt }) => closedAt !== T).map(({ id }) => id)
      expect([slices, found.toSorted()]).toEqual([2, asked.toSorted()])
    })

    test('leaves out shipments closed before the given instant, and records that are no shipments', async () => {
      await using store = await open()
      await store.commit(
        batch({
          records: [
            write(sampleState('open')),
            write(sampleState('just closed', { closedAt: T })),
            write(sampleState('long closed', { closedAt: T - 1 })),
            write(sampleState('INV-1', { resource: 'invoice' })),
          ],
        }),
      )
      const due = { readBefore: T, now: T, limit: 9 }
      const queue = await store.trackedShipments('acme', { closedAfter: T, after: null, due })
      expect(queue.shipments.map(({ shipmentId }) => shipmentId).toSorted()).toEqual(['just closed', 'open'])
    })
  })
}
