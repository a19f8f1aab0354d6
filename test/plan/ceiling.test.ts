import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { LearnedCeiling } from '../../src/model/account-limits.ts'
import { afterAnswer, allowedRequests, type LoadReport, type LoadSign } from '../../src/plan/ceiling.ts'

const MINUTE = 60_000

/** Answers of requests that were sent one second before; those that refuse ask for a long rest, or for so many seconds. */
function follow(ceiling: LearnedCeiling | null, ...answers: readonly (readonly [LoadSign, number, number?])[]) {
  return answers.reduce(
    (last, [sign, answeredAt, rest = 60]) =>
      afterAnswer(last, { sign, sentAt: answeredAt - 1_000, answeredAt, retryAfterMs: rest * 1_000 }),
    ceiling,
  )
}

describe('the ceiling that a key is learned to bear', () => {
  test('halves with an overload and is whole again after half an hour of clean answers', () => {
    const lowered = follow(null, ['overload', 0])
    expect(lowered?.fraction).toBe(0.5)
    const minutes = Array.from({ length: 61 }, (_, minute): [LoadSign, number] => ['clean', (minute + 1) * MINUTE])
    expect(follow(lowered, ...minutes.slice(0, 8))?.fraction).toBeCloseTo(0.5 + 7 / 30)
    expect(follow(lowered, ...minutes.slice(0, 15))).not.toBeNull()
    expect(follow(lowered, ...minutes.slice(0, 16))).toBeNull()
    const floor = follow(
      null,
      ...[0, 2, 4, 6, 8, 10].flatMap((at): [LoadSign, number][] => [
        ['overload', at * MINUTE],
        ['clean', (at + 1) * MINUTE],
      ]),
    )
    expect(floor?.fraction).toBeGreaterThanOrEqual(1 / 16)
    expect(floor?.fraction).toBeLessThan(1 / 4)
  })

  test('overloads in parallel count once, and so do probes that are turned away until one is answered', () => {
    const first = follow(null, ['overload', 10_000])
    const parallel = afterAnswer(first, { sign: 'overload', sentAt: 9_500, answeredAt: 12_000, retryAfterMs: null })
    expect(parallel?.fraction).toBe(0.5)
    const probes = follow(parallel, ['overload', 20_000], ['overload', 40_000], ['overload', 80_000])
    expect(probes?.fraction).toBe(0.5)
    const again = follow(probes, ['clean', 100_000], ['overload', 110_000])
    expect(again?.fraction).toBe(0.25)
    expect(afterAnswer(again, { sign: 'overload', sentAt: 105_000, answeredAt: 111_000, retryAfterMs: null })).toBe(
      again,
    )
  })

  test('falls little for a refusal that stands alone, and by half for one that does not', () => {
    const alone = follow(null, ['overload', 0, 2])
    expect(alone?.fraction).toBe(0.96)
    expect(follow(alone, ['clean', 5_000], ['clean', MINUTE], ['clean', 2 * MINUTE])).toBeNull()
    const answers = [5, 6, 7, 8].map((second): [LoadSign, number] => ['clean', second * 1_000])
    expect(follow(alone, ...answers, ['overload', 9_000, 2])?.fraction).toBeCloseTo(0.96 ** 2)
    expect(follow(alone, ...answers.slice(1), ['overload', 9_000, 2])?.fraction).toBeCloseTo(0.48)
    const probes = follow(alone, ['overload', 3_000, 0], ['overload', 6_000, 0], ['overload', 12_000, 0])
    expect(probes?.fraction).toBeCloseTo(0.48)
    expect(follow(probes, ['clean', 20_000], ['overload', 22_000, 0])?.fraction).toBeCloseTo(0.48 * 0.96)
  })

  test('trouble and silence are no clean time', () => {
    const answered = follow(null, ['overload', 0], ['clean', MINUTE])
    expect(follow(answered, ['trouble', 4 * MINUTE], ['clean', 4.5 * MINUTE])?.fraction).toBe(0.5)
    expect(follow(answered, ['clean', 24 * 60 * MINUTE])?.fraction).toBeCloseTo(0.5 + 5 / 30)
  })

  test('a clock that is set back costs nothing but the time', () => {
    const answered = follow(null, ['overload', 1_000 * MINUTE], ['clean', 1_001 * MINUTE])
    const back = follow(answered, ['clean', 10 * MINUTE])
    expect(back?.fraction).toBe(0.5)
    expect(follow(back, ['clean', 11 * MINUTE])?.fraction).toBeCloseTo(0.5 + 1 / 30)
  })

  test('stays between a sixteenth and the whole, and recovers, whatever came before', () => {
    const report: fc.Arbitrary<LoadReport> = fc
      .tuple(
        fc.constantFrom<LoadSign>('overload', 'clean', 'trouble'),
        fc.integer({ max: 1e9 }),
        fc.nat(60_000),
        fc.constantFrom(null, 0, 2_000, 60_000),
      )
      .map(([sign, answeredAt, took, retryAfterMs]) => ({ sign, sentAt: answeredAt - took, answeredAt, retryAfterMs }))
    fc.assert(
      fc.property(fc.array(report, { maxLength: 40 }), (reports) => {
        let ceiling: LearnedCeiling | null = null
        for (const each of reports) {
          ceiling = afterAnswer(ceiling, each)
          const fraction = ceiling?.fraction ?? 1
          expect(fraction).toBeGreaterThanOrEqual(1 / 16)
          expect(ceiling === null || fraction < 1).toBe(true)
        }
        const from = 2e9
        for (let minute = 1; minute <= 35; minute += 1) ceiling = follow(ceiling, ['clean', from + minute * MINUTE])
        expect(ceiling).toBeNull()
      }),
    )
  })

  test('of a budget lets that part go, one request at least and never more than the budget', () => {
    expect(allowedRequests({ requests: 60, share: 1 }, 1)).toBe(60)
    expect(allowedRequests({ requests: 60, share: 0.5 }, 0.5)).toBe(15)
    expect(allowedRequests({ requests: 60, share: 0.55 }, 1)).toBe(33)
    expect(allowedRequests({ requests: 1, share: 0.01 }, 1 / 16)).toBe(1)
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.double({ min: 1e-9, max: 1, noNaN: true }), (requests, part) => {
        const allowed = allowedRequests({ requests, share: part }, 1)
        expect(Number.isInteger(allowed) && allowed >= 1 && allowed <= requests).toBe(true)
        expect(allowed).toBeLessThan(requests * part + 1)
      }),
    )
  })
})
