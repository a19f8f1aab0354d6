import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { afterAnswer, allowedRequests, type LoadSign } from '../../src/plan/ceiling.ts'
import type { LearnedCeiling } from '../../src/model/account-limits.ts'
import { KeyBudget, type RequestBudget } from '../../src/plan/key-budget.ts'

function budget(changes: Partial<RequestBudget> = {}): RequestBudget {
  return { requests: 10, perMs: 1_000, concurrency: 4, share: 1, ...changes }
}

function spend(key: KeyBudget, now: number, times: number): void {
  for (let spent = 0; spent < times; spent += 1) key.spend(now)
}

describe('the budget of a key', () => {
  test('is every budget that its accounts have, and the smallest concurrency', () => {
    const key = new KeyBudget([budget(), budget({ requests: 100, perMs: 60_000, concurrency: 2 })])
    expect(key.concurrency).toBe(2)
    spend(key, 0, 10)
    expect(key.readyAt(0)).toBe(1_000)
    for (let second = 1; second < 10; second += 1) spend(key, second * 1_000, 10)
    expect(key.readyAt(9_000)).toBe(60_000)
  })

  test('leaves the largest part for others that is asked for', () => {
    const key = new KeyBudget([budget(), budget({ share: 0.3 })])
    spend(key, 0, 3)
    expect(key.readyAt(0)).toBe(1_000)
  })

  test('a ceiling lets less go at once, and more again without a burst beyond the budget', () => {
    const key = new KeyBudget([budget()])
    spend(key, 0, 5)
    key.limit(0.5, 0)
    expect(key.readyAt(0)).toBe(1_000)
    key.limit(1, 500)
    spend(key, 500, 5)
    expect(key.readyAt(500)).toBe(1_000)
  })

  test('what is left over flows evenly beside bursts, and never where the window is spent', () => {
    const key = new KeyBudget([budget({ requests: 60, perMs: 60_000 })])
    expect(key.spareAt(0)).toBe(0)
    spend(key, 0, 23)
    expect([key.readyAt(0), key.spareAt(0)]).toEqual([0, 21_000])
    spend(key, 21_000, 37)
    expect([key.spareAt(21_000), key.spareAt(59_000)]).toEqual([60_000, 60_000])
  })

  test('starts with what another process spent', () => {
    const key = new KeyBudget([budget({ requests: 60, perMs: 60_000 })])
    key.recall([{ at: 10_000, amount: 60 }])
    expect([key.readyAt(10_000), key.spareAt(10_000)]).toEqual([70_000, 70_000])
  })

  test('never lets more than is allowed into any window, whatever the answers and reloads', () => {
    const settings = fc.record({
      requests: fc.integer({ min: 1, max: 12 }),
      perMs: fc.constantFrom(500, 1_000, 2_000),
      concurrency: fc.constant(1),
      share: fc.constantFrom(1, 0.7, 0.5, 0.1),
    })
    const step = fc.oneof(
      { weight: 12, arbitrary: fc.record({ gap: fc.nat(400), sign: fc.constantFrom<LoadSign>('overload', 'clean') }) },
      { weight: 1, arbitrary: fc.record({ reload: fc.array(settings, { minLength: 1, maxLength: 3 }) }) },
    )
    fc.assert(
      fc.property(
        fc.array(settings, { minLength: 1, maxLength: 3 }),
        fc.array(step, { maxLength: 150 }),
        (first, steps) => {
          const key = new KeyBudget(first)
          let budgets: readonly RequestBudget[] = first
          let ceiling: LearnedCeiling | null = null
          let now = 0
          const sent: number[] = []
          for (const each of steps) {
            if ('reload' in each) {
              // Of a window that grows longer than any before, only what the longest of them saw is known.
              budgets = each.reload.map((one) => ({
                ...one,
                perMs: Math.min(one.perMs, ...budgets.map((b) => b.perMs)),
              }))
              key.follow(budgets, now)
              continue
            }
            now = key.readyAt(now + each.gap)
            key.spend(now)
            sent.push(now)
            for (const { requests, perMs, share } of budgets) {
              const inWindow = sent.filter((at) => at > now - perMs).length
              expect(inWindow).toBeLessThanOrEqual(allowedRequests({ requests, share }, ceiling?.fraction ?? 1))
            }
            now += 1
            ceiling = afterAnswer(ceiling, { sign: each.sign, sentAt: now - 1, answeredAt: now, retryAfterMs: 60_000 })
            key.limit(ceiling?.fraction ?? 1, now)
          }
        },
      ),
    )
  })
})
