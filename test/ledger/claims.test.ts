import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  comesAgain,
  forwardingOf,
  gatheringOf,
  inTurn,
  isGatheredByOthers,
  recoveryOf,
  roomFor,
  type SharedLimit,
  type Sought,
  soughtBy,
} from '../../src/ledger/claims.ts'
import type { Gate } from '../../src/ledger/endpoint-state.ts'
import { runs } from '../support/runs.ts'

const NOW = 1_000_000
const MINUTE = 60_000
const IDLE = { claimed: 0, others: 0, paced: 0, isGatheredByOthers: false, isForced: false }
const FOUR: SharedLimit = { concurrency: 4, rate: null }
const RATED: SharedLimit = { concurrency: 4, rate: { requests: 3, perMs: 1_000 } }

const named = (names: string) => names.split('').map((subscription) => ({ subscription }))
const row = (event: number, resumesAt: number | null = null) => ({ event, resumes_at: resumesAt })

describe('how many rows a claim may take', () => {
  test.each([
    ['as many as are wanted, without a limit', 9, null, {}, 9],
    ['no more than there are places', 9, FOUR, {}, 4],
    ['beside those under way', 9, FOUR, { claimed: 3, others: 1 }, 1],
    ['no more than the rate leaves, under way or ended', 9, RATED, { claimed: 1, paced: 1 }, 1],
    ['no more than is wanted', 1, RATED, {}, 1],
  ] as const)('%s', (...[, wanted, limit, sight, room]) => {
    expect(roomFor(wanted, limit, { ...IDLE, ...sight })).toBe(room)
  })

  test.each([
    ['whole, where their attempts have places', 2, {}, 9],
    ['not at all, where they have not', 5, {}, 0],
    ['not beside claims of others', 1, { others: 1 }, 0],
    ['not while others gather', 1, { isGatheredByOthers: true }, 0],
    ['beside both, where a command asks for it', 1, { others: 1, isGatheredByOthers: true, isForced: true }, 9],
    ["beside the claimer's own", 2, { claimed: 4 }, 9],
  ] as const)('batches are taken %s', (...[, attempts, sight, room]) => {
    expect(roomFor(9, { ...FOUR, attempts }, { ...IDLE, ...sight })).toBe(room)
  })

  test('whoever claims, no more attempts are under way, or have ended within the window, than are allowed', () => {
    const claims = fc.array(fc.record({ wanted: fc.nat(6), ends: fc.nat(6) }), { maxLength: 20 })
    fc.assert(
      fc.property(claims, fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 8 }), (taken, ...limits) => {
        const [concurrency, requests] = limits
        let [claimed, paced] = [0, 0]
        for (const { ends, wanted } of taken) {
          const limit = { concurrency, rate: { requests, perMs: 1_000 } }
          claimed += Math.max(0, roomFor(wanted, limit, { ...IDLE, claimed, paced }))
          expect(claimed).toBeLessThanOrEqual(concurrency)
          expect(claimed + paced).toBeLessThanOrEqual(requests)
          const ended = Math.min(ends, claimed)
          claimed -= ended
          paced += ended
        }
      }),
      runs(100),
    )
  })
})

describe('which rows a claim takes', () => {
  test.each<readonly [Gate, 'tests' | 'newest' | undefined, Sought, Sought]>([
    ['open', undefined, 'oldest', 'chosen'],
    ['recovering', undefined, 'oldest', 'chosen'],
    ['shut', undefined, 'tests', 'chosen tests'],
    ['open', 'newest', 'newest', 'chosen'],
    ['shut', 'newest', 'tests', 'chosen tests'],
    ['open', 'tests', 'tests', 'chosen tests'],
  ])('of an endpoint that is %s, asked for %s: the %s', (...[gate, among, sought, chosen]) => {
    expect(soughtBy(gate, { among, hasChosen: false })).toBe(sought)
    expect(soughtBy(gate, { among, hasChosen: true })).toBe(chosen)
  })

  test('endpoints have their turn from the first on, and each of them once', () => {
    expect(inTurn(named('abcd'), 'c')).toEqual(named('cdab'))
    expect(inTurn(named('abcd'), 'x')).toEqual(named('abcd'))
    expect(inTurn(named('bd'), 'c')).toEqual(named('db'))
  })
})

describe('who gathers', () => {
  const mine = { gatherer: 'me', gathers_until: NOW + MINUTE }
  const asked = { looker: 'me', now: NOW, hasRows: true }

  test('whoever was shown rows, for a minute', () => {
    expect(gatheringOf({ gatherer: null, gathers_until: null }, asked)).toEqual(mine)
    expect(gatheringOf({ gatherer: 'other', gathers_until: NOW }, asked)).toEqual(mine)
  })

  test('its time is made longer once half of it is over', () => {
    expect(gatheringOf({ ...mine, gathers_until: NOW + MINUTE / 2 }, asked)).toBeNull()
    expect(gatheringOf({ ...mine, gathers_until: NOW + MINUTE / 2 - 1 }, asked)).toEqual(mine)
  })

  test('one that has nothing to gather lets go, and of others nothing', () => {
    const none = { gatherer: null, gathers_until: null }
    expect(gatheringOf(mine, { ...asked, hasRows: false })).toEqual(none)
    expect(gatheringOf({ ...mine, gatherer: 'other' }, { ...asked, hasRows: false })).toBeNull()
  })

  test('others, until their time is over', () => {
    expect(isGatheredByOthers(mine, 'me', NOW)).toBe(false)
    expect(isGatheredByOthers(mine, 'other', NOW)).toBe(true)
    expect(isGatheredByOthers(mine, 'other', NOW + MINUTE)).toBe(false)
    expect(isGatheredByOthers({ gatherer: null, gathers_until: null }, 'other', NOW)).toBe(false)
  })
})

describe('what is brought forward', () => {
  test('nothing, of an endpoint that does not recover', () => {
    expect(forwardingOf('open', [], { forward: 3, now: NOW, slots: 9 })).toBeNull()
    expect(forwardingOf('shut', [], { forward: 3, now: NOW, slots: 9 })).toBeNull()
  })

  test('as much as may be, less what was brought forward and is ready yet', () => {
    const ready = [row(1), row(2, NOW + 1), row(3, NOW)]
    const may = { forward: 2, now: NOW, slots: 9 }
    expect(forwardingOf('recovering', ready, may)).toEqual({ most: 1, before: Number.MAX_SAFE_INTEGER })
    expect(forwardingOf('recovering', ready, { ...may, forward: 1 })).toBeNull()
  })

  test('of older events than the last that is ready, where those take every place', () => {
    expect(forwardingOf('recovering', [row(1), row(5)], { forward: 2, now: NOW, slots: 2 })).toEqual({
      most: 2,
      before: 5,
    })
  })

  test('until nothing is left that waits', () => {
    expect(recoveryOf({ againAt: null, hasOthers: true })).toBe('bring forward')
    expect(recoveryOf({ againAt: NOW + 1, hasOthers: false })).toBe('wait')
    expect(recoveryOf({ againAt: null, hasOthers: false })).toBe('recovered')
    expect([comesAgain(null, NOW), comesAgain(NOW, NOW), comesAgain(NOW + 1, NOW)]).toEqual([false, true, false])
  })
})
