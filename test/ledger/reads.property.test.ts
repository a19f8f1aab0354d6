import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { KnownRead, PageRead, ReadAnswer, ReadRow } from '../../src/ledger/read-rows.ts'
import { PlacedAnswer, recordsIn } from '../../src/ledger/reads.ts'
import { runs } from '../support/runs.ts'

const IDS = ['A', 'B', 'C', 'D', 'E'] as const
const PAGES = [1, 2] as const
const instant = fc.nat(50)
const pass = fc.integer({ min: 1, max: 4 })
const resource = 'shipment'

/** The pages and reads of a list, as any history leaves them: what is removed is on no page. */
const world = fc.record({
  pages: fc.tuple(...PAGES.map((ref) => pageAt(ref))),
  reads: fc.array(
    fc.record({
      id: fc.constantFrom(...IDS),
      misses: fc.option(fc.nat(2)),
      page: fc.option(fc.constantFrom(...PAGES)),
      sentAt: instant,
      answeredAt: instant,
      pass,
    }),
  ),
})

function pageAt(ref: number): fc.Arbitrary<PageRead> {
  return fc.record({
    ref: fc.constant(ref),
    digest: fc.option(fc.constant('bytes')),
    etag: fc.constant(null),
    sentAt: instant,
    answeredAt: instant,
    pass,
  })
}

/** What one answer says: the ids that it shows are those of its records, as `ShownPage` says. */
const said = fc.record({
  isPage: fc.boolean(),
  isNew: fc.boolean(),
  byPass: fc.boolean(),
  records: fc.subarray([...IDS]),
  removed: fc.subarray([...IDS]),
  unchanged: fc.subarray([...IDS]),
  met: fc.subarray([...IDS]),
  missed: fc.subarray([...IDS]),
})

function answerOf({
  byPass,
  isPage,
  met,
  missed,
  records,
  removed,
  unchanged,
}: typeof said extends fc.Arbitrary<infer S> ? S : never): ReadAnswer {
  const read = { sentAt: 100, answeredAt: 200 }
  const gone = new Set(removed.filter((id) => !isPage && records.includes(id)))
  const same = unchanged.filter((id) => !records.includes(id))
  const ids = [...records, ...same]
  const page = {
    kind: 'shown',
    resource,
    read,
    pass: byPass ? 5 : null,
    current: 5,
    rows: ids.length,
    validator: null,
    ids,
  } as const
  return {
    page: isPage ? page : null,
    met: byPass ? { resource, pass: 5 } : null,
    shown: records.map((id) => ({
      state: { resource, id, lastRead: read, removedAt: gone.has(id) ? 200 : null },
      contentHash: `new ${id}`,
      before: {},
    })),
    news: [
      { kind: 'unchanged', resource, ids: same, read },
      { kind: 'met', resource, ids: met },
      { kind: 'missed', resource, ids: missed },
    ],
  }
}

function readsOf({ pages, reads }: typeof world extends fc.Arbitrary<infer W> ? W : never): readonly KnownRead[] {
  const rows = new Map(
    reads.map(({ misses, page, ...read }): [string, ReadRow] => [
      read.id,
      { resource, fingerprint: null, etag: null, ...read, misses, page: misses === null ? null : page },
    ]),
  )
  return [...rows.values()].map((row) => ({ row, ofPage: pages.find(({ ref }) => ref === row.page) ?? null }))
}

test('whatever an answer says, no record is lost, met without a witness, or on a page that did not show it', () => {
  fc.assert(
    fc.property(world, said, (before, what) => {
      const known = readsOf(before)
      const answer = answerOf(what)
      const page = what.isNew || answer.page === null ? undefined : before.pages[0]
      const members = known.filter(({ row }) => row.page === page?.ref && row.misses !== null).map(({ row }) => row.id)
      const placed = new PlacedAnswer(answer, page, page === undefined ? [] : members)
      const wanted = new Set(placed.wanted.map(({ id }) => id))
      const after = placed.after(known.filter(({ row }) => wanted.has(row.id)))

      // A store that looks at everything that is named, or at all, writes the same rows.
      const named = new Set(recordsIn(answer).map(({ id }) => id))
      for (const id of wanted) expect(named.has(id) || members.includes(id)).toBe(true)
      const all = new PlacedAnswer(answer, page, page === undefined ? [] : members).after(known)
      expect(written(known, all)).toEqual(written(known, after))
      expect(all).toMatchObject({ page: after.page, doubted: after.doubted, growth: after.growth })

      const printed = new Set(after.prints.map(({ id }) => id))
      for (const { id } of after.rows) expect(printed.has(id)).toBe(false)
      const rows = written(known, after)
      const place = after.page?.kind === 'shown' ? after.page.ref : null
      const missed = answer.news.flatMap(({ ids, kind }) => (kind === 'missed' ? ids : []))
      for (const row of rows.values()) {
        const old = known.find((each) => each.row.id === row.id)?.row
        if (row.misses === null) expect(row.page).toBe(null)
        if (row.page !== null && row.page === place && answer.page?.kind === 'shown')
          expect(answer.page.ids).toContain(row.id)
        if (old !== undefined && row.pass < old.pass) throw new Error(`${row.id} was met by a pass that it was not`)
        if ((row.misses ?? 0) > (old?.misses ?? 0)) expect(missed).toContain(row.id)
      }
      expect(after.growth.get(resource) ?? 0).toBe(sizeOf([...rows.values()]) - sizeOf(known.map(({ row }) => row)))
    }),
    runs(300),
  )
})

function written(
  known: readonly KnownRead[],
  { prints, rows }: ReturnType<PlacedAnswer['after']>,
): ReadonlyMap<string, ReadRow> {
  const after = new Map(known.map(({ row }) => [row.id, row]))
  for (const row of rows) after.set(row.id, row)
  for (const print of prints) {
    const row = after.get(print.id)
    if (row !== undefined) after.set(print.id, { ...row, ...print })
  }
  return after
}

/** How many records are not removed. */
function sizeOf(rows: readonly ReadRow[]): number {
  return rows.filter(({ misses }) => misses !== null).length
}
