import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { nextWatermark } from '../../src/ledger/watermarks.ts'

const NOW = 1_000_000
const EVERY = 60_000

it.each([
  ['the first one is due', null, { isDue: true, dueAt: NOW + EVERY }],
  ['none is due before its time', NOW + 1, { isDue: false, dueAt: NOW + 1 }],
  ['one is due in time, and the next one too', NOW - 400, { isDue: true, dueAt: NOW - 400 + EVERY }],
  ['a pause is not caught up', NOW - EVERY, { isDue: true, dueAt: NOW + EVERY }],
  ['a clock that was set back makes nobody wait', NOW + EVERY + 1, { isDue: true, dueAt: NOW + EVERY }],
])('%s', (_, dueAt, expected) => {
  expect(nextWatermark({ dueAt, now: NOW, everyMs: EVERY })).toEqual(expected)
})

it('of many who ask, about one in each time gets it', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 9_000 }), { maxLength: 200 }), (steps) => {
      let [now, dueAt, amount] = [NOW, NOW, 0]
      for (const step of steps) {
        now += step
        const next = nextWatermark({ dueAt, now, everyMs: EVERY })
        dueAt = next.dueAt
        if (next.isDue) amount += 1
      }
      const expected = (now - NOW) / EVERY
      expect(amount).toBeGreaterThanOrEqual(Math.floor(expected))
      expect(amount).toBeLessThanOrEqual(Math.ceil(expected) + 1)
    }),
  )
})
