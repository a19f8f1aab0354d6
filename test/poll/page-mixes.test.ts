import { expect, test } from 'vitest'
import { type MixedPage, type MovedRow, PageMixes } from '../../src/poll/schedule/known-units.ts'

const HOUR_MS = 3_600_000
const AT_SEA: MovedRow['after'] = { phase: 'at_sea', until: null }
const INLAND: MovedRow['after'] = { phase: 'inland', until: null }
const PAGE: MixedPage = {
  target: { kind: 'page', resource: 'shipment', skip: 100 },
  contentHash: 'rows',
  at: 0,
  moved: [],
}

/** Whether the kinds of each page are counted, one after the other. */
async function counted(mixes: PageMixes, pages: readonly Partial<MixedPage>[]): Promise<readonly boolean[]> {
  const found: boolean[] = []
  for (const page of pages) {
    let isCounted = false
    await mixes.of({ ...PAGE, ...page }, async () => {
      isCounted = true
      return { at_sea: 1 }
    })
    found.push(isCounted)
  }
  return found
}

test('a page is counted once, and again where a row was unknown or other rows are on it', async () => {
  const pages = [{}, {}, { moved: null }, {}, { contentHash: 'other rows' }, { contentHash: 'other rows' }]
  expect(await counted(new PageMixes(), pages)).toEqual([true, false, true, false, true, false])
})

test('a page is counted again after an hour, and where the clock was set back by more', async () => {
  const pages = [{}, { at: HOUR_MS - 1 }, { at: HOUR_MS }, { at: 2 * HOUR_MS - 1 }, { at: -1 }]
  expect(await counted(new PageMixes(), pages)).toEqual([true, false, true, false, true])
})

test('rows that moved are taken over, and a page without such rows is as it was', async () => {
  const mixes = new PageMixes()
  const of = async (moved: MixedPage['moved']) =>
    mixes.of({ ...PAGE, moved }, async () => ({ at_sea: 2, inland: 1, arrival: 1 }))
  await of(null)
  expect(await of([{ before: AT_SEA, after: AT_SEA }])).toBeNull()
  expect(await of([{ before: AT_SEA, after: INLAND }])).toEqual({ at_sea: 1, inland: 2, arrival: 1 })
  expect(await of([{ before: AT_SEA, after: INLAND }])).toEqual({ inland: 3, arrival: 1 })
  expect(await of([{ before: INLAND, after: AT_SEA }])).toEqual({ at_sea: 1, inland: 2, arrival: 1 })
})

test('a row counts as of when its page was counted, until it is counted again', async () => {
  const nearSoon: MovedRow['after'] = { phase: 'at_sea', until: HOUR_MS / 2 }
  const mixes = new PageMixes()
  await mixes.of({ ...PAGE, moved: null }, async () => ({ at_sea: 1 }))
  const later = { ...PAGE, at: HOUR_MS - 1, moved: [{ before: nearSoon, after: INLAND }] }
  expect(await mixes.of(later, async () => ({ near_arrival: 9 }))).toEqual({ inland: 1 })
})

test('a page on which a moved row was never counted is counted anew', async () => {
  const pages = [{}, { moved: [{ before: INLAND, after: AT_SEA }] }, {}]
  expect(await counted(new PageMixes(), pages)).toEqual([true, true, false])
})

test('a page that its list has no longer is forgotten, those of other lists are not', async () => {
  const mixes = new PageMixes()
  const other = { target: { ...PAGE.target, resource: 'invoice' } } as const
  await counted(mixes, [{}, other])
  mixes.endList('shipment', new Set([0]))
  expect(await counted(mixes, [{}, other])).toEqual([true, false])
})
