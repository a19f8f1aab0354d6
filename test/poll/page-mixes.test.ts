import { expect, test } from 'vitest'
import { type MixedPage, PageMixes } from '../../src/poll/schedule/page-mixes.ts'

const HOUR_MS = 3_600_000
const PAGE: MixedPage = {
  target: { kind: 'page', resource: 'shipment', skip: 100 },
  contentHash: 'rows',
  at: 0,
  isMoved: false,
}

/** Whether the kinds of each page are counted, one after the other. */
async function counted(mixes: PageMixes, pages: readonly Partial<MixedPage>[]): Promise<readonly boolean[]> {
  const found: boolean[] = []
  for (const page of pages) found.push((await mixes.of({ ...PAGE, ...page }, async () => ({ at_sea: 1 }))) !== null)
  return found
}

test('a page is counted once, and again where a row moved or other rows are on it', async () => {
  const pages = [{}, {}, { isMoved: true }, {}, { contentHash: 'other rows' }, { contentHash: 'other rows' }]
  expect(await counted(new PageMixes(), pages)).toEqual([true, false, true, false, true, false])
})

test('a page is counted again after an hour, and where the clock was set back by more', async () => {
  const pages = [{}, { at: HOUR_MS - 1 }, { at: HOUR_MS }, { at: 2 * HOUR_MS - 1 }, { at: -1 }]
  expect(await counted(new PageMixes(), pages)).toEqual([true, false, true, false, true])
})

test('a page that its list has no longer is forgotten, those of other lists are not', async () => {
  const mixes = new PageMixes()
  const other = { target: { ...PAGE.target, resource: 'invoice' } } as const
  await counted(mixes, [{}, other])
  mixes.endList('shipment', new Set([0]))
  expect(await counted(mixes, [{}, other])).toEqual([true, false])
})
