import { assert, constantFrom, integer, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readPointAhead, readPointInTime } from '../../src/model/point-in-time.ts'
import { commonZone, formatInZone, readTimeZone } from '../../src/model/time-zone.ts'

const NOW = Date.parse('2026-11-28T12:00Z')

describe('readTimeZone', () => {
  test.each([
    ['Europe/Paris', 'Europe/Paris'],
    ['europe/paris', 'Europe/Paris'],
    [' Asia/Kolkata ', 'Asia/Kolkata'],
    ['Asia/Calcutta', 'Asia/Calcutta'],
    ['us/pacific', 'US/Pacific'],
    ['asia/kathmandu', 'Asia/Kathmandu'],
    ['utc', 'UTC'],
    ['+05:30', null],
    ['Mars/Olympus', null],
    ['', null],
    ['Europe/Paris\u0000', null],
  ])('%j is %j', (given, zone) => {
    expect(readTimeZone(given)).toBe(zone)
  })
})

test.each([
  [[], 'UTC'],
  [['Asia/Tokyo'], 'Asia/Tokyo'],
  [['Asia/Calcutta', 'asia/kolkata'], 'Asia/Calcutta'],
  [['Europe/Paris', 'Europe/Berlin'], 'UTC'],
])('the zone of %j is %s', (names, zone) => {
  expect(commonZone(names)).toBe(zone)
})

describe('formatInZone', () => {
  test.each([
    ['2026-12-12T10:00Z', 'Europe/Paris', '2026-12-12T11:00:00+01:00'],
    ['2026-12-12T23:30:00.120Z', 'Asia/Kathmandu', '2026-12-13T05:15:00.120+05:45'],
    ['2026-12-12T03:00Z', 'America/Los_Angeles', '2026-12-11T19:00:00-08:00'],
    ['2026-12-12T10:00Z', 'UTC', '2026-12-12T10:00:00+00:00'],
    // The last instant of winter, and the first of summer.
    ['2027-03-28T00:59:59Z', 'Europe/Paris', '2027-03-28T01:59:59+01:00'],
    ['2027-03-28T01:00Z', 'Europe/Paris', '2027-03-28T03:00:00+02:00'],
  ])('%s in %s', (at, zone, text) => {
    expect(formatInZone(Date.parse(at), zone)).toBe(text)
  })

  test('names the same instant, whatever was asked before', () => {
    const zones = ['Europe/Paris', 'America/St_Johns', 'Australia/Lord_Howe', 'Pacific/Apia', 'Asia/Kathmandu']
    assert(
      property(
        integer({ min: Date.parse('1990-01-01'), max: Date.parse('2040-01-01') }),
        constantFrom(...zones),
        (at, zone) => {
          expect(Date.parse(formatInZone(at, zone))).toBe(at)
        },
      ),
    )
  })
})

test.each([
  ['2026-11-21', 'Asia/Tokyo', '2026-11-20T15:00Z'],
  ['2026-11-21', 'UTC', '2026-11-21T00:00Z'],
  ['2026-11-21T08:30', 'America/New_York', '2026-11-21T13:30Z'],
  ['2026-11-21T08:30Z', 'America/New_York', '2026-11-21T08:30Z'],
  // Midnight is skipped there.
  ['2026-09-06', 'America/Santiago', '2026-09-06T04:00Z'],
  ['2027-03-28T02:30', 'Europe/Paris', '2027-03-28T01:30Z'],
  ['24h', 'Asia/Tokyo', '2026-11-27T12:00Z'],
])('%s in %s', (text, zone, at) => {
  expect(readPointInTime(text, NOW, zone)).toBe(Date.parse(at))
})

test.each(['740000d', '9999999d', '99999999d', '9007199254740991ms', '9999-12-31T23:59:59-12:00'])(
  '%s leads to no year that is written with four digits: it is no point in time',
  (text) => {
    const points = [readPointInTime(text, NOW), readPointAhead(text, NOW)].filter((at) => at !== null)
    expect(points.map((at) => new Date(at).toISOString()).filter((at) => !/^\d{4}-/.test(at) || at < '0100')).toEqual(
      [],
    )
    expect(points.length).toBeLessThan(2)
  },
)
