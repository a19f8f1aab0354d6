import { describe, expect, test } from 'vitest'
import type { EventDraft } from '../../src/model/event.ts'
import { formatInstant } from '../../src/model/instant.ts'
import type { RecordState } from '../../src/model/record-state.ts'
import type { Store } from '../../src/store/ports/store.ts'
import type { OpenStore } from './conformance.ts'
import { batch, sampleEvent, sampleState, T, write } from './samples.ts'

const [MINUTE, DAY] = [60_000, 86_400_000]

export function describeArrivals(open: OpenStore): void {
  describe('arrivals of which a date was told', () => {
    test('are counted once each, by carrier and by lane', async () => {
      await using store = await open()
      const life = new Life(store)
      await life.arrive({ id: 'A', told: [0, 3], arrived: 2.5, carrier: 'One' })
      await life.arrive({ id: 'B', told: [0], arrived: 0.5, carrier: 'One', lane: 'FRFOS' })
      await life.arrive({ id: 'C', told: [5], arrived: 4, carrier: 'Two' })
      await life.arrive({ id: 'D', told: [], arrived: 4, carrier: 'Two' })
      expect(await of(store, 'carrier')).toEqual([
        { key: 'One', n: 2, nearFirst: 1, nearLast: 2, medianDriftMinutes: 1.5 * 1_440 },
        { key: 'Two', n: 1, nearFirst: 1, nearLast: 1, medianDriftMinutes: -1_440 },
      ])
      expect((await of(store, 'lane')).map(({ key, n }) => [key, n])).toEqual([
        ['CNSHA-FRFOS', 1],
        ['CNSHA-NLRTM', 2],
      ])
      expect(await of(store, 'carrier', { lane: 'cnsha-nlrtm' })).toHaveLength(2)
      expect(await of(store, 'lane', { carrier: 'two' })).toMatchObject([{ key: 'CNSHA-NLRTM', n: 1 }])
      expect(await of(store, 'carrier', { accounts: ['other'] })).toEqual([])
      expect(await of(store, 'carrier', { account: 'acme', accounts: ['acme'] })).toHaveLength(2)
    })

    test('are right once an actual is corrected, taken back, or the carrier is another', async () => {
      await using store = await open()
      const life = new Life(store)
      await life.arrive({ id: 'A', told: [0], arrived: 2, carrier: 'One' })
      await life.tell({ id: 'A', from: ['actual', 2], to: ['actual', 0.5], carrier: 'One' })
      expect(await of(store, 'carrier')).toMatchObject([{ key: 'One', n: 1, nearFirst: 1, medianDriftMinutes: 720 }])
      await life.tell({ id: 'A', from: ['actual', 0.5], to: ['actual', 0.5], carrier: 'Two' })
      expect(await of(store, 'carrier')).toMatchObject([{ key: 'Two', n: 1 }])
      await life.tell({ id: 'A', from: ['actual', 0.5], to: ['estimated', 6], carrier: 'Two' })
      expect(await of(store, 'carrier')).toEqual([])
      expect(await of(store, 'lane')).toEqual([])
    })

    test('count no more after 180 days, and are forgotten after two years', async () => {
      await using store = await open()
      const life = new Life(store)
      await life.arrive({ id: 'A', told: [0], arrived: 1, carrier: 'One' })
      expect(await of(store, 'carrier', { since: T + DAY })).toHaveLength(1)
      expect(await of(store, 'carrier', { since: T + DAY + MINUTE })).toEqual([])
      life.now = T + 200 * DAY
      await life.arrive({ id: 'B', told: [200], arrived: 200, carrier: 'One' })
      expect(await of(store, 'carrier', { since: 0 })).toMatchObject([{ n: 1 }])
      expect(await past(store, 'One')).toEqual(['B', 'A'])
      life.now = T + 900 * DAY
      await life.arrive({ id: 'C', told: [900], arrived: 900, carrier: 'One' })
      expect(await past(store, 'One')).toEqual(['C', 'B'])
    })

    test('are found by carrier and by lane with what was told, the one that was recorded last first', async () => {
      await using store = await open()
      const life = new Life(store)
      await life.arrive({ id: 'A', told: [0, 3], arrived: 2, carrier: 'One' })
      life.now += DAY
      await life.arrive({ id: 'B', told: [1], arrived: 2, carrier: 'One', lane: 'FRFOS' })
      expect(await past(store, 'One')).toEqual(['B', 'A'])
      const asked = { account: 'acme', by: 'lane', key: 'CNSHA-NLRTM', limit: 9 } as const
      expect(await store.pastArrivals(asked)).toEqual([
        {
          shipment: 'A',
          carrier: 'One',
          lane: 'CNSHA-NLRTM',
          arrivedAt: T + 2 * DAY,
          recordedAt: T + 3,
          told: [
            { date: T, at: T + 1 },
            { date: T + 3 * DAY, at: T + 2 },
          ],
        },
      ])
      expect(await store.pastArrivals({ ...asked, account: 'other' })).toEqual([])
      expect(await store.pastArrivals({ ...asked, key: 'One' })).toEqual([])
    })

    test('are kept by names of any length and kind', async () => {
      await using store = await open()
      const life = new Life(store)
      const carrier = `\u202E<b>漢字\u0000${'🚢'.repeat(4_000)}`
      await life.arrive({ id: 'A', told: [0], arrived: 2, carrier })
      await life.tell({ id: 'A', from: ['actual', 2], to: ['actual', 1], carrier })
      expect(await of(store, 'carrier')).toMatchObject([{ n: 1, medianDriftMinutes: 1_440 }])
    })
  })
}

type Value = readonly [status: string, day: number]

interface Step {
  readonly id: string
  readonly carrier: string
  readonly lane?: string
}

/** Shipments as they move; days are counted from `T`. */
class Life {
  now = T
  readonly #store: Store
  readonly #versions = new Map<string, number>()

  constructor(store: Store) {
    this.#store = store
  }

  async arrive({ arrived, told, ...step }: Step & { readonly told: readonly number[]; readonly arrived: number }) {
    const values: readonly Value[] = [...told.map((day) => ['estimated', day] as const), ['actual', arrived]]
    let from: Value | null = null
    for (const to of values) {
      await this.tell({ ...step, from, to })
      from = to
    }
  }

  /** One telling, and what is made of it at once. */
  async tell({ carrier, from, id, lane = 'NLRTM', to }: Step & { readonly from: Value | null; readonly to: Value }) {
    const version = this.#versions.get(id) ?? 0
    this.#versions.set(id, version + 1)
    const at = this.now + version + 1
    const route = { origin_port_unlocode: 'CNSHA', destination_port_unlocode: lane }
    const seen = { main_tracking_dates: { arrival_date: value(to) }, booking_information: { carrier }, route }
    const state = sampleState(id, { seen, reported: seen, version: version + 1 })
    const events = [moved({ id, from, to, version: version + 1, at })]
    const own = write(state, { expectedVersion: version === 0 ? null : version })
    await this.#store.commit(batch({ records: [own], events }))
    await this.look(state)
  }

  async look(...shipments: readonly RecordState[]): Promise<void> {
    await this.#store.commit({ ...batch(), changes: [{ kind: 'arrivals', shipments, at: this.now }] })
  }
}

function value([status, day]: Value) {
  return { date: formatInstant(T + day * DAY), status }
}

interface Moved {
  readonly id: string
  readonly from: Value | null
  readonly to: Value
  readonly version: number
  readonly at: number
}

function moved({ at, from, id, to, version }: Moved): EventDraft {
  const date_change = { milestone: 'arrival', from: from === null ? null : value(from), to: value(to) }
  return sampleEvent(`evt_${id}_${version}`, {
    type: 'shipment.eta_changed',
    subject: { resource: 'shipment', id, version, previousEventId: null },
    timestamp: at,
    extras: { date_change },
  })
}

async function of(
  store: Store,
  by: 'carrier' | 'lane',
  more: Partial<Parameters<Store['reliability']>[0]> = {},
): ReturnType<Store['reliability']> {
  const rows = await store.reliability({ by, since: T - DAY, ...more })
  return rows.toSorted((one, other) => (one.key < other.key ? -1 : 1))
}

async function past(store: Store, key: string): Promise<readonly string[]> {
  const rows = await store.pastArrivals({ account: 'acme', by: 'carrier', key, limit: 9 })
  return rows.map(({ shipment }) => shipment)
}
