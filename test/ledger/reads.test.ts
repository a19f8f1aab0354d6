import { describe, expect, test } from 'vitest'
import type { KnownRead, PageRead, ReadAnswer, ReadNews, ReadRow, ShownRecord } from '../../src/ledger/read-rows.ts'
import { isOvertaken, NEW_PAGE, PlacedAnswer, recordsIn } from '../../src/ledger/reads.ts'
import type { Validator } from '../../src/model/exchange.ts'

/** When pages and records were read before, and when the answer was. */
const BEFORE = { sentAt: 10, answeredAt: 20 }
const NOW = { sentAt: 110, answeredAt: 120 }
const PAGE: PageRead = { ref: 7, digest: 'old bytes', etag: '"old"', ...BEFORE, pass: 2 }
const BYTES: Validator = { contentHash: 'new bytes', etag: '"new"' }
const AT_3 = { resource: 'shipment', pass: 3 } as const

function row(id: string, changes: Partial<ReadRow> = {}): ReadRow {
  const read = { sentAt: 1, answeredAt: 2, pass: 1 }
  return { resource: 'shipment', id, fingerprint: `${id} old`, etag: null, ...read, misses: 0, page: null, ...changes }
}

function known(id: string, changes: Partial<ReadRow> = {}, ofPage: PageRead | null = null): KnownRead {
  return { row: row(id, { page: ofPage?.ref ?? null, ...changes }), ofPage }
}

function record(id: string, changes: Partial<ShownRecord> & { removedAt?: number } = {}): ShownRecord {
  const { removedAt = null, ...own } = changes
  const state = { resource: 'shipment', id, lastRead: NOW, removedAt } as const
  return { state, contentHash: `${id} new`, before: {}, ...own }
}

function shownPage(ids: readonly string[], pass: number | null = 3) {
  const rest = { rows: ids.length, current: 3, validator: BYTES }
  return { kind: 'shown', resource: 'shipment', read: NOW, pass, ids, ...rest } as const
}

function answer(changes: Partial<ReadAnswer>): ReadAnswer {
  return { page: null, met: null, shown: [], news: [], ...changes }
}

function unchanged(...ids: readonly string[]): ReadNews {
  return { kind: 'unchanged', resource: 'shipment', ids, read: NOW }
}

describe('an answer that shows the rows of a page', () => {
  test('changes nothing of records that stay as they are, and of those that changed their prints alone', () => {
    const page = shownPage(['A', 'B', 'C'])
    const placed = new PlacedAnswer(
      answer({ page, met: AT_3, shown: [record('B')], news: [unchanged('A', 'C')] }),
      PAGE,
      ['A', 'B', 'C'],
    )
    expect(placed.wanted).toEqual([])
    expect(placed.after([])).toEqual({
      page: { kind: 'shown', ref: 7, digest: 'new bytes', etag: '"new"', ...NOW, pass: 3 },
      rows: [],
      prints: [{ resource: 'shipment', id: 'B', fingerprint: 'B new', etag: null }],
      doubted: [],
      growth: new Map(),
    })
  })

  test('has records join it: new ones, and those of other pages, which are doubted', () => {
    const other = { ...PAGE, ref: 8 }
    const page = shownPage(['A', 'B', 'C'])
    const shown = [record('A', { before: null }), record('B', { etag: '"b"' })]
    const placed = new PlacedAnswer(answer({ page, met: AT_3, shown, news: [unchanged('C')] }), undefined)
    expect(placed.wanted).toMatchObject([{ id: 'B' }, { id: 'C' }])
    const after = placed.after([known('B', { misses: 2 }, other), known('C', { misses: null })])
    expect(after.page).toMatchObject({ kind: 'shown', ref: NEW_PAGE, pass: 3 })
    expect(after.rows).toEqual([
      row('A', { fingerprint: 'A new', ...NOW, pass: 3, page: NEW_PAGE }),
      row('B', { fingerprint: 'B new', etag: '"b"', ...NOW, pass: 3, page: NEW_PAGE }),
      row('C', { ...NOW, pass: 3, page: NEW_PAGE }),
    ])
    expect(after.doubted).toEqual([8])
    expect(after.growth).toEqual(new Map([['shipment', 2]]))
  })

  test('leaves the last read of the page to whoever leaves it', () => {
    const placed = new PlacedAnswer(answer({ page: shownPage(['A']), met: AT_3, news: [unchanged('A')] }), PAGE, [
      'A',
      'B',
      'C',
    ])
    expect(placed.wanted).toMatchObject([{ id: 'B' }, { id: 'C' }])
    const after = placed.after([known('B', {}, PAGE), known('C', { pass: 4 }, PAGE)])
    expect(after.rows).toEqual([row('B', { ...BEFORE, pass: 2 }), row('C', { ...BEFORE, pass: 4 })])
    expect(after.doubted).toEqual([])
  })

  test('that no pass read lets nobody join, is not the whole page then, and ends no misses', () => {
    const shown = [record('A'), record('B', { contentHash: null })]
    const placed = new PlacedAnswer(answer({ page: shownPage(['A', 'B'], null), shown }), PAGE, ['A'])
    const after = placed.after([known('B', { misses: 2 })])
    expect(after.page).toMatchObject({ digest: null, pass: 2 })
    expect(after.prints).toMatchObject([{ id: 'A' }])
    expect(after.rows).toEqual([row('B', { fingerprint: null, ...NOW, misses: 2 })])
  })

  test('and has none empties the page, and makes none', () => {
    const page = shownPage([])
    const after = new PlacedAnswer(answer({ page, met: AT_3 }), PAGE, ['A']).after([known('A', {}, PAGE)])
    expect(after.page).toEqual({ kind: 'emptied', ref: 7 })
    expect(after.rows).toEqual([row('A', { ...BEFORE, pass: 2 })])
    expect(new PlacedAnswer(answer({ page, met: AT_3 }), undefined).after([]).page).toBe(null)
  })

  test('is parsed again where it shows a record that it misses as well', () => {
    const news: readonly ReadNews[] = [unchanged('A'), { kind: 'missed', resource: 'shipment', ids: ['A'] }]
    const placed = new PlacedAnswer(answer({ page: shownPage(['A']), met: AT_3, news }), PAGE, ['A'])
    expect(placed.wanted).toMatchObject([{ id: 'A' }])
    const after = placed.after([known('A', {}, PAGE)])
    expect(after.page).toMatchObject({ ref: 7, digest: null })
    expect(after.rows).toEqual([row('A', { ...NOW, pass: 3, misses: 1 })])
  })
})

describe('an answer with the bytes that are known', () => {
  const same = { kind: 'same', resource: 'shipment', read: NOW, pass: 3, validator: BYTES } as const
  const compared = { validator: { contentHash: 'old bytes', etag: null }, lastRead: BEFORE }

  test('moves the last read of its page, and its pass alone where a later answer overtook it', () => {
    const [fresh, late] = [true, false].map((isFresh) => answer({ page: { ...same, isFresh, known: compared } }))
    expect(new PlacedAnswer(fresh ?? answer({}), PAGE).after([])).toMatchObject({
      page: { kind: 'same', ref: 7, digest: 'old bytes', etag: '"new"', ...NOW, pass: 3 },
      rows: [],
    })
    expect(new PlacedAnswer(late ?? answer({}), PAGE).after([]).page).toEqual({ kind: 'same', ...PAGE, pass: 3 })
  })

  test.each([
    ['the page is as it was', PAGE, false],
    ['the page is gone', undefined, true],
    ['the page was doubted', { ...PAGE, digest: null }, true],
    ['the page showed something else', { ...PAGE, digest: 'other bytes' }, true],
    ['the page was asked for again', { ...PAGE, sentAt: 11 }, true],
    ['the page was answered again', { ...PAGE, answeredAt: 21 }, true],
  ])('where %s', (_, page, isLate) => {
    expect(isOvertaken({ ...same, isFresh: true, known: compared }, page)).toBe(isLate)
    expect(isOvertaken(shownPage([]), page)).toBe(false)
  })
})

describe('an answer that is no page', () => {
  const met: ReadNews = { kind: 'met', resource: 'shipment', ids: ['A'] }
  const missed: ReadNews = { ...met, kind: 'missed' }
  const removed = record('A', { contentHash: null, removedAt: 5 })

  test.each<{
    what: string
    says: Partial<ReadAnswer>
    read: KnownRead
    to: Partial<ReadRow> | null
    doubts: number[]
  }>([
    {
      what: 'unchanged',
      says: { news: [unchanged('A')] },
      read: known('A', { misses: 2 }, PAGE),
      to: { ...NOW, pass: 2 },
      doubts: [7],
    },
    {
      what: 'met',
      says: { met: AT_3, news: [met] },
      read: known('A', { misses: 2 }, PAGE),
      to: { pass: 3, page: 7 },
      doubts: [7],
    },
    {
      what: 'shown ahead of a page that no pass read',
      says: { ahead: { current: 3 }, shown: [record('A')] },
      read: known('A', { misses: 2 }, PAGE),
      to: { fingerprint: 'A new', ...NOW, pass: 2, misses: 2 },
      doubts: [7],
    },
    {
      what: 'unchanged ahead of such a page',
      says: { ahead: { current: 3 }, news: [unchanged('A')] },
      read: known('A', { misses: 2 }, PAGE),
      to: { ...NOW, pass: 2, misses: 2 },
      doubts: [7],
    },
    {
      what: 'met, but removed',
      says: { met: AT_3, news: [met] },
      read: known('A', { misses: null }),
      to: null,
      doubts: [],
    },
    {
      what: 'missed',
      says: { news: [missed] },
      read: known('A', {}, PAGE),
      to: { ...BEFORE, pass: 2, misses: 1 },
      doubts: [7],
    },
    {
      what: 'missed, its page gone',
      says: { news: [missed] },
      read: known('A', { page: 9 }),
      to: { misses: 1 },
      doubts: [9],
    },
    {
      what: 'removed',
      says: { shown: [removed] },
      read: known('A', {}, PAGE),
      to: { fingerprint: null, ...NOW, pass: 2, misses: null },
      doubts: [7],
    },
  ])('of a record that is $what', ({ doubts, read, says, to }) => {
    const placed = new PlacedAnswer(answer(says), undefined)
    expect(placed.wanted).toMatchObject([{ id: 'A' }])
    const after = placed.after([read])
    expect(after.rows).toEqual(to === null ? [] : [row('A', to)])
    expect(after).toMatchObject({ doubted: doubts, page: null })
  })

  test('says nothing of records that nobody knows, but shows them', () => {
    expect(new PlacedAnswer(answer({ news: [unchanged('A'), met] }), undefined).after([]).rows).toEqual([])
    const shown = new PlacedAnswer(answer({ shown: [record('A')] }), undefined).after([])
    expect(shown.rows).toEqual([row('A', { fingerprint: 'A new', ...NOW, pass: 0 })])
  })
})

test('an answer names every record that it may be judged by', () => {
  const shown = [record('A'), record('B', { removedAt: 5 }), record('C', { before: null })]
  const news: readonly ReadNews[] = [unchanged('D'), { kind: 'met', resource: 'shipment', ids: ['E'] }]
  const named = recordsIn(answer({ shown, news })).map(({ id, mayStay }) => [id, mayStay])
  expect(named).toEqual([
    ['A', true],
    ['B', false],
    ['D', true],
    ['E', false],
  ])
})
