import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { latestDaily, nextDaily, type DailyTime } from '../../src/model/daily-time.ts'

const DAY = 86_400_000

function daily(time: string, timeZone: string): DailyTime {
  return { atMinutes: Number(time.slice(0, 2)) * 60 + Number(time.slice(3)), timeZone }
}

/** All hours in a span, as text. */
function hours(from: string, to: string, time: DailyTime): readonly string[] {
  const found: string[] = []
  for (let at = nextDaily(Date.parse(from) - 1, time); at < Date.parse(to); at = nextDaily(at, time)) {
    found.push(new Date(at).toISOString().slice(0, 16))
  }
  return found
}

/** Those of a day, the day before and the day after. */
function hoursAround(day: string, time: DailyTime): readonly string[] {
  const from = new Date(Date.parse(day) - DAY).toISOString()
  return hours(from, new Date(Date.parse(day) + 2 * DAY).toISOString(), time)
}

describe('the same time of day', () => {
  it.each([
    [
      'Paris, clocks forward',
      daily('08:00', 'Europe/Paris'),
      '2027-03-27',
      ['03-27T07:00', '03-28T06:00', '03-29T06:00'],
    ],
    ['Paris, clocks back', daily('08:00', 'Europe/Paris'), '2026-10-24', ['10-24T06:00', '10-25T07:00', '10-26T07:00']],
    [
      'New York, clocks forward',
      daily('07:30', 'America/New_York'),
      '2027-03-13',
      ['03-13T12:30', '03-14T11:30', '03-15T11:30'],
    ],
    [
      'Kolkata, which has no summer time',
      daily('09:00', 'Asia/Kolkata'),
      '2027-03-27',
      ['03-27T03:30', '03-28T03:30', '03-29T03:30'],
    ],
  ])('%s', (_, ...[time, from, expected]) => {
    const to = new Date(Date.parse(from) + 3 * DAY).toISOString()
    expect(hours(from, to, time).map((at) => at.slice(5))).toEqual(expected)
  })
})

describe('a time that the clocks skip comes as much later, once', () => {
  it.each([
    ['Paris', daily('02:30', 'Europe/Paris'), '2027-03-28', '2027-03-28T01:30'],
    ['New York', daily('02:30', 'America/New_York'), '2027-03-14', '2027-03-14T07:30'],
    ['Santiago, where midnight is skipped', daily('00:00', 'America/Santiago'), '2027-09-05', '2027-09-05T04:00'],
    ['Lord Howe, by half an hour', daily('02:15', 'Australia/Lord_Howe'), '2027-10-02', '2027-10-02T15:45'],
  ])('%s', (_, ...[time, day, expected]) => {
    const found = hoursAround(day, time)
    expect(found).toHaveLength(3)
    expect(found).toContain(expected)
  })
})

describe('a time that the clocks show twice counts once, the first time', () => {
  it.each([
    ['Paris', daily('02:30', 'Europe/Paris'), '2026-10-25', '2026-10-25T00:30'],
    ['New York', daily('01:30', 'America/New_York'), '2026-11-01', '2026-11-01T05:30'],
    ['Lord Howe, by half an hour', daily('01:45', 'Australia/Lord_Howe'), '2027-04-03', '2027-04-03T14:45'],
  ])('%s', (_, ...[time, day, expected]) => {
    const found = hoursAround(day, time)
    expect(found).toHaveLength(3)
    expect(found).toContain(expected)
  })
})

it('a day that a zone skipped has no hour of its own', () => {
  const found = hours('2011-12-28', '2012-01-02', daily('08:00', 'Pacific/Apia'))
  expect(found).toEqual([
    '2011-12-28T18:00',
    '2011-12-29T18:00',
    '2011-12-30T18:00',
    '2011-12-31T18:00',
    '2012-01-01T18:00',
  ])
})

it('now lies between the latest hour and the next, which are a day apart but for what the clocks moved', () => {
  const zones = [
    'Europe/Paris',
    'America/New_York',
    'Asia/Kolkata',
    'Pacific/Apia',
    'Australia/Lord_Howe',
    'America/Santiago',
  ]
  const instants = fc.integer({ min: Date.UTC(2010, 0), max: Date.UTC(2035, 0) })
  fc.assert(
    fc.property(instants, fc.integer({ min: 0, max: 1_439 }), fc.constantFrom(...zones), (now, atMinutes, timeZone) => {
      const [latest, next] = [latestDaily(now, { atMinutes, timeZone }), nextDaily(now, { atMinutes, timeZone })]
      expect(latest).toBeLessThanOrEqual(now)
      expect(next).toBeGreaterThan(now)
      expect(nextDaily(latest, { atMinutes, timeZone })).toBe(next)
      expect(latestDaily(next, { atMinutes, timeZone })).toBe(next)
      expect(Math.abs(next - latest - DAY)).toBeLessThanOrEqual(2 * 3_600_000)
    }),
    { numRuns: 300 },
  )
})
