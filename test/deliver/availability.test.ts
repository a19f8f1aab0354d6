import { describe, expect, it } from 'vitest'
import {
  availability,
  delayUntil,
  notAfter,
  type Available,
  type SendingState,
} from '../../src/deliver/availability.ts'
import { RateLimit } from '../../src/deliver/rate-limit.ts'
import { CLOSED } from '../../src/plan/circuit.ts'

const SECOND = 1_000
const NOW = Date.UTC(2026, 10, 21, 8)
const OPEN = { ...CLOSED, open: { probes: 1, failedAt: NOW } }

function available(about: Partial<SendingState> = {}, now = NOW, forced = false): Available {
  const rest = { rate: null, delay: null, circuit: CLOSED, pending: 0 }
  return availability({ concurrency: 4, inFlight: 1, forwarded: 0, ...rest, ...about }, now, forced)
}

function rated(attempts: number): RateLimit {
  const rate = new RateLimit({ requests: 2, perMs: 60 * SECOND }, null)
  for (let made = 0; made < attempts; made += 1) {
    rate.begin()
    rate.end(NOW)
  }
  return rate
}

describe('what may go now', () => {
  it('is as much as has a place', () => {
    expect(available()).toEqual({ places: 3, forward: 1 })
    expect(available({ inFlight: 4 })).toEqual({ places: 0, forward: 0 })
    expect(available({ circuit: { ...CLOSED, pace: 3 }, forwarded: 1 })).toEqual({ places: 3, forward: 2 })
  })

  it('is no more than the rate leaves, and waits for its next token', () => {
    expect(available({ rate: rated(1) })).toMatchObject({ places: 1 })
    const until = NOW + 60 * SECOND
    expect(available({ rate: rated(2) })).toEqual({
      places: 0,
      forward: 0,
      waits: { for: 'rate', until, lookAt: until },
    })
    expect(available({ rate: rated(2) }, until)).toMatchObject({ places: 2 })
  })

  it('is nothing while a channel gathers, which is asked again soon', () => {
    const delay = delayUntil(NOW + 3_600 * SECOND, NOW)
    const waits = { for: 'gathering', until: NOW + 3_600 * SECOND, lookAt: NOW + 15 * SECOND }
    expect(available({ delay })).toEqual({ places: 0, forward: 0, waits })
    expect(available({ delay }, NOW + 15 * SECOND)).toEqual({ places: 3, forward: 1 })
    expect(available({ delay }, NOW, true)).toMatchObject({ places: 3 })
    expect(delayUntil(null, NOW)).toBeNull()
  })

  it('comes sooner for an attempt that is to be repeated', () => {
    const delay = delayUntil(NOW + 10 * SECOND, NOW)
    const sooner = notAfter(notAfter(delay, NOW + 5 * SECOND), NOW + 8 * SECOND)
    expect(sooner).toEqual({ until: NOW + 5 * SECOND, lookAt: NOW + 5 * SECOND })
    expect(notAfter(null, NOW)).toBeNull()
  })

  it('is a probe at a time where an endpoint fails and much waits, and tests meanwhile', () => {
    const probed = { circuit: OPEN, pending: 101 }
    const at = NOW + SECOND
    const waits = { for: 'probe', until: at, lookAt: at }
    expect(available(probed)).toEqual({ places: 3, among: 'tests', forward: 1, waits })
    expect(available(probed, at)).toEqual({ places: 3, among: 'tests', forward: 1 })
    expect(available({ ...probed, inFlight: 0 }, at)).toEqual({ places: 1, among: 'newest', forward: 1 })
    expect(available({ ...probed, pending: 100 })).toEqual({ places: 3, forward: 1 })
    expect(available(probed, NOW, true)).toMatchObject({ places: 3 })
  })
})
