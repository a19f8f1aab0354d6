import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { delayOf, delayOfGaps } from '../../src/plan/forecast.ts'

describe('how long changes go unseen', () => {
  it('is half of the gap on average, and nearly all of it at most', () => {
    const delay = delayOfGaps([{ gapMs: 1_000, changes: 3 }])
    expect(delay?.meanMs).toBeCloseTo(500)
    expect(delay?.p95Ms).toBeCloseTo(950)
  })

  it('goes by how often each gap is met', () => {
    const delay = delayOfGaps([
      { gapMs: 100, changes: 95 },
      { gapMs: 10_000, changes: 5 },
    ])
    expect(delay?.meanMs).toBeCloseTo(0.95 * 50 + 0.05 * 5_000)
    expect(delay?.p95Ms).toBeGreaterThan(99)
    expect(delay?.p95Ms).toBeLessThan(150)
  })

  it('is what drawing from the gaps comes to', () => {
    const gaps = fc.array(fc.record({ gapMs: fc.integer({ min: 1, max: 10_000 }), changes: fc.constant(1) }), {
      minLength: 1,
      maxLength: 8,
    })
    fc.assert(
      fc.property(gaps, (drawn) => {
        const delays = drawn.flatMap(({ gapMs }) =>
          Array.from({ length: 400 }, (_, nth) => (gapMs * (nth + 0.5)) / 400),
        )
        const [foreseen, met] = [delayOfGaps(drawn), delayOf(delays)]
        expect(Math.abs((foreseen?.meanMs ?? 0) - (met?.meanMs ?? 0))).toBeLessThan(1)
        expect(Math.abs((foreseen?.p95Ms ?? 0) - (met?.p95Ms ?? 0))).toBeLessThan(60)
      }),
    )
  })

  it('is unknown without changes', () => {
    expect(delayOfGaps([{ gapMs: 1_000, changes: 0 }])).toBeNull()
    expect(delayOf([])).toBeNull()
  })
})
