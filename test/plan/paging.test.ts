import { describe, expect, test } from 'vitest'
import {
  afterPage,
  endCost,
  endEveryMs,
  endsList,
  firstPage,
  largestAfter,
  provenEnd,
  type Paging,
} from '../../src/plan/paging.ts'

/** Pages of 100 rows, each new to the pass unless it is named a repeat. */
function after(paging: Paging, ...pages: readonly ('new' | 'repeat')[]): Paging {
  return pages.reduce((at, page) => afterPage(at, { rows: 100, isRepeat: page === 'repeat' }), paging)
}

function sized(...rows: readonly number[]): Paging {
  return rows.reduce((at, each) => afterPage(at, { rows: each, isRepeat: false }), firstPage(0))
}

function fresh(rows: number) {
  return { rows, isRepeat: false }
}

const NEW = { rows: 100, isRepeat: false }
const REPEAT = { rows: 100, isRepeat: true }
const MINUTE = 60_000
const HOUR = 60 * MINUTE

describe('paging', () => {
  test('an empty page ends the list', () => {
    expect(endsList(firstPage(100), { rows: 0, isRepeat: false }, null)).toBe('yes')
    expect(endsList(firstPage(100), { rows: 0, isRepeat: true }, null)).toBe('yes')
  })

  test('a page that repeats one of the pass ends the list unless known items are unmet; two in a row end it', () => {
    const seen = after(firstPage(100), 'new', 'new')
    expect(endsList(seen, REPEAT, null)).toBe('unless_items_are_unmet')
    const again = after(seen, 'repeat')
    expect(endsList(again, REPEAT, null)).toBe('yes')
    expect(endsList(again, NEW, null)).toBe('no')
    expect(endsList(after(again, 'new'), REPEAT, null)).toBe('unless_items_are_unmet')
  })

  test('a page larger than asked for makes no full page a short one', () => {
    const larger = afterPage(firstPage(100), { rows: 150, isRepeat: false })
    expect(endsList(larger, NEW, 1_000)).toBe('no')
  })

  test('a short page ends the list where a probe found the end, unless known items are unmet', () => {
    expect(endsList(sized(100), fresh(40), 140)).toBe('unless_items_are_unmet')
    expect(endsList(sized(50, 50), fresh(40), 140)).toBe('unless_items_are_unmet')
    expect(endsList(firstPage(100), fresh(40), 40)).toBe('unless_items_are_unmet')
    expect(endsList(firstPage(100), fresh(41), 40)).toBe('no')
  })

  test.each<{ why: string; before: readonly number[]; rows: number; proven: number | null }>([
    { why: 'no probe found it', before: [100], rows: 40, proven: null },
    { why: 'it goes beyond what was found', before: [100], rows: 41, proven: 140 },
    { why: 'it is as large as those before it', before: [100], rows: 100, proven: 200 },
    { why: 'it is the only one, and none was larger', before: [], rows: 40, proven: 140 },
    { why: 'a page before it was short, too', before: [50, 100], rows: 40, proven: 190 },
    { why: 'a page before it was short and others followed', before: [100, 97, 100], rows: 40, proven: 337 },
  ])('a page does not end the list where $why', ({ before, proven, rows }) => {
    expect(endsList(sized(...before), fresh(rows), proven)).toBe('no')
  })

  test('a probe holds for an hour, and no longer for a clock that was set back', () => {
    const probe = { at: 1_000 * MINUTE, skip: 140 }
    expect(provenEnd(null, 1_000 * MINUTE, null)).toBeNull()
    expect(provenEnd(probe, 1_000 * MINUTE, null)).toBe(140)
    expect(provenEnd(probe, 1_060 * MINUTE, 1_050 * MINUTE)).toBe(140)
    expect(provenEnd(probe, 1_060 * MINUTE + 1, 1_050 * MINUTE)).toBeNull()
    expect(provenEnd(probe, 999 * MINUTE, null)).toBeNull()
    // Forty minutes after it the clock goes back by thirty.
    expect(provenEnd(probe, 1_010 * MINUTE, 1_040 * MINUTE)).toBeNull()
  })

  test('several pages show how many rows the platform gives now, a single one may be the whole list', () => {
    expect(largestAfter([], 100)).toBe(100)
    expect(largestAfter([40], 100)).toBe(100)
    expect(largestAfter([40], 30)).toBe(40)
    expect(largestAfter([150], 30)).toBe(100)
    expect(largestAfter([50, 50, 30], 100)).toBe(50)
  })

  test('advances by the rows received', () => {
    expect(sized(50, 30)).toMatchObject({ skip: 80, pages: 2 })
  })

  test('the end takes a request in each pass, or where its last page is short, one an hour', () => {
    const minute = (rows: readonly number[]) => endEveryMs(endCost(rows, 100), MINUTE)
    expect(minute([])).toBe(MINUTE)
    expect(minute([40])).toBe(HOUR)
    expect(endEveryMs(endCost([40], 40), MINUTE)).toBe(MINUTE)
    expect(minute([100, 100])).toBe(MINUTE)
    expect(minute([100, 97, 40])).toBe(MINUTE)
    expect(minute([100, 100, 40])).toBe(HOUR)
    expect(endEveryMs(endCost([100, 40], 100), 2 * HOUR)).toBe(2 * HOUR)
    expect(endEveryMs('none', MINUTE)).toBeNull()
  })
})
