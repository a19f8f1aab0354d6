import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arrivalWindow, LEAST_ARRIVALS, type PastArrival } from '../../src/report/arrival-window.ts'

const DAY = 86_400_000
const NOW = 1_000 * DAY
const LEAD = 30 * DAY
const TOLD = { at: NOW, date: NOW + LEAD }

/** Told 60 days ahead, recorded as it arrived, the given days before now; so many days late. */
function arrival(lateDays: number, recordedDaysAgo = 1): PastArrival {
  const arrivedAt = NOW - recordedDaysAgo * DAY
  const date = arrivedAt - lateDays * DAY
  return { told: [{ date, at: date - 60 * DAY }], arrivedAt, recordedAt: arrivedAt }
}

function times<T>(amount: number, of: (place: number) => T): readonly T[] {
  return Array.from({ length: amount }, (_, place) => of(place))
}

function lateDays(arrivals: readonly PastArrival[]): unknown {
  const { n, window } = arrivalWindow(TOLD, arrivals)
  return window === null ? [n, null] : [n, (window.from - TOLD.date) / DAY, (window.to - TOLD.date) / DAY]
}

describe('how late the window says that a shipment may be', () => {
  it.each<[string, readonly PastArrival[], readonly (number | null)[]]>([
    ['nothing of nothing', [], [0, null]],
    ['nothing of one too few', times(LEAST_ARRIVALS - 1, () => arrival(0)), [19, null]],
    ['one instant where all came as told', times(20, () => arrival(0)), [20, 0, 0]],
    ['all but the two outermost of 20', times(20, (place) => arrival(place)), [20, 1, 18]],
    ['all but the three outermost on each side of 29', times(29, (place) => arrival(place)), [29, 2, 26]],
    ['before the date where they came early', times(20, (place) => arrival(place - 25)), [20, -24, -7]],
    ['what 200 say who were recorded last', times(300, (place) => arrival(place < 200 ? 1 : 9)), [200, 1, 1]],
    [
      'nothing of those recorded more than a year ago where the newer ones are enough',
      [...times(20, () => arrival(1)), ...times(50, () => arrival(9, 366))],
      [20, 1, 1],
    ],
    [
      'and of as many of those as are needed where the newer ones are too few',
      [...times(10, () => arrival(1)), ...times(50, () => arrival(9, 366))],
      [20, 1, 9],
    ],
  ])('%s', (_, arrivals, expected) => {
    expect(lateDays(arrivals)).toEqual(expected)
  })
})

describe('an arrival counts by the date that was told when that was as far away', () => {
  const due = NOW - 100 * DAY
  const once = { told: [{ date: due, at: due - 60 * DAY }], arrivedAt: due + DAY, recordedAt: due + 3 * DAY }
  const first = { date: due, at: due - 60 * DAY }
  it.each<[string, PastArrival, { readonly lead: number; readonly late: number | null }]>([
    ['which is the only one', once, { lead: 30, late: 1 }],
    ['on its first day', once, { lead: 60, late: 1 }],
    ['and not before the first day', once, { lead: 61, late: null }],
    ['on its last day', once, { lead: 1, late: 1 }],
    [
      'before it moved',
      { ...once, told: [first, { date: due + 10 * DAY, at: due - 20 * DAY }] },
      { lead: 30, late: 1 },
    ],
    [
      'after it moved',
      { ...once, told: [first, { date: due + 10 * DAY, at: due - 40 * DAY }] },
      { lead: 30, late: -9 },
    ],
    [
      'and not where it leapt over that',
      { ...once, told: [first, { date: due - 20 * DAY, at: due - 40 * DAY }] },
      { lead: 30, late: null },
    ],
    ['the first time', { ...once, told: [first, { date: due + 10 * DAY, at: due - 25 * DAY }] }, { lead: 30, late: 1 }],
    ['and not where none was told', { ...once, told: [] }, { lead: 30, late: null }],
    [
      'and not where it came so early that it was known',
      { ...once, recordedAt: due - 30 * DAY },
      { lead: 30, late: null },
    ],
  ])('%s', (_, past, { late, lead }) => {
    const date = NOW + lead * DAY
    const { n, window } = arrivalWindow(
      { at: NOW, date },
      times(20, () => past),
    )
    expect({ n, days: window && (window.from - date) / DAY }).toEqual({ n: late === null ? 0 : 20, days: late })
  })
})

it.each([0, -5])('a shipment that is due in %i days gets no window', (leadDays) => {
  const past = times(20, (place) => arrival(place + 10))
  expect(arrivalWindow({ at: NOW, date: NOW + leadDays * DAY }, past)).toEqual({ n: 20, window: null })
})

it('of arrivals that are alike, whichever is the next one, a tenth at most comes before its window and a tenth behind', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -29, max: 60 }), { minLength: 21, maxLength: 201 }), (drifts) => {
      const outcomes = drifts.map((drift, place) => {
        const { window } = arrivalWindow(
          TOLD,
          drifts.toSpliced(place, 1).map((late) => arrival(late)),
        )
        const late = TOLD.date + drift * DAY
        return window === null ? 'silent' : late < window.from ? 'before' : late > window.to ? 'behind' : 'within'
      })
      expect(outcomes).not.toContain('silent')
      for (const side of ['before', 'behind']) {
        expect(outcomes.filter((outcome) => outcome === side).length).toBeLessThanOrEqual(drifts.length / 10)
      }
    }),
    { numRuns: 20 },
  )
})
