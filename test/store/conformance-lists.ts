import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatInstant } from '../../src/model/instant.ts'
import { comparePlaced, NEWEST_FIRST, placed, RECORD_SORTS, type RecordOrder } from '../../src/model/record-order.ts'
import type { RecordState } from '../../src/model/record-state.ts'
import type { RecordFilters, RecordQuery, RecordSummary } from '../../src/store/ports/record-query-port.ts'
import type { Store } from '../../src/store/ports/store.ts'
import type { OpenStore } from './conformance.ts'
import { batch, sampleEvent, sampleState, T, write } from './samples.ts'

const DAY = 86_400_000
const ACCOUNTS = ['acme', 'beta'] as const

interface Life {
  readonly account: string
  readonly name: string | null
  readonly status: string
  readonly carrier: string | null
  readonly port: string | null
  readonly mode: string
  /** Days from `T`. */
  readonly eta: number | null
  readonly first: number | null
  readonly delivered: boolean
  readonly removed: boolean
  readonly rang: number | null
}

const days = fc.option(fc.integer({ min: -2, max: 2 }))
const life: fc.Arbitrary<Life> = fc.record({
  account: fc.constantFrom(...ACCOUNTS),
  name: fc.option(fc.constantFrom('a', 'B', 'b', 'É', '~', '\u{10ffff}x', '中', 'Zz')),
  status: fc.constantFrom('booked', 'in_progress', 'finished', 'cancelled'),
  carrier: fc.option(fc.constantFrom('MAERSK', 'Maersk', 'CMA', 'Éclair')),
  port: fc.option(fc.constantFrom('FRFOS', 'NLRTM')),
  mode: fc.constantFrom('ocean', 'air'),
  eta: days,
  first: days,
  delivered: fc.boolean(),
  removed: fc.boolean(),
  rang: fc.option(fc.integer({ min: 0, max: 3 })),
})

const order: fc.Arbitrary<RecordOrder> = fc.record({
  by: fc.constantFrom(...RECORD_SORTS),
  isDescending: fc.boolean(),
})
const bound = fc.option(fc.integer({ min: -2, max: 2 }).map((n) => T + n * DAY))
const filters = fc.record(
  {
    status: fc.constantFrom('booked', 'finished', 'none'),
    carrier: fc.constantFrom('maersk', 'MaErSk', 'ÉCLAIR', 'éclair', 'none'),
    lane: fc.constantFrom('CNSHA → FRFOS', 'none'),
    mode: fc.constantFrom('ocean', 'rail'),
    open: fc.boolean(),
    arrives: fc.record({ from: bound, before: bound }),
  },
  { requiredKeys: [] },
)

/** Lists of records, sorted and narrowed. */
export function describeLists(open: OpenStore): void {
  describe('lists of records in an order', () => {
    test('show in pages what a plain sort and filter of all records shows', async () => {
      await using store = await open()
      const lives = fc.sample(life, { numRuns: 60, seed: 7 })
      await keep(store, lives)
      const all = lives.map(summaryOf)
      await fc.assert(
        fc.asyncProperty(order, filters, fc.integer({ min: 1, max: 40 }), async (asked, narrowed, limit) => {
          const query = { resource: 'shipment', order: asked, ...narrowed, limit } as const
          expect(await pagesOf(store, query)).toEqual(expected(all, asked, narrowed))
        }),
        { numRuns: 60 },
      )
    })

    test('are the newest events first where no order is asked for, and sort what a text finds', async () => {
      await using store = await open()
      const lives = fc.sample(life, { numRuns: 12, seed: 3 })
      await keep(store, lives)
      const all = lives.map(summaryOf)
      const newest = await pagesOf(store, { resource: 'shipment', limit: 5 })
      expect(newest).toEqual(expected(all, NEWEST_FIRST, {}))
      const byEta: RecordOrder = { by: 'eta', isDescending: true }
      const found = await pagesOf(store, { resource: 'shipment', q: 'shp', order: byEta, limit: 5 })
      expect(found).toEqual(expected(all, byEta, {}))
    })

    test('neither lose nor repeat a record whose value stays, when others move between two pages', async () => {
      await using store = await open()
      await keep(store, [arriving(1), arriving(2), arriving(3), arriving(4)])
      const query = { resource: 'shipment', order: { by: 'eta', isDescending: false }, limit: 2 } as const
      const first = await store.recordPage(query)
      await store.commit(
        batch({ records: [write({ ...stateOf(arriving(9), 0), version: 1 }, { expectedVersion: 0 })] }),
      )
      const second = await store.recordPage({ ...query, cursor: first.next ?? '' })
      expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(['SHP-0', 'SHP-1', 'SHP-2', 'SHP-3'])
      const third = await store.recordPage({ ...query, cursor: second.next ?? '' })
      expect(third).toMatchObject({ items: [{ id: 'SHP-0', drift: 9 * 1_440 }], next: null })
    })

    test('refuse a cursor of another order', async () => {
      await using store = await open()
      await keep(store, [PLAIN, PLAIN])
      const query = { resource: 'shipment', order: { by: 'name', isDescending: false }, limit: 1 } as const
      const { next } = await store.recordPage(query)
      const other = { ...query, order: { by: 'eta', isDescending: false }, cursor: next ?? '' } as const
      await expect(store.recordPage(other)).rejects.toMatchObject({ code: 'bad_cursor' })
    })
  })
}

const PLAIN: Life = {
  account: 'acme',
  name: 'a',
  status: 'booked',
  carrier: null,
  port: null,
  mode: 'ocean',
  eta: null,
  first: null,
  delivered: false,
  removed: false,
  rang: null,
}

function arriving(eta: number): Life {
  return { ...PLAIN, eta, first: 0 }
}

function idOf(nth: number): string {
  return `SHP-${nth}`
}

function at(day: number): string {
  return formatInstant(T + day * DAY)
}

function stateOf(of: Life, nth: number): RecordState {
  const id = idOf(nth)
  const seen = {
    platform_shipment_id: id,
    ...(of.name !== null && { name: of.name }),
    status: of.status,
    freight_mode: of.mode,
    ...(of.port !== null && { route: { origin_port_unlocode: 'CNSHA', destination_port_unlocode: of.port } }),
    ...(of.carrier !== null && { booking_information: { carrier: of.carrier } }),
    main_tracking_dates: {
      ...(of.eta !== null && { arrival_date: { date: at(of.eta), status: 'estimated' } }),
      ...(of.delivered && { delivery_date: { date: at(0), status: 'actual' } }),
    },
  }
  const memory =
    of.first === null
      ? {}
      : { milestones: { arrival: { first: { date: at(of.first), seenAt: T }, instants: [], actualEventId: null } } }
  return sampleState(id, { seen, reported: seen, memory, removedAt: of.removed ? T : null })
}

function summaryOf(of: Life, nth: number): RecordSummary {
  const drift = of.eta === null ? null : (of.eta - (of.first ?? of.eta)) * 1_440
  return {
    account: of.account,
    resource: 'shipment',
    id: idOf(nth),
    name: of.name,
    status: of.status,
    removedAt: of.removed ? T : null,
    version: 0,
    lastReadAt: T,
    lastEventAt: of.rang === null ? null : T + of.rang,
    dueOn: null,
    carrier: of.carrier,
    lane: of.port === null ? null : `CNSHA → ${of.port}`,
    kind: of.mode,
    isOpen: !of.removed && !of.delivered && of.status !== 'finished' && of.status !== 'cancelled',
    etaAt: of.eta === null ? null : T + of.eta * DAY,
    drift,
    totals: null,
  }
}

async function keep(store: Store, lives: readonly Life[]): Promise<void> {
  for (const account of ACCOUNTS) {
    const states = lives.flatMap((each, nth) => (each.account === account ? [{ each, nth }] : []))
    const records = states.map(({ each, nth }) => write(stateOf(each, nth)))
    await store.commit(batch({ account, records }))
    for (const rang of [0, 1, 2, 3]) {
      const events = states.flatMap(({ each, nth }) => {
        const subject = { resource: 'shipment', id: idOf(nth), version: 0, previousEventId: null } as const
        return each.rang === rang ? [sampleEvent(`evt_${nth}`, { account, subject, timestamp: T + rang })] : []
      })
      const again = states.flatMap(({ each, nth }) =>
        each.rang === rang ? [write(stateOf(each, nth), { expectedVersion: 0 })] : [],
      )
      if (events.length > 0) await store.commit(batch({ account, records: again, events }))
    }
  }
}

/** Rows of one value that follow each other may come in any order. */
function groups(rows: readonly (RecordSummary & { readonly value: unknown })[]): readonly string[] {
  const runs: { readonly value: string; readonly ids: string[] }[] = []
  for (const { id, value } of rows) {
    const text = JSON.stringify(value)
    const last = runs.at(-1)
    if (last?.value === text) last.ids.push(id)
    else runs.push({ value: text, ids: [id] })
  }
  return runs.flatMap(({ ids, value }) => ids.toSorted().map((id) => `${value}:${id}`))
}

function expected(all: readonly RecordSummary[], asked: RecordOrder, narrowed: RecordFilters): readonly string[] {
  const { arrives } = narrowed
  const rows = all.filter(
    (each) =>
      (narrowed.status ?? each.status) === each.status &&
      (narrowed.carrier === undefined || (each.carrier !== null && lower(each.carrier) === lower(narrowed.carrier))) &&
      (narrowed.lane ?? each.lane) === each.lane &&
      (narrowed.mode ?? each.kind) === each.kind &&
      (narrowed.open ?? each.isOpen) === each.isOpen &&
      (arrives === undefined ||
        (each.etaAt !== null &&
          each.etaAt >= (arrives.from ?? -Infinity) &&
          each.etaAt < (arrives.before ?? Infinity))),
  )
  const compare = comparePlaced(asked)
  const places = rows.map((each) => ({ ...each, ...placed(each, asked) }))
  return groups(places.toSorted(compare))
}

/** A to Z in lower case, other letters as they are. */
function lower(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** All pages, row by row: its value in the order, and its id. */
async function pagesOf(store: Store, query: RecordQuery): Promise<readonly string[]> {
  const rows: RecordSummary[] = []
  let cursor: string | null | undefined
  while (cursor !== null) {
    const page = await store.recordPage({ ...query, ...(cursor !== undefined && { cursor }) })
    expect(page.items.length).toBeLessThanOrEqual(query.limit)
    rows.push(...page.items)
    cursor = page.next
  }
  const { order: asked = NEWEST_FIRST } = query
  return groups(rows.map((each) => ({ ...each, ...placed(each, asked) })))
}
