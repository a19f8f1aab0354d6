import { describe, expect, test } from 'vitest'
import type { HeldPass, Hold } from '../../src/model/hold.ts'
import {
  heldPass,
  holdAfter,
  isAccepted,
  isGoneUnproved,
  mayBeGone,
  mostBelieved,
  recognisedAfter,
  suspicion,
} from '../../src/plan/removal.ts'

const missedBy = (misses: number) => ({ id: 'A', misses })

const PASS: HeldPass = { reason: 'too_many', known: 100, missing: 10, sample: ['A'] }

function hold(changes: Partial<Hold> = {}): Hold {
  return { ...PASS, since: 1, verdict: null, quietPasses: 0, ...changes }
}

describe('what a pass may remove (guarantee D6)', () => {
  test.each([
    [0, 5],
    [250, 5],
    [251, 5.02],
    [10_000, 200],
  ])('of %i known records at most %d', (known, most) => {
    expect(mostBelieved(known)).toBeCloseTo(most)
  })

  test('two misses may be proved by a fetch; three stand where none ever worked, six while the list moves', () => {
    expect([1, 2].map((misses) => mayBeGone(missedBy(misses)))).toEqual([false, true])
    expect([2, 3].map((misses) => isGoneUnproved(missedBy(misses), false))).toEqual([false, true])
    expect([5, 6].map((misses) => isGoneUnproved(missedBy(misses), true))).toEqual([false, true])
  })
})

describe('a pass that is not believed', () => {
  test.each([
    [{ known: 0, met: 0, rows: 0 }, null],
    [{ known: 1, met: 0, rows: 0 }, 'empty'],
    [{ known: 100, met: 0, rows: 0 }, 'empty'],
    [{ known: 2, met: 0, rows: 5 }, null],
    [{ known: 3, met: 0, rows: 5 }, 'other_account'],
    [{ known: 3, met: 1, rows: 5 }, null],
    [{ known: 30, met: 2, rows: 5 }, 'other_account'],
    [{ known: 30, met: 3, rows: 5 }, null],
    [{ known: 31, met: 3, rows: 5 }, 'other_account'],
  ])('%j: %s', (counts, reason) => {
    expect(suspicion(counts)).toBe(reason)
  })

  test('unknown records are recognised exactly where the pass is not suspected', () => {
    for (let known = 0; known < 200; known += 1) {
      const needed = recognisedAfter(known)
      expect(suspicion({ known, met: needed, rows: 1 })).toBeNull()
      if (needed > 0) expect(suspicion({ known, met: needed - 1, rows: 1 })).toBe('other_account')
    }
  })

  test('names at most twenty of the missing', () => {
    const missing = Array.from({ length: 50 }, (_, index) => ({ id: `SHP-${index}`, misses: 2 }))
    const held = heldPass('too_many', 100, missing)
    expect(held).toMatchObject({ reason: 'too_many', known: 100, missing: 50 })
    expect(held.sample).toEqual(missing.slice(0, 20).map(({ id }) => id))
  })
})

describe('a hold', () => {
  test('rings once and follows what is missing, whatever the reason', () => {
    const first = holdAfter(null, PASS, 5)
    expect(first).toEqual({ rings: true, hold: hold({ since: 5 }) })
    const worse = { ...PASS, reason: 'empty', missing: 100 } as const
    expect(holdAfter(first.hold, worse, 9)).toEqual({ rings: false, hold: { ...first.hold, ...worse } })
  })

  test('once rejected, rings anew with the second such pass', () => {
    const rejected = hold({ verdict: 'reject', quietPasses: 2 })
    const quiet = holdAfter(rejected, PASS, 9)
    expect(quiet).toEqual({ rings: false, hold: { ...rejected, quietPasses: 1 } })
    expect(holdAfter(quiet.hold, PASS, 10)).toEqual({ rings: true, hold: hold({ since: 10 }) })
  })

  test('once accepted for less, rings anew', () => {
    expect(holdAfter(hold({ verdict: 'accept' }), PASS, 9)).toEqual({ rings: true, hold: hold({ since: 9 }) })
  })

  test.each([
    ['the same', {}, true],
    ['a few more', { missing: 15 }, true],
    ['many more', { missing: 16 }, false],
    ['fewer', { missing: 6 }, true],
    ['an empty list', { reason: 'empty', missing: 10 }, false],
    ["another account's list", { reason: 'other_account', missing: 10 }, false],
  ] as const)('an accept of too many covers %s: %s', (_, changes, covers) => {
    const accepted = hold({ verdict: 'accept' })
    expect(isAccepted(accepted, { ...PASS, ...changes })).toBe(covers)
    expect(isAccepted(hold(), { ...PASS, ...changes })).toBe(false)
    expect(isAccepted(null, { ...PASS, ...changes })).toBe(false)
  })

  test("an accept of an empty or another account's list covers a pass that only misses too many", () => {
    for (const reason of ['empty', 'other_account'] as const) {
      expect(isAccepted(hold({ reason, missing: 100, verdict: 'accept' }), PASS)).toBe(true)
    }
  })
})
