import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { TokenBucket } from '../../src/plan/key-budget.ts'

/** Gaps and amounts after which the wait for a token is a whole number of milliseconds, and is computed as a little more. */
const ROUNDED_UP: [number, number][] = [
  [34_646, 2],
  [85_302, 5],
  [10_978, 2],
  [34_422, 4],
  [32_951, 4],
  [30_063, 4],
  [10_020, 2],
  [1_527, 5],
  [51_936, 4],
  [6_167, 4],
]
const FLOW = { requests: 60, perMs: 60_000 }

describe('the smooth view of a budget', () => {
  test('holds a twentieth of it, then refills evenly', () => {
    const bucket = new TokenBucket(FLOW)
    for (let spent = 0; spent < 3; spent += 1) {
      expect(bucket.readyAt(0)).toBe(0)
      bucket.spend(0)
    }
    expect(bucket.readyAt(0)).toBe(1_000)
    expect(bucket.readyAt(600)).toBe(1_000)
    bucket.spend(1_000)
    expect(bucket.readyAt(1_000)).toBe(2_000)
  })

  test('of a small budget holds one request', () => {
    const bucket = new TokenBucket({ requests: 6, perMs: 60_000 })
    bucket.spend(0)
    expect(bucket.readyAt(0)).toBe(10_000)
  })

  test('owes what bursts took, at most a whole budget', () => {
    const bucket = new TokenBucket(FLOW)
    bucket.spend(0, 33)
    expect(bucket.readyAt(0)).toBe(31_000)
    bucket.spend(0, 1_000)
    expect(bucket.readyAt(0)).toBe(61_000)
  })

  test('follows a narrower flow from now on, and owes no more than that', () => {
    const bucket = new TokenBucket(FLOW)
    bucket.spend(0, 63)
    bucket.follow({ requests: 30, perMs: 60_000 }, 0)
    expect(bucket.readyAt(0)).toBe(62_000)
    bucket.follow({ requests: 60, perMs: 60_000 }, 60_000)
    expect(bucket.readyAt(60_000)).toBe(61_000)
  })

  test('a clock set back refills nothing and blocks nothing', () => {
    const bucket = new TokenBucket(FLOW)
    bucket.spend(9_000_000, 3)
    expect(bucket.readyAt(5_000)).toBe(6_000)
  })

  test('is ready when it says so, and not a millisecond before', () => {
    const flow = fc.record({ requests: fc.integer({ min: 1, max: 5_000 }), perMs: fc.integer({ min: 1, max: 1e7 }) })
    const gaps = fc.array(fc.tuple(fc.nat(100_000), fc.nat(5)), { maxLength: 40 })
    fc.assert(
      fc.property(flow, gaps, (flow, steps) => {
        const bucket = new TokenBucket(flow)
        let now = 0
        for (const [gap, spends] of steps) {
          now += gap
          bucket.spend(now, spends)
          const at = bucket.readyAt(now)
          expect(at - now).toBeLessThanOrEqual(Math.ceil(((flow.requests + 1) * flow.perMs) / flow.requests))
          if (at > now + 1) expect(bucket.readyAt(at - 1)).toBeGreaterThan(at - 1)
          expect(bucket.readyAt(at)).toBe(at)
          now = at
        }
      }),
      { examples: [[{ requests: 25, perMs: 8_505_720 }, ROUNDED_UP]] },
    )
  })
})
