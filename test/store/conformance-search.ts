import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { collectItems } from '../../src/model/page.ts'
import type { JsonObject } from '../../src/model/json.ts'
import type { RecordResource } from '../../src/model/resource.ts'
import type { Store } from '../../src/store/ports/store.ts'
import type { OpenStore } from './conformance.ts'
import { batch, sampleState, write } from './samples.ts'

const SHIPMENT: JsonObject = {
  platform_shipment_id: 'SHP-1',
  name: 'Spring collection 12/b Châlons Łódź Straße',
  purchase_order_references: ['PO-77', 4_711],
  cargo: { containers: [{ container_number: 'MSCU 123456-7', purchase_order_references: [88_001] }] },
  booking_information: {
    master_bill: 'MEDU900',
    house_bill: 'HBL-5',
    ocean_booking: { booking_number: 'BK 31' },
  },
  invoice_references: ['INV-9'],
  accepted_quote: { id: 'Q-3' },
}

const SHIPMENT_TEXTS =
  'lodz|łodź|strasse|STRASSE|straße|SHP-1|shp1| shp 1 |SHP|spring|Spring coll|COLLECTION|12/b|b ch|chalons|châl|po-77|PO77|4711|88001|mscu1234567|MSCU 123456-7|mscu-12|medu9|hbl5|bk31|inv-9|Q3'.split(
    '|',
  )

const OTHERS: readonly (readonly [RecordResource, string, JsonObject, readonly string[]])[] = [
  ['tracking', 'SHP-1', { platform_shipment_id: 'SHP-1' }, ['shp-1']],
  [
    'invoice',
    'REF-1',
    { reference: 'REF-1', number: 'F 2026-11', platform_shipment_id: 'SHP-1' },
    ['ref', 'f2026', 'shp1'],
  ],
  ['document', '12', { id: 12, name: 'packing_list.pdf', any_shipment_id: 'SHP-1' }, ['12', 'pack', 'list', 'SHP-1']],
  [
    'purchase_order',
    'PO-77',
    {
      po_number: 'PO-77',
      supplier_name: 'Blue Mill',
      purchase_order_lines: [{ reference: 'L-1', assigned_order_lines: [{ platform_shipment_id: 'SHP-1' }] }],
    },
    ['po77', 'mill', 'l-1', 'shp-1'],
  ],
  ['location', '7', { id: 7, name: 'Dock 4', company_name: 'Blue Mill' }, ['7', 'dock', 'blue m']],
  ['order_preparation', 'OP-1', { name: 'Week 47', picking_references: ['P-1'] }, ['op-1', '47', 'p1']],
]

/** What changed, a shipment before and after it, what it is found by no more, and what it is found by. */
const READINGS: readonly (readonly [string, JsonObject, JsonObject, readonly string[], readonly string[]])[] = [
  ['its status', SHIPMENT, { ...SHIPMENT, status: 'booked' }, [], ['spring', 'medu9', 'po-77', '88001']],
  ['its name', SHIPMENT, { ...SHIPMENT, name: 'Autumn' }, ['spring'], ['autumn', 'medu9']],
  ['an order', SHIPMENT, { ...SHIPMENT, purchase_order_references: ['PO-78', 4_711] }, ['po-77'], ['po-78', '4711']],
  ['one order less', SHIPMENT, { ...SHIPMENT, purchase_order_references: [4_711] }, ['po-77'], ['4711', 'spring']],
  [
    'where the same texts stand',
    { booking_information: { master_bill: 'Two words' }, purchase_order_references: ['x'] },
    { name: 'Two words', booking_information: { ocean_booking: { booking_number: 'x' } } },
    [],
    ['words', 'two w', 'x'],
  ],
]

function namesOf(items: readonly { readonly name: string | null }[]): readonly (string | null)[] {
  return items.map(({ name }) => name)
}

export function describeSearch(open: OpenStore): void {
  describe('search', () => {
    test.for(SHIPMENT_TEXTS)('finds a shipment by %s', async (q, { expect }) => {
      await using store = await open()
      await keep(store, 'shipment', { 'SHP-1': SHIPMENT, 'SHP-2': { name: 'Autumn' } })
      expect(await found(store, 'shipment', q)).toEqual(q === 'SHP' ? ['SHP-2', 'SHP-1'] : ['SHP-1'])
    })

    test.for(['pringle', 'x', '-', '%', '_', "'", '*', 'spring x', '\ud800', '\u{10ffff}', 'q'.repeat(9_999)])(
      'finds nothing by %s',
      async (q, { expect }) => {
        await using store = await open()
        await keep(store, 'shipment', { 'SHP-1': SHIPMENT })
        expect(await found(store, 'shipment', q)).toEqual([])
      },
    )

    test.for(OTHERS)('finds a %s by what it names', async ([resource, id, record, texts], { expect }) => {
      await using store = await open()
      await keep(store, resource, { [id]: record, other: { name: 'other' } })
      for (const q of texts) expect([q, await found(store, resource, q)]).toEqual([q, [id]])
    })

    test('walks through an order and shows what a text finds, where that is much', async () => {
      await using store = await open()
      const names = ['Oak a', 'Blue b', 'Blue c', 'Oak d', 'Blue e', 'Blue f', 'Oak g', 'Blue h']
      await keep(store, 'shipment', Object.fromEntries(names.map((name, nth) => [`X${nth}`, { name }])))
      const order = { by: 'name', isDescending: false } as const
      // A place in the order of all records is one that somebody walks on from.
      const [{ next }, sorted] = [
        await store.recordPage({ resource: 'shipment', order, limit: 2 }),
        await store.recordPage({ resource: 'shipment', q: 'blue', order, limit: 9 }),
      ]
      const walked = await collectItems(async (page) =>
        store.recordPage({
          resource: 'shipment',
          q: 'blue',
          order,
          ...page,
          limit: 2,
          cursor: page.cursor ?? next ?? '',
        }),
      )
      expect(namesOf(sorted.items)).toEqual(names.filter((name) => name.startsWith('Blue')))
      expect(namesOf(walked)).toEqual(['Blue e', 'Blue f', 'Blue h'])
    })

    test('shows what is found by an exact text first, each record once, over accounts and pages', async () => {
      await using store = await open()
      const many = Object.fromEntries(
        Array.from({ length: 30 }, (_, n) => [`X${n}`, { name: 'Blue blues', purchase_order_references: ['blue-1'] }]),
      )
      await keep(store, 'shipment', many)
      const beta = { account: 'beta', resource: 'shipment' } as const
      await keep(store, beta, { Y: { name: 'Blue' }, Z: { name: 'Green' } })
      const seen: string[] = []
      let cursor: string | undefined
      do {
        const page = await store.recordPage({ resource: 'shipment', q: 'blue', limit: 4, ...(cursor && { cursor }) })
        seen.push(...page.items.map(({ id }) => id))
        cursor = page.next ?? undefined
      } while (cursor !== undefined)
      expect(seen[0]).toBe('Y')
      expect(seen.toSorted()).toEqual([...Object.keys(many), 'Y'].toSorted())
      const one = await store.recordPage({ resource: 'shipment', account: 'beta', q: 'blue', limit: 4 })
      expect(one).toMatchObject({ items: [{ id: 'Y' }], next: null })
    })

    test('forgets what a record no longer names', async () => {
      await using store = await open()
      await keep(store, 'shipment', { A: SHIPMENT })
      const seen = { ...SHIPMENT, name: 'Winter', booking_information: null }
      await store.commit(
        batch({ records: [write(sampleState('A', { seen, reported: seen }), { expectedVersion: 0 })] }),
      )
      expect(await found(store, 'shipment', 'spring')).toEqual([])
      expect(await found(store, 'shipment', 'medu900')).toEqual([])
      expect(await found(store, 'shipment', 'winter')).toEqual(['A'])
      expect(await found(store, 'shipment', 'po-77')).toEqual(['A'])
    })

    test.for(READINGS)(
      'knows a record by what it names now: %s',
      async ([, before, after, gone, known], { expect }) => {
        await using store = await open()
        await keep(store, 'shipment', { A: before })
        const loaded = (await store.records('acme', 'shipment', ['A'])).get('A')?.seen ?? null
        for (const seenBefore of [loaded, after]) {
          const state = sampleState('A', { seen: after, reported: after })
          await store.commit(batch({ records: [write(state, { expectedVersion: 0, seenBefore })] }))
          for (const q of gone) expect([q, await found(store, 'shipment', q)]).toEqual([q, []])
          for (const q of known) expect([q, await found(store, 'shipment', q)]).toEqual([q, ['A']])
        }
      },
    )

    test('believes no document that the record was not read from', async () => {
      await using store = await open()
      await keep(store, 'shipment', { A: SHIPMENT, B: { name: 'Winter' } })
      const other = (await store.records('acme', 'shipment', ['B'])).get('B')?.seen ?? null
      const seen = { name: 'Winter', status: 'booked' }
      const state = sampleState('A', { seen, reported: seen })
      await store.commit(batch({ records: [write(state, { expectedVersion: 0, seenBefore: other })] }))
      expect(await found(store, 'shipment', 'winter')).toEqual(['B', 'A'])
      expect(await found(store, 'shipment', 'spring')).toEqual([])
    })

    test('finds records of every resource by all words, also by what they share, and only those of the accounts asked for', async () => {
      await using store = await open()
      const route = { origin_port_unlocode: 'CNSHA', destination_port_unlocode: 'NLRTM' }
      const booking = { carrier: 'Maersk Line', ocean_booking: { vessel: 'Ever Given' } }
      await keep(store, 'shipment', { A: { name: 'Lamps', route, booking_information: booking }, B: { name: 'Lamp' } })
      await keep(store, 'invoice', { 'F-1': { reference: 'F-1', platform_shipment_id: 'A' } })
      await keep(store, { account: 'beta', resource: 'shipment' }, { A: { name: 'Lamps', route } })
      const all = async (q: string, more = {}) => {
        const { items } = await store.recordPage({ q, limit: 9, ...more })
        return items.map(({ account, id }) => `${account} ${id}`)
      }
      expect(await all('a')).toEqual(['beta A', 'acme A', 'acme F-1'])
      await indexAll(store)
      expect(await all('a')).toEqual(['beta A', 'acme A', 'acme F-1'])
      expect(await all('shanghai rotterdam')).toEqual(['beta A', 'acme A'])
      expect(await all('NLRTM lamps', { account: 'acme' })).toEqual(['acme A'])
      expect(await all('shanghai rotterdam', { accounts: ['beta'] })).toEqual(['beta A'])
      expect(await all('ven aersk')).toEqual(['acme A'])
      const ofNobody = { q: 'a', accounts: ['acme'], account: 'beta', limit: 1 }
      expect(await store.recordPage(ofNobody)).toEqual({ items: [], next: null })
      expect(await all('maersk lamp msc')).toEqual([])
      // Another vessel: found by it once it is indexed, and by the one before no more.
      const seen = { name: 'Lamps', route, booking_information: { ocean_booking: { vessel: 'Madrid' } } }
      await store.commit(
        batch({ records: [write(sampleState('A', { seen, reported: seen }), { expectedVersion: 0 })] }),
      )
      expect(await all('maersk')).toEqual([])
      expect(await all('lamps', { account: 'acme' })).toEqual(['acme A'])
      await indexAll(store)
      expect(await all('madrid cnsha')).toEqual(['acme A'])
    })

    test('finds what a look through all texts finds, in pages of any size, indexed or not', async () => {
      const word = fc.constantFrom('abc', 'abd', 'bcd', 'cab', 'a-b', 'dd', 'abcabd')
      const name = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '))
      const part = fc.tuple(name, fc.nat(4), fc.integer({ min: 3, max: 5 }))
      const searched = fc.array(part, { minLength: 1, maxLength: 2 })
      await fc.assert(
        fc.asyncProperty(
          fc.array(name, { minLength: 1, maxLength: 12 }),
          searched,
          fc.nat(12),
          async (names, parts, queued) => {
            await using store = await open()
            await keep(store, 'location', Object.fromEntries(names.map((each, nth) => [`${nth}`, { name: each }])))
            await store.indexQueued(queued)
            const words = parts.map(([text, from, length]) => text.replaceAll(/[ -]/g, '').slice(from, from + length))
            if (words.some((each) => each.length < 3)) return
            const expected = names.flatMap((each, nth) =>
              words.every((part) => each.replaceAll(/[ -]/g, '').includes(part)) ? [`${nth}`] : [],
            )
            for (const limit of [1, 5])
              expect((await allPages(store, words.join(' '), limit)).toSorted()).toEqual(expected.toSorted())
          },
        ),
        { numRuns: 15 },
      )
    })

    test('finds what waits for the index, however much does: the store of an earlier version', async () => {
      await using store = await open()
      const many = Array.from({ length: 1_100 }, (_, n) => [`SHP-1${n}`, { name: `100%_\\"Lamp" ${n}` }] as const)
      await keep(store, 'location', { 'SHP-1': { name: 'The oldest one' }, 'SHP-0': { name: '100%_!' } })
      await keep(store, 'shipment', Object.fromEntries(many))
      const first = async (q: string) => (await store.recordPage({ q, limit: 1 })).items.map(({ id }) => id)
      expect(await first('shp-1')).toEqual(['SHP-1'])
      expect(await first('ldest one')).toEqual(['SHP-1'])
      expect(await first('SHP-10')).toEqual(['SHP-10'])
      expect(await first('100%_!')).toEqual(['SHP-0'])
      expect((await store.recordPage({ resource: 'location', q: '100', limit: 9 })).items).toHaveLength(1)
    })

    test('takes hostile records: thousands of references, giant texts, wrong types', async () => {
      await using store = await open()
      const containers = Array.from({ length: 5_000 }, (_, n) => ({ container_number: `C${n}${'x'.repeat(500)}` }))
      await keep(store, 'shipment', {
        A: { name: 'word '.repeat(50_000), cargo: { containers }, purchase_order_references: 'PO' },
        B: { name: {}, cargo: [], booking_information: 'x', purchase_order_references: [{}, [], null, ''] },
      })
      expect(await found(store, 'shipment', 'word')).toEqual(['A'])
      expect(await found(store, 'shipment', 'c5')).toEqual(['A'])
      expect(await found(store, 'shipment', 'b')).toEqual(['B'])
    })
  })
}

async function keep(
  store: Store,
  list: RecordResource | { readonly account: string; readonly resource: RecordResource },
  records: Readonly<Record<string, JsonObject>>,
): Promise<void> {
  const { account, resource } = typeof list === 'string' ? { account: 'acme', resource: list } : list
  const states = Object.entries(records).map(([id, seen]) => sampleState(id, { resource, seen, reported: seen }))
  await store.commit(batch({ account, records: states.map((state) => write(state)) }))
}

/** The same before the index knows them and after. */
async function found(store: Store, resource: RecordResource, q: string): Promise<readonly string[]> {
  const look = async (): Promise<readonly string[]> =>
    (await store.recordPage({ resource, q, limit: 9 })).items.map(({ id }) => id)
  const queued = await look()
  await indexAll(store)
  expect([q, await look()]).toEqual([q, queued])
  return queued
}

async function allPages(store: Store, q: string, limit: number): Promise<readonly string[]> {
  const items = await collectItems((page) => store.recordPage({ ...page, q, limit }))
  return items.map(({ id }) => id)
}

async function indexAll(store: Store): Promise<void> {
  while ((await store.indexQueued(7)) > 0);
}
