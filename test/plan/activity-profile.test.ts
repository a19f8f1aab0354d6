import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ActivityProfile } from '../../src/plan/activity-profile.ts'

const HOUR = 3_600_000
const WEEK = 7 * 24 * HOUR
/** A Monday. */
const MONDAY = Date.UTC(2026, 10, 16)

/** Four weeks of two changes an hour on weekdays from 8 to 18. */
function businessHours(): ActivityProfile {
  const profile = new ActivityProfile()
  for (let hour = 0; hour < 4 * 7 * 24; hour += 1) {
    const at = MONDAY + hour * HOUR
    const isOpen = hour % 24 >= 8 && hour % 24 < 18 && Math.floor(hour / 24) % 7 < 5
    if (isOpen) profile.learn(2, at, at + HOUR)
  }
  return profile
}

describe('the rhythm of an account', () => {
  it('is time itself until something was learnt', () => {
    const profile = new ActivityProfile()
    expect(profile.between(MONDAY, MONDAY + 90_000)).toBeCloseTo(90_000, 3)
    expect(profile.paceAt(MONDAY)).toBeCloseTo(1)
  })

  it('learns when people work', () => {
    const profile = businessHours()
    const noon = profile.paceAt(MONDAY + 12 * HOUR)
    expect(noon).toBeGreaterThan(2)
    expect(profile.paceAt(MONDAY + 3 * HOUR)).toBeLessThan(noon / 5)
    expect(profile.paceAt(MONDAY + 5 * 24 * HOUR + 12 * HOUR)).toBeLessThan(noon / 4)
  })

  it('runs as fast as time over a week, and is additive', () => {
    const profile = businessHours()
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 4 * WEEK }),
        fc.integer({ min: 0, max: WEEK }),
        fc.integer({ min: 0, max: WEEK }),
        (start, first, second) => {
          const from = MONDAY + start
          const whole = profile.between(from, from + first + second)
          expect(
            profile.between(from, from + first) + profile.between(from + first, from + first + second),
          ).toBeCloseTo(whole, 0)
          expect(profile.between(from, from + WEEK)).toBeCloseTo(WEEK, 0)
          expect(profile.between(from, from + first)).toBeGreaterThanOrEqual(0)
        },
      ),
    )
  })

  it('goes on with what was learnt before, and forgets it slowly', () => {
    const again = new ActivityProfile(businessHours().counts)
    expect(again.paceAt(MONDAY + 12 * HOUR)).toBeGreaterThan(2)
    const night = MONDAY + 60 * WEEK + 3 * HOUR
    for (let week = 0; week < 30; week += 1) again.learn(20, night + week * WEEK, night + week * WEEK + HOUR)
    expect(again.paceAt(night)).toBeGreaterThan(again.paceAt(night + 9 * HOUR))
  })

  it('learns no hour from a read that was long ago, or of a clock that was set back', () => {
    const profile = new ActivityProfile()
    profile.learn(1_000, MONDAY, MONDAY + 7 * HOUR)
    profile.learn(1_000, MONDAY, MONDAY - HOUR)
    expect(profile.paceAt(MONDAY + HOUR)).toBeCloseTo(1)
  })
})
