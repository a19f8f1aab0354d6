import { NO_GAPS } from '../../src/model/list-gaps.ts'
import { describe, expect, test } from 'vitest'
import type { SamePage, ShownPage, StoredPage } from '../../src/store/ports/list-port.ts'
import type { Store } from '../../src/store/ports/store.ts'
import type { OpenStore } from './conformance.ts'
import { batch, sampleState, T, write } from './samples.ts'

const VALIDATOR = { contentHash: 'one', etag: '"1"' }

/** The page at `skip` as pass 1 read it at `T`, unless said otherwise. */
function shown(ids: readonly string[], changes: Partial<ShownPage> = {}): ShownPage {
  const read = { sentAt: T - 100, answeredAt: T }
  const of = { kind: 'shown', resource: 'shipment', skip: 0, rows: ids.length, contentHash: ids.join() } as const
  return { ...of, rules: 'r', certainIdField: 'id', read, pass: 1, current: 1, validator: VALIDATOR, ids, ...changes }
}

function same(known: StoredPage | null, changes: Partial<SamePage> = {}): SamePage {
  if (known === null) throw new Error('no page is known there')
  const read = { sentAt: T + 900, answeredAt: T + 1_000 }
  const of = { kind: 'same', resource: 'shipment', skip: known.skip, validator: VALIDATOR, isFresh: true } as const
  return { ...of, read, pass: 2, known, ...changes }
}

/** Commits a page whose records are all new. */
async function show(store: Store, page: ShownPage): Promise<void> {
  const records = page.ids.map((id) => write(sampleState(id)))
  await store.commit(batch({ records, page, ...listAt(page.current) }))
}

function listAt(pass: number) {
  const at = { passStartedAt: T + pass, completedAt: null, completeFrom: null, baselinedAt: T, baselinePass: 1 }
  const rest = {
    largestPage: 100,
    endProbe: null,
    shipmentIdField: null,
    fetchWorks: false,
    absorbed: [],
    idCollisions: [],
    gaps: NO_GAPS,
  }
  return { list: { resource: 'shipment', state: { ...rest, ...at, pass } } } as const
}

/** Commits that known records are as they were. */
async function touch(store: Store, ids: readonly string[], page: ShownPage): Promise<void> {
  const unchanged = { resource: 'shipment', ids, read: page.read } as const
  await store.commit(batch({ unchanged, page, ...listAt(page.current) }))
}

async function lastRead(store: Store, id: string) {
  const known = (await store.known('acme', 'shipment', [id])).get(id)?.lastRead
  expect((await store.records('acme', 'shipment', [id])).get(id)?.lastRead).toEqual(known)
  return known
}

const LATER = { sentAt: T + 900, answeredAt: T + 1_000 }

export function describePages(open: OpenStore): void {
  describe('pages', () => {
    test('a page is known by what its last answer was, with the records that are on it', async () => {
      await using store = await open()
      expect(await store.page('acme', 'shipment', 0)).toBeNull()
      await show(store, shown(['A', 'B']))
      expect(await store.page('acme', 'shipment', 0)).toEqual({
        skip: 0,
        rows: 2,
        contentHash: 'A,B',
        rules: 'r',
        certainIdField: 'id',
        validator: VALIDATOR,
        lastRead: { sentAt: T - 100, answeredAt: T },
      })
      expect((await store.idsOn('acme', 'shipment', [0, 100])).toSorted()).toEqual(['A', 'B'])
      expect(await store.contents('acme', 'shipment', 0)).toEqual({
        ...(await store.page('acme', 'shipment', 0)),
        ids: new Map([
          ['hash of A', 'A'],
          ['hash of B', 'B'],
        ]),
      })
      expect(await store.contents('acme', 'shipment', 100)).toBeNull()
      expect(await store.page('acme', 'shipment', 100)).toBeNull()
      expect(await store.page('acme', 'invoice', 0)).toBeNull()
    })

    test('a removed record is on no page: it is read again once its page is gone', async () => {
      await using store = await open()
      await show(store, shown(['A', 'B']))
      const removed = write(sampleState('A', { removedAt: T + 5, version: 1 }), { expectedVersion: 0 })
      await store.commit(batch({ records: [removed], page: shown(['A', 'B']), ...listAt(1) }))
      expect(await store.idsOn('acme', 'shipment', [0])).toEqual(['B'])
      await store.commit(batch({ page: shown([], { rows: 0, read: LATER }), ...listAt(1) }))
      await store.commit(batch({ records: [write(sampleState('A', { version: 2 }), { expectedVersion: 1 })] }))
      expect((await store.known('acme', 'shipment', ['A'])).get('A')).toMatchObject({ removed: false, misses: 0 })
    })

    test('the same answer moves the last read and the pass of all its records', async () => {
      await using store = await open()
      await show(store, shown(['A', 'B']))
      const known = await store.page('acme', 'shipment', 0)
      expect(await store.missing('acme', 'shipment', 2)).toHaveLength(2)
      await store.commit(batch({ page: same(known) }))
      expect(await lastRead(store, 'A')).toEqual(LATER)
      expect(await store.missing('acme', 'shipment', 2)).toHaveLength(0)
      expect(await store.missing('acme', 'shipment', 3)).toEqual([
        { id: 'A', misses: 0, lastPass: 2 },
        { id: 'B', misses: 0, lastPass: 2 },
      ])
      const [list] = (await store.accounts(T))[0]?.lists ?? []
      expect(list).toMatchObject({ records: 2, oldestReadAt: T + 1_000, newestReadAt: T + 1_000 })
    })

    test('an answer that a later one overtook counts for its pass and moves no last read', async () => {
      await using store = await open()
      await show(store, shown(['A']))
      const known = await store.page('acme', 'shipment', 0)
      await store.commit(batch({ page: same(known, { isFresh: false }) }))
      expect(await lastRead(store, 'A')).toEqual({ sentAt: T - 100, answeredAt: T })
      expect(await store.missing('acme', 'shipment', 2)).toHaveLength(0)
    })

    test('an answer that counts for no pass moves the last read only', async () => {
      await using store = await open()
      await show(store, shown(['A']))
      const known = await store.page('acme', 'shipment', 0)
      await store.commit(batch({ page: same(known, { pass: null }) }))
      expect(await lastRead(store, 'A')).toEqual(LATER)
      expect(await store.missing('acme', 'shipment', 2)).toEqual([{ id: 'A', misses: 0, lastPass: 1 }])
    })

    test('a page that was read meanwhile is no longer the known one', async () => {
      await using store = await open()
      await show(store, shown(['A']))
      const known = await store.page('acme', 'shipment', 0)
      await store.commit(batch({ page: same(known) }))
      const late = batch({ page: same(known, { read: { sentAt: T + 2_000, answeredAt: T + 3_000 } }) })
      await expect(store.commit(late)).rejects.toMatchObject({ code: 'store_conflict' })
      expect(await lastRead(store, 'A')).toEqual(LATER)
    })

    test('a record that leaves a page keeps when it was last read there, and by which pass', async () => {
      await using store = await open()
      await show(store, shown(['A', 'B']))
      await store.commit(batch({ page: same(await store.page('acme', 'shipment', 0)) }))
      const next = { read: { sentAt: T + 2_000, answeredAt: T + 2_100 }, pass: 3, current: 3 }
      await touch(store, ['A'], shown(['A'], next))
      expect(await lastRead(store, 'A')).toEqual(next.read)
      expect(await lastRead(store, 'B')).toEqual(LATER)
      expect(await store.missing('acme', 'shipment', 3)).toEqual([{ id: 'B', misses: 0, lastPass: 2 }])
      expect(await store.idsOn('acme', 'shipment', [0])).toEqual(['A'])
    })

    test('a record that another page shows is on that one, and the first is doubted', async () => {
      await using store = await open()
      await show(store, shown(['A', 'B']))
      const other = { skip: 100, read: LATER }
      await touch(store, ['B'], shown(['B'], other))
      expect(await store.page('acme', 'shipment', 0)).toMatchObject({ validator: null })
      expect(await store.page('acme', 'shipment', 100)).toMatchObject({ validator: VALIDATOR })
      expect(await store.idsOn('acme', 'shipment', [0])).toEqual(['A'])
      expect(await lastRead(store, 'A')).toEqual({ sentAt: T - 100, answeredAt: T })
      expect(await lastRead(store, 'B')).toEqual(LATER)
    })

    test.each([
      ['met otherwise', { met: { resource: 'shipment', ids: ['A'] } }],
      ['missed', { missed: { resource: 'shipment', ids: ['A'] } }],
      ['read otherwise', { unchanged: { resource: 'shipment', ids: ['A'], read: LATER } }],
      ['written otherwise', { records: [write(sampleState('A', { lastRead: LATER }), { expectedVersion: 0 })] }],
      ['removed', { records: [write(sampleState('A', { removedAt: T }), { contentHash: null, expectedVersion: 0 })] }],
    ] as const)('a page is doubted once a record of it was %s', async (_, changes) => {
      await using store = await open()
      await show(store, shown(['A', 'B']))
      const known = await store.page('acme', 'shipment', 0)
      await store.commit(batch(changes))
      expect(await store.page('acme', 'shipment', 0)).toMatchObject({ validator: null })
      await expect(store.commit(batch({ page: same(known) }))).rejects.toMatchObject({ code: 'store_conflict' })
    })

    test('a record that was missed is on no page, and met by it again only where it shows it', async () => {
      await using store = await open()
      await show(store, shown(['A', 'B']))
      await store.commit(batch({ missed: { resource: 'shipment', ids: ['A'] } }))
      expect(await store.idsOn('acme', 'shipment', [0])).toEqual(['B'])
      expect((await store.known('acme', 'shipment', ['A'])).get('A')).toMatchObject({ misses: 1 })
      await touch(store, ['A', 'B'], shown(['A', 'B'], { read: LATER, pass: 2, current: 2 }))
      expect((await store.known('acme', 'shipment', ['A'])).get('A')).toMatchObject({ misses: 0 })
      expect((await store.idsOn('acme', 'shipment', [0])).toSorted()).toEqual(['A', 'B'])
    })

    test('what no pass read joins no page and takes back no misses; what was on the page stays', async () => {
      await using store = await open()
      await show(store, shown(['A', 'B']))
      await store.commit(batch({ missed: { resource: 'shipment', ids: ['B'] } }))
      await touch(store, ['A', 'B'], shown(['A', 'B'], { read: LATER, pass: null, current: 2 }))
      expect(await store.idsOn('acme', 'shipment', [0])).toEqual(['A'])
      expect(await store.page('acme', 'shipment', 0)).toMatchObject({ validator: null, lastRead: LATER })
      expect(await lastRead(store, 'B')).toEqual(LATER)
      expect((await store.known('acme', 'shipment', ['B'])).get('B')).toMatchObject({ misses: 1 })
    })

    test('a page of the same records that no pass read is known from then on, and met by no pass', async () => {
      await using store = await open()
      await show(store, shown(['A', 'B']))
      const validator = { contentHash: 'two', etag: null }
      const records = [write(sampleState('A', { lastRead: LATER }), { expectedVersion: 0 })]
      const unchanged = { resource: 'shipment', ids: ['B'], read: LATER } as const
      const page = shown(['A', 'B'], { read: LATER, pass: null, current: 2, validator })
      await store.commit(batch({ records, unchanged, page }))
      expect(await store.page('acme', 'shipment', 0)).toMatchObject({ validator, lastRead: LATER })
      expect(await store.missing('acme', 'shipment', 2)).toHaveLength(2)
    })

    test('a record first shown to no pass need not be met by the one under way', async () => {
      await using store = await open()
      await show(store, shown(['A']))
      const records = [write(sampleState('N', { lastRead: LATER }))]
      const page = shown(['A', 'N'], { read: LATER, pass: null, current: 7 })
      await store.commit(batch({ records, page, unchanged: { resource: 'shipment', ids: ['A'], read: LATER } }))
      expect(await store.missing('acme', 'shipment', 7)).toEqual([{ id: 'A', misses: 0, lastPass: 1 }])
      expect(await store.missing('acme', 'shipment', 8)).toHaveLength(2)
    })

    test('an empty page holds nothing', async () => {
      await using store = await open()
      await show(store, shown(['A']))
      await store.commit(batch({ page: shown([], { read: LATER, pass: 2, current: 2 }) }))
      expect(await store.page('acme', 'shipment', 0)).toBeNull()
      expect(await lastRead(store, 'A')).toEqual({ sentAt: T - 100, answeredAt: T })
    })

    test('the pages of the last complete pass can be read one by one', async () => {
      await using store = await open()
      await show(store, shown(['A']))
      await show(store, shown(['B'], { skip: 1 }))
      const done = { ...listAt(1).list.state, completedAt: T + 5 }
      await store.commit(batch({ list: { resource: 'shipment', state: done } }))
      const units = [
        { skip: 0, rows: 1, lastSentAt: T - 100 },
        { skip: 1, rows: 1, lastSentAt: T - 100 },
      ]
      expect(await store.pageUnits('acme', 'shipment')).toEqual(units)
      const next = await store.startPass('acme', 'shipment', T + 10)
      expect(await store.pageUnits('acme', 'shipment')).toEqual(units)
      await store.commit(batch({ page: same(await store.page('acme', 'shipment', 0)) }))
      const complete = { ...next, completedAt: T + 20 }
      await store.commit(batch({ list: { resource: 'shipment', state: complete } }))
      expect(await store.pageUnits('acme', 'shipment')).toEqual([{ skip: 0, rows: 1, lastSentAt: T + 900 }])
    })

    test('a page that the last complete pass did not read is forgotten, what was on it is not', async () => {
      await using store = await open()
      await show(store, shown(['A']))
      const next = await store.startPass('acme', 'shipment', T + 10)
      await store.commit(batch({ list: { resource: 'shipment', state: { ...next, completedAt: T + 20 } } }))
      await store.startPass('acme', 'shipment', T + 30)
      expect(await store.page('acme', 'shipment', 0)).toBeNull()
      expect(await lastRead(store, 'A')).toEqual({ sentAt: T - 100, answeredAt: T })
      expect(await store.missing('acme', 'shipment', 3)).toEqual([{ id: 'A', misses: 0, lastPass: 1 }])
    })
  })
}
