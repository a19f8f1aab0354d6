import { describe, expect, test } from 'vitest'
import { afterRequest, CALM, isCalm, rebase, type Backoff, type RequestResult } from '../../src/plan/backoff.ts'

/** One request after the other, each sent when the back-off allows and answered at once. */
function inARow(results: readonly RequestResult[], random = 0): { waits: number[]; backoff: Backoff } {
  let backoff = CALM
  let now = 1_000_000
  const waits: number[] = []
  for (const result of results) {
    now = Math.max(now, backoff.notBefore)
    backoff = afterRequest(backoff, { result, sentAt: now, answeredAt: now, retryAfterMs: null }, random)
    waits.push(backoff.notBefore - now)
  }
  return { waits, backoff }
}

describe('the back-off of an account', () => {
  test('starts at one second and doubles to five minutes', () => {
    const { waits } = inARow(Array.from({ length: 12 }, () => 'failure' as const))
    expect(waits.slice(0, 4)).toEqual([1_000, 2_000, 4_000, 8_000])
    expect(waits.at(-1)).toBe(300_000)
    expect(Math.max(...waits)).toBe(300_000)
  })

  test('probes a refused key after fifteen seconds, then up to a quarter of an hour', () => {
    const { waits } = inARow(Array.from({ length: 9 }, () => 'refused' as const))
    expect(waits.slice(0, 3)).toEqual([15_000, 30_000, 60_000])
    expect(waits.at(-1)).toBe(900_000)
  })

  test('jitter only ever adds, and never past the longest wait', () => {
    const { waits } = inARow(
      Array.from({ length: 12 }, () => 'failure' as const),
      1,
    )
    expect(waits[0]).toBe(1_100)
    expect(Math.max(...waits)).toBe(300_000)
  })

  test('a success ends it', () => {
    const { backoff } = inARow(['failure', 'failure', 'success'])
    expect(isCalm(backoff)).toBe(true)
    expect(backoff).toEqual(CALM)
  })

  test('failures in parallel count once', () => {
    const report = { result: 'failure', sentAt: 100, answeredAt: 200, retryAfterMs: null } as const
    const first = afterRequest(CALM, report, 0)
    const second = afterRequest(first, { ...report, answeredAt: 250 }, 0)
    expect(second).toEqual(first)
  })

  test('a success that was under way when the failure arrived does not end it', () => {
    const failed = afterRequest(CALM, { result: 'failure', sentAt: 100, answeredAt: 200, retryAfterMs: null }, 0)
    const after = afterRequest(failed, { result: 'success', sentAt: 150, answeredAt: 300, retryAfterMs: null }, 0)
    expect(isCalm(after)).toBe(false)
  })

  test('Retry-After is a floor to the millisecond, also when it comes with a parallel answer', () => {
    const throttled = afterRequest(CALM, { result: 'throttled', sentAt: 0, answeredAt: 10, retryAfterMs: 7_000 }, 1)
    expect(throttled.notBefore).toBe(7_010)
    const parallel = afterRequest(throttled, { result: 'throttled', sentAt: 5, answeredAt: 20, retryAfterMs: 9_000 }, 1)
    expect(parallel.notBefore).toBe(9_020)
    const shorter = afterRequest(parallel, { result: 'throttled', sentAt: 6, answeredAt: 30, retryAfterMs: 1_000 }, 1)
    expect(shorter.notBefore).toBe(9_020)
  })

  test('being throttled without Retry-After backs off but is no failure', () => {
    const { backoff, waits } = inARow(['throttled', 'throttled'])
    expect(waits).toEqual([1_000, 2_000])
    expect(backoff.failures).toBe(0)
  })

  test('an unavailable platform (503) with Retry-After waits for the longer of both', () => {
    const long = afterRequest(CALM, { result: 'failure', sentAt: 0, answeredAt: 10, retryAfterMs: 60_000 }, 0)
    expect(long.notBefore).toBe(60_010)
    const short = afterRequest(CALM, { result: 'failure', sentAt: 0, answeredAt: 10, retryAfterMs: 100 }, 0)
    expect(short.notBefore).toBe(1_010)
  })

  test('Retry-After: 0 still backs off', () => {
    const throttled = afterRequest(CALM, { result: 'throttled', sentAt: 0, answeredAt: 10, retryAfterMs: 0 }, 0)
    expect(throttled.notBefore).toBe(1_010)
  })

  test('a clock set back does not make it longer', () => {
    const failed = afterRequest(CALM, { result: 'failure', sentAt: 9_000, answeredAt: 9_000, retryAfterMs: null }, 0)
    const back = rebase(failed, 2_000)
    expect(back.notBefore).toBe(3_000)
    expect(rebase(back, 2_500)).toBe(back)
  })

  test('after a clock was set back, answers still count', () => {
    const failed = afterRequest(
      CALM,
      { result: 'failure', sentAt: 9_000_000, answeredAt: 9_000_000, retryAfterMs: null },
      0,
    )
    const after = afterRequest(failed, { result: 'success', sentAt: 1_000, answeredAt: 1_100, retryAfterMs: null }, 0)
    expect(isCalm(after)).toBe(true)
  })
})
