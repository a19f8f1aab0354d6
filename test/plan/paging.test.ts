import { describe, expect, test } from 'vitest'
import { afterPage, endsList, firstPage } from '../../src/plan/paging.ts'

describe('paging', () => {
  test('an empty page ends the list', () => {
    expect(endsList(firstPage(100), { rows: 0, fingerprint: 'none' })).toBe('yes')
  })

  test('a page that repeats the one before ends the list: the platform ignores skip', () => {
    const second = afterPage(firstPage(0), { rows: 100, fingerprint: 'a' })
    expect(endsList(second, { rows: 100, fingerprint: 'a' })).toBe('yes')
  })

  test('a page that repeats an earlier one ends the list too: the platform wraps around', () => {
    const third = ['a', 'b'].reduce((at, fingerprint) => afterPage(at, { rows: 100, fingerprint }), firstPage(0))
    expect(endsList(third, { rows: 100, fingerprint: 'a' })).toBe('yes')
  })

  test('a page larger than asked for makes no full page a short one', () => {
    const after = afterPage(firstPage(0), { rows: 150, fingerprint: 'a' })
    expect(endsList(after, { rows: 100, fingerprint: 'b' })).toBe('no')
  })

  test('a page shorter than the largest ever seen ends the list unless known items are unmet', () => {
    expect(endsList(firstPage(100), { rows: 40, fingerprint: 'a' })).toBe('unless_items_are_unmet')
  })

  test('the first short page of a list never seen does not end it: the platform may clamp take', () => {
    expect(endsList(firstPage(0), { rows: 10, fingerprint: 'a' })).toBe('no')
  })

  test('advances by the rows received and remembers the largest page', () => {
    const paging = afterPage(afterPage(firstPage(0), { rows: 50, fingerprint: 'a' }), { rows: 30, fingerprint: 'b' })
    expect(paging).toMatchObject({ skip: 80, largestPage: 50 })
  })
})
