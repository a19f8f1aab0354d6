import { describe, expect, test } from 'vitest'
import { AnswerAges } from '../../src/platform/requester.ts'

const SECOND = 1_000
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const START = Date.UTC(2026, 10, 21, 8)

/** Answers that take a tenth of a second each, asked for so long after the start. */
function ages(): (afterMs: number, headers: Record<string, string>) => number {
  const ages = new AnswerAges()
  return (afterMs, headers) => {
    const sentAt = START + afterMs
    return ages.ageMs(headers, { sentAt, answeredAt: sentAt + 100 })
  }
}

/** What a clock shows that is wrong by `skewMs`. */
function date(afterMs: number, skewMs = 0) {
  return { date: new Date(START + afterMs + skewMs).toUTCString() }
}

describe('the age of an answer', () => {
  test.each([
    ['0', 0],
    ['30', 30 * SECOND],
    [' 7 ', 7 * SECOND],
    ['9999999999', 24 * HOUR],
    ['-5', 0],
    ['1.5', 0],
    ['soon', 0],
    ['', 0],
    ['12345678901', 0],
  ])('is what Age says: %j', (age, ms) => {
    expect(ages()(0, { age })).toBe(ms)
  })

  test('shows in the Date of a copy that has none', () => {
    const ageOf = ages()
    expect(ageOf(0, date(0))).toBe(0)
    expect(ageOf(10 * MINUTE, date(10 * MINUTE))).toBe(0)
    expect(ageOf(12 * MINUTE, date(5 * MINUTE))).toBeCloseTo(7 * MINUTE, -3)
    expect(ageOf(14 * MINUTE, date(14 * MINUTE))).toBe(0)
  })

  test.each([[-9 * HOUR], [-40 * MINUTE], [3 * HOUR], [400 * 24 * HOUR]])(
    'is told by a clock that is wrong by %i ms as well as by one that is right',
    (skew) => {
      const ageOf = ages()
      for (let minute = 0; minute < 100; minute += 1) {
        expect(ageOf(minute * MINUTE, date(minute * MINUTE, skew))).toBe(0)
      }
      expect(ageOf(101 * MINUTE, date(90 * MINUTE, skew))).toBeCloseTo(11 * MINUTE, -4)
    },
  )

  test('is not told by a clock that stands still, nor by what is no date', () => {
    const ageOf = ages()
    for (let hour = 0; hour < 100; hour += 1) {
      expect(ageOf(hour * HOUR, date(0))).toBe(0)
      expect(ageOf(hour * HOUR, { date: 'yesterday' })).toBe(0)
      expect(ageOf(hour * HOUR, {})).toBe(0)
    }
  })

  test('is none where a Date is rounded, or two answers were asked for at once', () => {
    const ageOf = ages()
    expect(ageOf(5 * SECOND, date(5 * SECOND))).toBe(0)
    expect(ageOf(6 * SECOND, date(4 * SECOND))).toBe(0)
    expect(ageOf(5 * SECOND, date(-5 * MINUTE))).toBe(0)
  })

  test('is bounded where the clocks of two machines that answer in turns differ', () => {
    const ageOf = ages()
    expect(ageOf(0, date(0, 24 * HOUR))).toBe(0)
    expect(ageOf(MINUTE, date(MINUTE))).toBe(HOUR)
  })

  test.each([[-30 * SECOND], [-14 * MINUTE], [-3 * HOUR]])(
    'is none again after a few answers where the platform’s clock falls back by %i ms',
    (by) => {
      const ageOf = ages()
      expect(ageOf(0, date(0))).toBe(0)
      const found = [1, 2, 3, 4, 5, 6].map((nth) => ageOf(nth * 20 * SECOND, date(nth * 20 * SECOND, by)))
      expect(found.slice(3)).toEqual([0, 0, 0])
    },
  )

  test('stays what it is for copies that are shown again and again, and for those of one pass', () => {
    const ageOf = ages()
    for (let page = 0; page < 10; page += 1) expect(ageOf(page * 400, date(page * 400))).toBe(0)
    for (let again = 1; again < 10; again += 1) expect(ageOf(again * MINUTE, date(0))).toBeCloseTo(again * MINUTE, -4)
    const other = ages()
    for (let page = 0; page < 10; page += 1) other(page * 400, date(page * 400))
    for (let page = 0; page < 7; page += 1)
      expect(other(MINUTE + page * 400, date(page * 400))).toBeGreaterThan(50 * SECOND)
  })

  test('is none again soon after the platform’s clock was set back', () => {
    const ageOf = ages()
    expect(ageOf(0, date(0, 24 * HOUR))).toBe(0)
    const after = Array.from({ length: 30 }, (_, nth) => ageOf((nth + 1) * MINUTE, date((nth + 1) * MINUTE)))
    expect(after.slice(0, 3)).toEqual(Array(3).fill(HOUR))
    expect(after.slice(3)).toEqual(Array(27).fill(0))
  })
})
