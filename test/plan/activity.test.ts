import { expect, test } from 'vitest'
import { observe } from '../../src/plan/activity.ts'
import { ActivityProfile } from '../../src/plan/activity-profile.ts'

const DAY = 86_400_000
const LIVELY = { changes: 40, expected: 10, at: 0 }
const NOTHING = { expected: 0, changes: 0 }

test('what was learnt fades by half in 20 days', () => {
  expect(observe(LIVELY, { ...NOTHING, until: 20 * DAY })).toEqual({ changes: 20, expected: 5, at: 20 * DAY })
})

test('a clock that leaps by a year, and back, takes no more than that', () => {
  const ahead = observe(LIVELY, { ...NOTHING, until: 365 * DAY })
  expect(ahead).toMatchObject({ changes: 20, expected: 5 })
  expect(observe(ahead, { ...NOTHING, until: DAY })).toMatchObject({ changes: 20, expected: 5 })
})

test('business hours outlive such a leap, too', () => {
  const profile = new ActivityProfile()
  for (let day = 0; day < 5; day += 1) profile.learn(100, day * DAY + 9 * 3_600_000, day * DAY + 10 * 3_600_000)
  const before = profile.counts.hours[9] ?? 0
  profile.learn(1, 400 * DAY, 400 * DAY + 1_000)
  expect(profile.counts.hours[9]).toBeGreaterThan(before / 2.1)
})
