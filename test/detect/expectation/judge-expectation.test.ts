import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { judgeExpectation, nextLookAt } from '../../../src/detect/expectation/judge-expectation.ts'
import { replayExpectation } from '../../../src/detect/expectation/replay-expectation.ts'
import type { ExpectationState } from '../../../src/model/expectation.ts'
import { runs } from '../../support/runs.ts'

const NOW = 1_000_000

function judged(
  before: ExpectationState | null,
  verdict: { isExpected?: boolean; hasHappened?: boolean; by?: number | null } | null,
  rest: { silentUntil?: number; isUnread?: boolean; readAt?: number } = {},
) {
  const { isUnread = false, readAt = NOW, silentUntil = null } = rest
  const { state, turn } = judgeExpectation({
    before,
    verdict: verdict && { isExpected: true, hasHappened: false, by: NOW - 5_000, ...verdict },
    now: NOW,
    silentUntil,
    isUnread,
    wasReadSince: (at) => readAt >= at,
  })
  return [state?.state ?? null, turn && `${turn.isSilent ? 'silently ' : ''}${turn.kind}`, state, turn] as const
}

const waiting: ExpectationState = { state: 'waiting', by: NOW - 5_000, rang: false }
const missed: ExpectationState = { state: 'missed', by: NOW - 9_000, rang: true }
const silent: ExpectationState = { ...missed, rang: false }
const met: ExpectationState = { state: 'met', by: NOW - 9_000, rang: false }

describe('what is not missed', () => {
  test.each<[what: string, found: ReturnType<typeof judged>, state: string | null, turn: string | null]>([
    ['is nothing where it was never expected', judged(null, { isExpected: false }), null, null],
    ['waits for an instant to come', judged(null, { by: NOW + 1 }), 'waiting', null],
    ['waits for an instant that is not known', judged(waiting, { by: null }), 'waiting', null],
    ['waits for a read that was sent since', judged(waiting, {}, { readAt: NOW - 5_001 }), 'waiting', null],
    ['is missed once it was read since', judged(waiting, {}, { readAt: NOW - 5_000 }), 'missed', 'missed'],
    ['is missed where it is seen too late', judged(null, {}), 'missed', 'missed'],
    ['is met where it happened in time', judged(waiting, { hasHappened: true }), 'met', null],
    ['is missed where what had happened is undone', judged(met, {}), 'missed', 'missed'],
    ['is withdrawn in silence where it was not missed', judged(waiting, { isExpected: false }), 'withdrawn', null],
    ['is withdrawn in silence with its record', judged(waiting, null), 'withdrawn', null],
    [
      'is missed in silence where it had passed before the rule',
      judged(null, {}, { silentUntil: NOW - 5_000 }),
      'missed',
      'silently missed',
    ],
    ['is missed aloud where it passed since', judged(null, {}, { silentUntil: NOW - 5_001 }), 'missed', 'missed'],
    [
      'waits in silence for what has never been read',
      judged(null, {}, { silentUntil: NOW, isUnread: true }),
      'waiting',
      null,
    ],
  ])('%s', (...[, [state, turn], ...expected]) => {
    expect([state, turn]).toEqual(expected)
  })

  test('is looked at when its instant comes', () => {
    expect(nextLookAt(judged(null, { by: NOW + 7 })[2])).toBe(NOW + 7)
    expect(nextLookAt(judged(waiting, { by: null })[2])).toBeNull()
    expect(nextLookAt(missed)).toBeNull()
    expect(nextLookAt(null)).toBeNull()
  })
})

describe('what is missed', () => {
  test('stays so while its instant moves within the past', () => {
    const [state, turn, kept] = judged(missed, { by: NOW - 1 })
    expect([state, turn, kept?.by]).toEqual(['missed', null, NOW - 1])
  })

  test('is met, late by whole seconds from its instant as it stands, also where it is expected no more', () => {
    const happened = judged(missed, { hasHappened: true, by: NOW - 3_999 })
    expect([happened[1], happened[3]]).toEqual([
      'met',
      { kind: 'met', by: NOW - 3_999, lateSeconds: 3, isSilent: false },
    ])
    expect(judged(missed, { hasHappened: true, isExpected: false, by: null })[3]).toMatchObject({
      kind: 'met',
      lateSeconds: 9,
    })
  })

  test.each([
    ['no_longer_expected', { isExpected: false, by: null }, 'withdrawn'],
    ['moved', { by: NOW + 1 }, 'waiting'],
    ['moved', { by: null }, 'waiting'],
    ['removed', null, 'withdrawn'],
  ])('is withdrawn: %s, %j', (reason, verdict, standing) => {
    const [state, turn, , whole] = judged(missed, verdict)
    expect([state, turn, whole]).toEqual([standing, 'withdrawn', expect.objectContaining({ reason, by: NOW - 9_000 })])
  })

  test('ends in silence where it began so', () => {
    expect(judged(silent, { hasHappened: true })[1]).toBe('silently met')
    expect(judged(silent, { by: NOW + 1 })[1]).toBe('silently withdrawn')
  })
})

const step = fc.record({
  after: fc.integer({ min: 1, max: 20 }),
  isExpected: fc.boolean(),
  hasHappened: fc.boolean(),
  by: fc.option(fc.nat(120), { nil: null }),
  isGone: fc.boolean(),
})

test('each edge rings once, whatever comes and goes', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
      let at = 0
      const placed = steps.map((each) => ({ ...each, at: (at += each.after) }))
      const end = at + 20
      const sayingAt = (now: number) => placed.findLast((each) => each.at <= now)
      const turns = replayExpectation({
        from: 0,
        until: end,
        changes: placed.map((each) => each.at),
        verdictAt: (now) => {
          const said = sayingAt(now)
          if (said === undefined) return { isExpected: false, hasHappened: false, by: null }
          return said.isGone ? null : said
        },
      })
      // Instant by instant: missed for as long as all three hold.
      const edges: string[] = []
      let was = false
      for (let now = 0; now <= end; now += 1) {
        const said = sayingAt(now)
        const is =
          said !== undefined &&
          !said.isGone &&
          said.isExpected &&
          !said.hasHappened &&
          said.by !== null &&
          said.by <= now
        if (is !== was) edges.push(`${now} ${is ? 'missed' : 'ended'}`)
        was = is
      }
      expect(turns.map(({ at: now, turn }) => `${now} ${turn.kind === 'missed' ? 'missed' : 'ended'}`)).toEqual(edges)
    }),
    runs(100),
  )
})
