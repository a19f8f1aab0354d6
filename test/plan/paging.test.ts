import { describe, expect, test } from 'vitest'
import { afterPage, endsList, firstPage, type Paging } from '../../src/plan/paging.ts'

/** Pages of 100 rows, each new to the pass unless it is named a repeat. */
function after(paging: Paging, ...pages: readonly ('new' | 'repeat')[]): Paging {
  return pages.reduce((at, page) => afterPage(at, { rows: 100, isRepeat: page === 'repeat' }), paging)
}

const NEW = { rows: 100, isRepeat: false }
const REPEAT = { rows: 100, isRepeat: true }

describe('paging', () => {
  test('an empty page ends the list', () => {
    expect(endsList(firstPage(100), { rows: 0, isRepeat: false })).toBe('yes')
    expect(endsList(firstPage(100), { rows: 0, isRepeat: true })).toBe('yes')
  })

  test('a page that repeats one of the pass ends the list unless known items are unmet; two in a row end it', () => {
    const seen = after(firstPage(0), 'new', 'new')
    expect(endsList(seen, REPEAT)).toBe('unless_items_are_unmet')
    const again = after(seen, 'repeat')
    expect(endsList(again, REPEAT)).toBe('yes')
    expect(endsList(again, NEW)).toBe('no')
    expect(endsList(after(again, 'new'), REPEAT)).toBe('unless_items_are_unmet')
  })

  test('a page larger than asked for makes no full page a short one', () => {
    const larger = afterPage(firstPage(0), { rows: 150, isRepeat: false })
    expect(endsList(larger, NEW)).toBe('no')
  })

  test('a page shorter than the largest ever seen ends the list unless known items are unmet', () => {
    expect(endsList(firstPage(100), { rows: 40, isRepeat: false })).toBe('unless_items_are_unmet')
  })

  test('the first short page of a list never seen does not end it: the platform may clamp take', () => {
    expect(endsList(firstPage(0), { rows: 10, isRepeat: false })).toBe('no')
  })

  test('advances by the rows received and remembers the largest page', () => {
    const paging = afterPage(afterPage(firstPage(0), { rows: 50, isRepeat: false }), { rows: 30, isRepeat: false })
    expect(paging).toMatchObject({ skip: 80, largestPage: 50, pages: 2 })
  })
})
