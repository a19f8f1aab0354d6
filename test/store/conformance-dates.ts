import { describe, expect, test } from 'vitest'
import type { EventDraft } from '../../src/model/event.ts'
import { formatInstant } from '../../src/model/instant.ts'
import type { JsonObject } from '../../src/model/json.ts'
import type { RecordState } from '../../src/model/record-state.ts'
import type { Slip, SlipQuery } from '../../src/store/ports/record-query-port.ts'
import type { Store } from '../../src/store/ports/store.ts'
import type { OpenStore } from './conformance.ts'
import { batch, sampleEvent, sampleState, T, write } from './samples.ts'

const DAY = 86_400_000
const [D1, D2, D3] = [T + 10 * DAY, T + 12 * DAY, T + 9 * DAY]
const KEY = { account: 'acme', resource: 'shipment', id: 'A' } as const

export function describeDates(open: OpenStore): void {
  describe('the history of dates', () => {
    test('begins with the value that was learnt silently, then has each that was told', async () => {
      await using store = await open()
      await store.commit(batch({ records: [write(shipment('A', D1))] }))
      expect((await store.recordDetail(KEY))?.dates).toEqual({ arrival: [silent(D1, T)] })
      await move(store, { id: 'A', from: D1, to: D2, revision: 2, at: T + 5 })
      await move(store, { id: 'A', from: D2, to: D3, revision: 3, at: T + 9, rangAt: T + 11 })
      expect((await store.recordDetail(KEY))?.dates).toEqual({
        arrival: [
          silent(D1, T),
          { ...value(D2), seenAt: T + 5, toldAt: T + 5, eventId: `evt_A_${T + 5}` },
          { ...value(D3), seenAt: T + 9, toldAt: T + 11, eventId: `evt_A_${T + 9}` },
        ],
      })
    })

    test('has a value once, also where its event is committed again', async () => {
      await using store = await open()
      await store.commit(batch({ records: [write(shipment('A', D1))] }))
      const events = [moved({ id: 'A', from: D1, to: D2, revision: 2, at: T + 5 })]
      for (const _ of [1, 2]) {
        await store.commit(batch({ records: [write(shipment('A', D2), { expectedVersion: 0 })], events }))
      }
      expect((await store.recordDetail(KEY))?.dates.arrival?.map(({ date }) => date)).toEqual(
        [D1, D2].map(formatInstant),
      )
      expect((await store.slips({ since: 0, limit: 9 })).items).toHaveLength(1)
    })

    test('does not count as told what waits to ring', async () => {
      await using store = await open()
      await store.commit(batch({ records: [write(shipment('A', D1))] }))
      await move(store, { id: 'A', from: D1, to: D2, revision: 2, at: T + 5 })
      const waits = { ...shipment('A', D3), reported: shipment('A', D2).seen }
      await store.commit(batch({ records: [write(waits, { expectedVersion: 0 })] }))
      expect((await store.recordDetail(KEY))?.dates.arrival?.slice(1)).toEqual([
        expect.objectContaining({ ...value(D2), toldAt: T + 5 }),
        { ...value(D3), seenAt: null, toldAt: null, eventId: null },
      ])
      await store.commit(batch({ records: [write(shipment('A', D2), { expectedVersion: 0 })] }))
      expect((await store.recordDetail(KEY))?.dates.arrival).toHaveLength(2)
    })

    test('counts a created shipment’s dates as told, and what a restored one shows', async () => {
      await using store = await open()
      const created = whole('shipment.created', shipment('A', D1), T)
      await store.commit(batch({ records: [write(shipment('A', D1))], events: [created] }))
      const gone = { ...shipment('A', D1), removedAt: T + 1 }
      await store.commit(
        batch({ records: [write(gone, { expectedVersion: 0 })], events: [whole('shipment.removed', gone, T + 1)] }),
      )
      const back = whole('shipment.restored', shipment('A', D2), T + 2)
      await store.commit(batch({ records: [write(shipment('A', D2), { expectedVersion: 0 })], events: [back] }))
      expect((await store.recordDetail(KEY))?.dates).toEqual({
        arrival: [
          { ...value(D1), seenAt: T, toldAt: T, eventId: created.id },
          { ...value(D2), seenAt: T + 2, toldAt: T + 2, eventId: back.id },
        ],
      })
    })

    test('keeps silent what was learnt silently of a shipment that comes back', async () => {
      await using store = await open()
      await store.commit(batch({ records: [write(shipment('A', D1))] }))
      const gone = { ...shipment('A', D1), removedAt: T + 1 }
      await store.commit(
        batch({ records: [write(gone, { expectedVersion: 0 })], events: [whole('shipment.removed', gone, T + 1)] }),
      )
      expect((await store.recordDetail(KEY))?.dates).toEqual({ arrival: [silent(D1, T)] })
      const same = whole('shipment.restored', shipment('A', D1), T + 2)
      await store.commit(batch({ records: [write(shipment('A', D1), { expectedVersion: 0 })], events: [same] }))
      expect((await store.recordDetail(KEY))?.dates).toEqual({ arrival: [silent(D1, T)] })
      const other = whole('shipment.restored', shipment('A', D2), T + 3)
      await store.commit(batch({ records: [write(shipment('A', D2), { expectedVersion: 0 })], events: [other] }))
      expect((await store.recordDetail(KEY))?.dates).toEqual({
        arrival: [silent(D1, T), { ...value(D2), seenAt: T + 3, toldAt: T + 3, eventId: other.id }],
      })
    })

    test('tells a date that went, and one that changed its status only', async () => {
      await using store = await open()
      await store.commit(batch({ records: [write(shipment('A', D1))] }))
      await move(store, { id: 'A', from: D1, to: D1, revision: 1, at: T + 1, status: 'planned' })
      expect((await store.slips({ since: 0, limit: 9 })).items).toEqual([])
      await move(store, { id: 'A', from: D1, to: null, revision: 1, at: T + 2 })
      const values = (await store.recordDetail(KEY))?.dates.arrival ?? []
      expect(values.map(({ date, status }) => [date, status])).toEqual([
        [formatInstant(D1), 'estimated'],
        [formatInstant(D1), 'planned'],
        [formatInstant(D1), 'estimated'],
        [null, null],
      ])
    })
  })

  describe('slips', () => {
    test('come by the size of their drift, later or earlier, with what is known of the shipment', async () => {
      await using store = await open()
      await store.commit(batch({ records: ['A', 'B', 'C'].map((id) => write(shipment(id, D1))) }))
      await move(store, { id: 'A', from: D1, to: D1 + DAY, revision: 2, at: T })
      await move(store, { id: 'B', from: D1, to: D1 - 5 * DAY, revision: 2, at: T + 2 * DAY })
      await move(store, { id: 'C', from: D1, to: D1 + 9 * DAY, revision: 2, at: T + DAY })
      await move(store, { id: 'C', from: D1 + 9 * DAY, to: D1 + 3 * DAY, revision: 3, at: T + 3 * DAY })
      const { items, next } = await store.slips({ since: 0, limit: 9 })
      expect(next).toBeNull()
      expect(items.map(({ driftMinutes, shipment }) => [shipment, driftMinutes])).toEqual([
        ['B', -5 * 1_440],
        ['C', 3 * 1_440],
        ['A', 1_440],
      ])
      expect(items[1]).toEqual({
        account: 'acme',
        shipment: 'C',
        name: 'Ship C',
        milestone: 'arrival',
        first: D1,
        now: D1 + 3 * DAY,
        driftMinutes: 3 * 1_440,
        revisions: 3,
        movedAt: T + 3 * DAY,
        carrier: 'Line',
        lane: 'CNSHA → NLRTM',
      } satisfies Slip)
      expect(await names(store, { since: T + 1, limit: 9 })).toEqual(['B', 'C'])
      expect(await names(store, { since: T + 2 * DAY, limit: 9 })).toEqual(['B', 'C'])
      expect(await names(store, { since: T + 2 * DAY + 1, limit: 9 })).toEqual(['C'])
      expect(await names(store, { since: T + 4 * DAY, limit: 9 })).toEqual([])
      expect(await names(store, { since: 0, limit: 9, carrier: 'lINE', lane: 'CNSHA → NLRTM' })).toHaveLength(3)
      expect(await names(store, { since: 0, limit: 9, carrier: 'Other' })).toEqual([])
      expect(await names(store, { since: 0, limit: 9, lane: 'Other' })).toEqual([])
      expect(await names(store, { since: 0, limit: 9, account: 'beta' })).toEqual([])
    })

    test('go on where a page ended, over days and accounts', async () => {
      await using store = await open()
      const expected: string[] = []
      for (const [n, account] of ['acme', 'beta', 'acme', 'beta', 'acme', 'beta', 'acme'].entries()) {
        const id = `S${n}`
        await store.commit(batch({ account, records: [write(shipment(id, D1))] }))
        await move(store, { id, account, from: D1, to: D1 + (n % 4) * DAY + DAY, revision: 2, at: T + (n % 3) * DAY })
        expected.push(id)
      }
      const seen: Slip[] = []
      let cursor: string | undefined
      do {
        const page = await store.slips({ since: 0, limit: 2, ...(cursor && { cursor }) })
        seen.push(...page.items)
        cursor = page.next ?? undefined
      } while (cursor !== undefined)
      expect(seen.map(({ shipment }) => shipment).toSorted()).toEqual(expected)
      expect(seen.map(({ driftMinutes }) => driftMinutes)).toEqual(
        seen.map(({ driftMinutes }) => driftMinutes).toSorted((one, other) => other - one),
      )
    })

    test('end with the date, and begin anew with it', async () => {
      await using store = await open()
      await store.commit(batch({ records: [write(shipment('A', D1))] }))
      await move(store, { id: 'A', from: D1, to: D2, revision: 2, at: T })
      await move(store, { id: 'A', from: D2, to: null, revision: 2, at: T + 1 })
      expect(await names(store, { since: 0, limit: 9 })).toEqual([])
      await move(store, { id: 'A', from: null, to: D3, revision: 3, at: T + 2 })
      expect((await store.slips({ since: 0, limit: 9 })).items).toMatchObject([{ driftMinutes: -1_440, revisions: 3 }])
    })
  })
}

interface Move {
  readonly id: string
  readonly account?: string
  readonly from: number | null
  readonly to: number | null
  readonly revision: number
  readonly at: number
  readonly rangAt?: number
  readonly status?: string
}

/** A read that showed another date, and what rang for it. */
async function move(store: Store, change: Move): Promise<void> {
  const { account = 'acme', at, id, rangAt = at, status, to } = change
  await store.commit(
    batch({
      account,
      records: [write(shipment(id, to, status), { expectedVersion: 0 })],
      events: [moved(change)],
      storedAt: rangAt,
    }),
  )
}

/** All shipments here were first seen with `D1`. */
function moved({ account = 'acme', at, from, id, revision, status, to }: Move): EventDraft {
  const change = {
    milestone: 'arrival',
    from: from === null ? null : value(from),
    to: to === null ? null : value(to, status),
    shift_minutes: from === null || to === null ? null : (to - from) / 60_000,
    direction: 'later',
    first: { date: formatInstant(D1), seen_at: formatInstant(T) },
    drift_minutes: to === null ? null : (to - D1) / 60_000,
    revision,
  }
  return sampleEvent(`evt_${id}_${at}`, {
    account,
    type: 'shipment.eta_changed',
    subject: { resource: 'shipment', id, version: 1, previousEventId: null },
    timestamp: at,
    extras: { date_change: change },
  })
}

function whole(type: EventDraft['type'], { id, seen }: RecordState, at: number): EventDraft {
  const subject = { resource: 'shipment', id, version: 1, previousEventId: null } as const
  return sampleEvent(`evt_${id}_${at}`, {
    type,
    subject,
    timestamp: at,
    object: seen,
    before: null,
    changes: null,
    extras: {},
  })
}

function value(at: number, status = 'estimated'): { readonly date: string; readonly status: string } {
  return { date: formatInstant(at), status }
}

function silent(at: number, seenAt: number): JsonObject {
  return { ...value(at), seenAt, toldAt: null, eventId: null }
}

function shipment(id: string, arrival: number | null, status?: string): RecordState {
  const seen = {
    platform_shipment_id: id,
    name: `Ship ${id}`,
    route: { origin_port_unlocode: 'CNSHA', destination_port_unlocode: 'NLRTM' },
    booking_information: { carrier: 'Line' },
    main_tracking_dates: { arrival_date: arrival === null ? null : value(arrival, status) },
  }
  const first = { date: formatInstant(D1), seenAt: T }
  const milestones = { arrival: { first, instants: [D1], actualEventId: null } }
  return sampleState(id, { seen, reported: seen, memory: { milestones } })
}

async function names(store: Store, query: SlipQuery): Promise<readonly string[]> {
  return (await store.slips(query)).items.map(({ shipment }) => shipment)
}
