import { describe, expect, it } from 'vitest'
import { parsePointInTime } from '../../src/cli/options.ts'

const NOW = Date.UTC(2026, 10, 21, 8)

describe('T of the command line', () => {
  it.each([
    ['2026-11-20T07:30:00Z', Date.UTC(2026, 10, 20, 7, 30)],
    ['2026-11-20T07:30:00.500+02:00', Date.UTC(2026, 10, 20, 5, 30, 0, 500)],
    ['2026-11-20T07:30', Date.UTC(2026, 10, 20, 7, 30)],
    ['2026-11-20', Date.UTC(2026, 10, 20)],
    ['24h', NOW - 86_400_000],
    ['1h30m', NOW - 5_400_000],
    ['0s', NOW],
  ])('%s', (text, expected) => {
    expect(parsePointInTime(text, NOW)).toBe(expected)
  })

  it.each(['', 'yesterday', '2026-02-30', '2026-11-20T25:00Z', '24', '-1h', '20261120'])('%j is refused', (text) => {
    expect(() => parsePointInTime(text, NOW)).toThrow(/is not a time: give an ISO date-time, a date or a duration/)
  })
})
