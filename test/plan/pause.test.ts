import { describe, expect, test } from 'vitest'
import { CALM, afterRequest, pauseAfter, resume, type RequestResult } from '../../src/plan/backoff.ts'

const HOUR = 3_600_000

function paused(result: RequestResult, retryAfterMs: number | null) {
  const backoff = afterRequest(CALM, { result, sentAt: 5 * HOUR, answeredAt: 5 * HOUR, retryAfterMs }, 0)
  return pauseAfter(backoff, result, 'said why')
}

function requirePause(result: RequestResult, retryAfterMs: number | null) {
  const pause = paused(result, retryAfterMs)
  if (pause === null) throw new Error('There is no pause.')
  return pause
}

describe('what a restart knows of a back-off', () => {
  test('Retry-After ends when it was to end', () => {
    expect(resume(requirePause('throttled', HOUR), 5 * HOUR + 1_000).notBefore).toBe(6 * HOUR)
  })

  test('failures in a row go on doubling', () => {
    const backoff = resume(requirePause('failure', null), 5 * HOUR + 10)
    const report = {
      result: 'failure',
      sentAt: 5 * HOUR + 1_000,
      answeredAt: 5 * HOUR + 1_000,
      retryAfterMs: null,
    } as const
    expect(afterRequest(backoff, report, 0).notBefore).toBe(5 * HOUR + 3_000)
  })

  test('a clock set back makes it no longer', () => {
    expect(resume(requirePause('throttled', HOUR), 2 * HOUR).notBefore).toBe(3 * HOUR)
  })

  test('whatever was written, it is no longer than a day', () => {
    const pause = { ...requirePause('throttled', HOUR), notBefore: Number.MAX_SAFE_INTEGER }
    expect(resume(pause, 5 * HOUR).notBefore).toBe(29 * HOUR)
  })

  test('nothing is left to know of success, and of a refused key, which the next process may have changed', () => {
    expect(paused('success', null)).toBeNull()
    expect(paused('refused', null)).toBeNull()
  })
})
