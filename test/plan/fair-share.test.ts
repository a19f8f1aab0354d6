import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fairShare } from '../../src/plan/refresh-targets.ts'

/** What each of several gets. */
function shares(needs: readonly number[], total: number): readonly number[] {
  return needs.map((needed, nth) => fairShare({ needed, others: needs.filter((_, other) => other !== nth), total }))
}

describe('the part of a flow that several share', () => {
  test('is what each needs and an even part of what is left', () => {
    expect(shares([4, 0.5], 6)).toEqual([4.75, 1.25])
    expect(shares([2, 2, 2], 6)).toEqual([2, 2, 2])
    expect(fairShare({ needed: 1, others: [], total: 6 })).toBe(6)
  })

  test('is as much as whoever has most, and no more than is needed, where there is not enough', () => {
    expect(shares([9, 0.5], 6)).toEqual([5.5, 0.5])
    expect(shares([9, 9, 1], 6)).toEqual([2.5, 2.5, 1])
    expect(shares([9, 9, 9], 6)).toEqual([2, 2, 2])
  })

  test('is an even one beside others of whom nothing is known', () => {
    expect(fairShare({ needed: 1, others: [null], total: 6 })).toBe(2)
    expect(fairShare({ needed: 5, others: [null], total: 6 })).toBe(3)
  })

  test('is all there is together, and covers whoever needs no more than an even part', () => {
    const needs = fc.array(fc.double({ min: 0, max: 10, noNaN: true }), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(needs, fc.double({ min: 0.1, max: 20, noNaN: true }), (needed, total) => {
        const each = shares(needed, total)
        expect(each.reduce((sum, share) => sum + share, 0)).toBeCloseTo(total)
        for (const [nth, need] of needed.entries()) {
          if (need <= total / needed.length) expect(each[nth]).toBeGreaterThanOrEqual(need * (1 - 1e-12))
        }
      }),
    )
  })
})
