import { assert, double, nat, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextRetry } from '../../src/plan/retry-schedule.ts'

const HOUR = 3_600_000
const base = { attempts: 1, retryMs: [5_000, 300_000], retryAfterMs: null, now: 1_000_000, random: 0 }

describe('the retry schedule', () => {
  it('makes n retries after the first attempt, then is exhausted', () => {
    expect(nextRetry(base)).toEqual({ at: 1_005_000 })
    expect(nextRetry({ ...base, attempts: 2 })).toEqual({ at: 1_300_000 })
    expect(nextRetry({ ...base, attempts: 3 })).toBe('exhausted')
    expect(nextRetry({ ...base, retryMs: [] })).toBe('exhausted')
  })

  it('adds up to 20 % of jitter and never takes any away', () => {
    expect(nextRetry({ ...base, random: 0.5 })).toEqual({ at: 1_005_500 })
    assert(
      property(double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), nat(1e8), (random, delay) => {
        const next = nextRetry({ ...base, retryMs: [delay], random })
        const waited = next === 'exhausted' ? Number.NaN : next.at - base.now
        expect(waited).toBeGreaterThanOrEqual(delay)
        expect(waited).toBeLessThanOrEqual(Math.ceil(delay * 1.2))
      }),
    )
  })

  it('never comes back before Retry-After, which counts for at most 24 h', () => {
    expect(nextRetry({ ...base, retryAfterMs: 60_000 })).toEqual({ at: 1_060_000, notBefore: 1_060_000 })
    expect(nextRetry({ ...base, retryAfterMs: 10 })).toEqual({ at: 1_005_000, notBefore: 1_000_010 })
    const dayAhead = 1_000_000 + 24 * HOUR
    expect(nextRetry({ ...base, retryAfterMs: 48 * HOUR })).toEqual({ at: dayAhead, notBefore: dayAhead })
    expect(nextRetry({ ...base, attempts: 3, retryAfterMs: 60_000 })).toBe('exhausted')
  })

  it('goes on where it was after an attempt that was brought forward', () => {
    const forward = { ...base, attempts: 3, resumesAt: 1_700_000 }
    expect(nextRetry(forward)).toEqual({ at: 1_700_000, scheduled: false })
    expect(nextRetry({ ...forward, retryAfterMs: HOUR })).toMatchObject({ at: 1_000_000 + HOUR, scheduled: false })
    expect(nextRetry({ ...forward, now: 1_700_000 })).toBe('exhausted')
  })
})
