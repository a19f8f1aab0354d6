import { describe, expect, it } from 'vitest'
import { dayOf, daysBetween, isAfterDay, isCalendarDate, startOfDay } from '../../src/model/zoned-day.ts'

describe('the start of a day', () => {
  it.each([
    ['UTC', '2026-12-10', '2026-12-10T00:00Z'],
    ['Europe/Paris', '2026-12-10', '2026-12-09T23:00Z'],
    ['Europe/Paris', '2026-07-10', '2026-07-09T22:00Z'],
    ['Asia/Kolkata', '2026-12-10', '2026-12-09T18:30Z'],
    ['Asia/Kathmandu', '2026-12-10', '2026-12-09T18:15Z'],
    ['Pacific/Pago_Pago', '2026-12-10', '2026-12-10T11:00Z'],
    ['Pacific/Kiritimati', '2026-12-10', '2026-12-09T10:00Z'],
    ['Australia/Lord_Howe', '2026-12-10', '2026-12-09T13:00Z'],
    // Clocks go from 00:00 to 01:00: the day begins at one.
    ['Asia/Beirut', '2026-03-29', '2026-03-28T22:00Z'],
    ['America/Santiago', '2026-09-06', '2026-09-06T04:00Z'],
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00Z'],
    // Clocks go from 01:00 back to 00:00: midnight comes twice, the day begins with the first.
    ['America/Havana', '2026-11-01', '2026-11-01T04:00Z'],
    // Samoa skipped this day whole.
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00Z'],
    ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00Z'],
  ])('in %s, %s begins at %s', (zone, date, instant) => {
    expect(new Date(startOfDay(date, zone)).toISOString()).toBe(new Date(instant).toISOString())
  })

  it.each([
    ['Asia/Kathmandu', '2026-12-10'],
    ['Australia/Eucla', '2026-12-10'],
    ['America/Santiago', '2026-09-06'],
    ['Pacific/Apia', '2011-12-31'],
    ['Africa/Monrovia', '1971-05-01'],
    ['Pacific/Kiritimati', '1977-05-01'],
    ['+05:37', '2026-12-10'],
  ])('in %s, what is a millisecond before %s is another day, however often it is asked', (zone, date) => {
    const start = startOfDay(date, zone)
    const days = [start, start - 1, start + 1, start - 1].map((instant) => dayOf(instant, zone) === date)
    expect(days).toEqual([true, false, true, false])
  })

  it('counts calendar days, not hours, over a change of the clocks', () => {
    expect(startOfDay('2026-03-30', 'Europe/Paris', -1)).toBe(startOfDay('2026-03-29', 'Europe/Paris'))
    expect(startOfDay('2026-03-29', 'Europe/Paris', 1) - startOfDay('2026-03-29', 'Europe/Paris')).toBe(23 * 3_600_000)
    expect(startOfDay('2026-10-25', 'Europe/Paris', 1) - startOfDay('2026-10-25', 'Europe/Paris')).toBe(25 * 3_600_000)
  })
})

describe('the day of an instant', () => {
  it.each([
    ['Pacific/Pago_Pago', '2026-12-10T10:59:59Z', '2026-12-09'],
    ['Pacific/Pago_Pago', '2026-12-10T11:00:00Z', '2026-12-10'],
    ['Pacific/Kiritimati', '2026-12-10T09:59:59Z', '2026-12-10'],
    ['Pacific/Kiritimati', '2026-12-10T10:00:00Z', '2026-12-11'],
    ['America/Havana', '2026-11-01T05:30:00Z', '2026-11-01'],
    // A minute after midnight the clocks went back to the day before.
    ['America/St_Johns', '2010-11-07T02:30:30Z', '2010-11-07'],
    ['America/St_Johns', '2010-11-07T02:31:30Z', '2010-11-06'],
  ])('in %s, %s is on %s', (zone, instant, date) => {
    expect(dayOf(Date.parse(instant), zone)).toBe(date)
  })
})

describe('whether an instant is after a day', () => {
  it.each(['Pacific/Pago_Pago', 'UTC', 'Asia/Kathmandu', 'Pacific/Kiritimati'])(
    'is told as its date in %s tells it',
    (zone) => {
      const noon = Date.parse('2026-12-10T00:00:00Z')
      for (let quarters = -4 * 72; quarters <= 4 * 72; quarters += 1) {
        const instant = noon + quarters * 900_000
        expect(isAfterDay(instant, '2026-12-10', zone)).toBe(dayOf(instant, zone) > '2026-12-10')
      }
    },
  )
})

it('counts days between dates, also backwards and over a leap day', () => {
  expect(daysBetween('2028-02-28', '2028-03-01')).toBe(2)
  expect(daysBetween('2026-12-10', '2026-12-10')).toBe(0)
  expect(daysBetween('2026-12-10', '2026-12-01')).toBe(-9)
  expect(daysBetween('2025-12-31', '2026-12-31')).toBe(365)
})

it.each([
  '2026-02-30',
  '2026-13-01',
  '2026-00-10',
  '2025-02-29',
  '2026-1-1',
  '26-01-01',
  '2026-12-10T00:00Z',
  '',
  ' 2026-12-10',
])('%j is no calendar date', (text) => {
  expect(isCalendarDate(text)).toBe(false)
})

it.each(['2026-12-10', '2024-02-29', '0001-01-01', '9999-12-31'])('%s is a calendar date', (text) => {
  expect(isCalendarDate(text)).toBe(true)
})
