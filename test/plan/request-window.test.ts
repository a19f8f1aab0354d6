import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RequestWindow } from '../../src/plan/key-budget.ts'

describe('a request budget', () => {
  test('lets the whole budget go at once, then waits for the first token to come back', () => {
    const window = new RequestWindow({ requests: 2, perMs: 1_000 })
    window.spend(0)
    window.spend(400)
    expect(window.readyAt(500)).toBe(1_000)
    window.spend(1_000)
    expect(window.readyAt(1_000)).toBe(1_400)
  })

  test('starts with what others spent, and knows what it spent itself', () => {
    const window = new RequestWindow({ requests: 3, perMs: 1_000 })
    window.recall([
      { at: 100, amount: 2 },
      { at: 400, amount: 9 },
    ])
    expect([window.free(1_399), window.readyAt(500), window.free(1_400)]).toEqual([0, 1_400, 3])
    const used = new RequestWindow({ requests: 3, perMs: 1_000 })
    used.spend(0)
    used.recall([{ at: 100, amount: 2 }])
    expect(used.free(100)).toBe(2)
  })

  test('never lets more than the budget into any window', () => {
    const steps = fc.array(fc.integer({ min: 0, max: 700 }), { minLength: 30, maxLength: 200 })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), steps, (requests, gaps) => {
        const window = new RequestWindow({ requests, perMs: 1_000 })
        const sent: number[] = []
        let now = 0
        for (const gap of gaps) {
          now = window.readyAt(now + gap)
          window.spend(now)
          sent.push(now)
        }
        for (const start of sent) {
          expect(sent.filter((at) => at >= start && at < start + 1_000).length).toBeLessThanOrEqual(requests)
        }
      }),
    )
  })

  test('under another budget, what was spent still counts', () => {
    const window = new RequestWindow({ requests: 3, perMs: 1_000 })
    for (const at of [0, 100, 200, 1_050]) window.spend(at)
    expect(window.under({ requests: 3, perMs: 2_000 }).readyAt(1_100)).toBe(2_100)
    expect(window.under({ requests: 1, perMs: 1_000 }).readyAt(1_100)).toBe(2_050)
    expect(window.under({ requests: 4, perMs: 1_000 }).readyAt(1_100)).toBe(1_100)
  })

  test('says how many tokens are free', () => {
    const window = new RequestWindow({ requests: 3, perMs: 1_000 })
    expect(window.free(0)).toBe(3)
    window.spend(0)
    window.spend(400)
    expect([window.free(400), window.free(999), window.free(1_000), window.free(1_400)]).toEqual([1, 1, 2, 3])
    window.spend(1_000)
    expect([window.free(1_000), window.free(1_400), window.free(2_000)]).toEqual([1, 2, 3])
  })

  test('counts as free what it would let go one by one, whatever the clock does', () => {
    const steps = fc.array(fc.tuple(fc.integer({ min: -2_000, max: 700 }), fc.nat(5)), { maxLength: 60 })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), steps, (requests, moves) => {
        const window = new RequestWindow({ requests, perMs: 1_000 })
        let now = 0
        for (const [gap, spends] of moves) {
          now += gap
          const free = window.free(now)
          expect(free > 0).toBe(window.readyAt(now) <= now)
          const taken = Math.min(free, spends)
          for (let spent = 0; spent < taken; spent += 1) window.spend(now)
          expect(window.free(now)).toBe(free - taken)
        }
        expect(window.free(now + 1_000)).toBe(requests)
      }),
    )
  })

  test('a clock set back costs one window, not the whole difference', () => {
    const window = new RequestWindow({ requests: 1, perMs: 1_000 })
    window.spend(9_000_000)
    expect(window.readyAt(5_000)).toBe(6_000)
    expect(window.readyAt(5_500)).toBe(6_000)
    expect(window.readyAt(6_000)).toBe(6_000)
  })
})
