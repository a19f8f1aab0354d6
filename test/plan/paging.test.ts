import { describe, expect, test } from 'vitest'
import { afterPage, endsList, firstPage } from '../../src/plan/paging.ts'

describe('paging', () => {
  test('an empty page ends the list', () => {
    expect(endsList(firstPage(100), { rows: 0, fingerprint: 'none' })).toBe('yes')
  })

  test('a page that repeats one of the pass ends the list unless known items are unmet; two in a row end it', () => {
    const seen = ['a', 'b'].reduce((paging, fingerprint) => afterPage(paging, { rows: 100, fingerprint }), firstPage(0))
    expect(endsList(seen, { rows: 100, fingerprint: 'b' })).toBe('unless_items_are_unmet')
    expect(endsList(seen, { rows: 100, fingerprint: 'a' })).toBe('unless_items_are_unmet')
    const again = afterPage(seen, { rows: 100, fingerprint: 'a' })
    expect(endsList(again, { rows: 100, fingerprint: 'b' })).toBe('yes')
    expect(endsList(again, { rows: 100, fingerprint: 'c' })).toBe('no')
    expect(endsList(afterPage(again, { rows: 100, fingerprint: 'c' }), { rows: 100, fingerprint: 'a' })).toBe(
      'unless_items_are_unmet',
    )
  })

  test('a page that repeats an earlier one ends the list too: the platform wraps around', () => {
    const third = ['a', 'b'].reduce((at, fingerprint) => afterPage(at, { rows: 100, fingerprint }), firstPage(0))
    expect(endsList(third, { rows: 100, fingerprint: 'a' })).toBe('unless_items_are_unmet')
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
