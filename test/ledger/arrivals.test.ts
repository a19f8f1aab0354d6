import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { arrivalChanges, type ArrivalSum, type KnownArrival, sumAfter } from '../../src/ledger/arrival-changes.ts'
import {
  arrivalOf,
  countedArrival,
  type CountedArrival,
  packed,
  reliabilityOf,
  unpacked,
} from '../../src/ledger/arrivals.ts'
import { COUNTED_MS } from '../../src/model/reliability.ts'
import type { DateRow } from '../../src/ledger/dates.ts'
import { formatInstant } from '../../src/model/instant.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { T } from '../store/samples.ts'
import { runs } from '../support/runs.ts'

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]

/** The values that a date had: days behind `T`, and hours behind it at which each was told; null: it was learnt in silence. */
type Values = readonly (readonly [status: string, day: number, toldAt: number | null])[]

function rowsOf(values: Values): readonly DateRow[] {
  return values
    .map(([status, days, toldAt], nth) => ({
      place: nth + 1,
      date: formatInstant(T + days * DAY),
      status,
      seenAt: toldAt === null ? null : T + toldAt * HOUR - 1,
      toldAt: toldAt === null ? null : T + toldAt * HOUR,
      eventId: null,
    }))
    .toReversed()
}

function shipment([status, days]: Readonly<Values[number]>, more: JsonObject = {}): JsonObject {
  const arrival_date = { date: formatInstant(T + days * DAY), status }
  const route = { origin_port_unlocode: 'CNSHA', destination_port_unlocode: 'NLRTM' }
  return { main_tracking_dates: { arrival_date }, booking_information: { carrier: ' Evergreen ' }, route, ...more }
}

function arrived(values: Values, more?: JsonObject) {
  const last = values.at(-1) ?? ['estimated', 0, null]
  return arrivalOf({ memory: {}, reported: shipment(last, more) }, rowsOf(values))
}

/** A date as it went: `e3@1` is day 3, estimated, told in hour 1; without `@` it was learnt in silence. */
function went(text: string): Values {
  const names: Readonly<Record<string, string>> = { p: 'planned', e: 'estimated', a: 'actual', x: 'problem' }
  return text.split(' ').map((each) => {
    const [day = '', hour] = each.slice(1).split('@')
    return [names[each.charAt(0)] ?? '', Number(day), hour === undefined ? null : Number(hour)]
  })
}

test.each([
  { name: 'an arrival without a date before it', values: 'a3@1', told: null, on: 0 },
  { name: 'a shipment that is under way', values: 'e3@1 e4@2', told: null, on: 0 },
  { name: 'what was told first and last', values: 'p3@1 e5@2 e4@3 a6@4', told: [3, 5, 4], on: 6 },
  { name: 'what was learnt in silence is not told', values: 'e3 e5@2 a6@4', told: [5], on: 6 },
  { name: 'nothing but silence', values: 'e3 a6@4', told: null, on: 0 },
  { name: 'an actual that nobody was told of', values: 'e3@1 a6', told: [3], on: 6 },
  { name: 'a corrected actual', values: 'e3@1 a6@4 a5@5', told: [3], on: 5 },
  { name: 'an actual that was taken back', values: 'e3@1 a6@4 e8@5', told: null, on: 0 },
  { name: 'one that came after it was taken back', values: 'e3@1 a6@4 e8@5 a9@6', told: [3, 8], on: 9 },
  { name: 'a problem on the way is told as well', values: 'e3@1 x4@2 a6@4', told: [3, 4], on: 6 },
])('$name', ({ on, told, values }) => {
  const arrival = arrived(went(values))
  expect(arrival?.told.map(({ date }) => (date - T) / DAY) ?? null).toEqual(told)
  expect(((arrival?.arrivedAt ?? T) - T) / DAY).toBe(on)
})

test('an arrival is known since the first of its actuals, and named by its carrier and lane', () => {
  const recordedAt = T + 150 * HOUR - 1
  expect(arrived(went('e3@1 a6@150 a5@160'))).toMatchObject({ carrier: 'Evergreen', lane: 'CNSHA-NLRTM', recordedAt })
  const silent = arrived(went('e3@1 a6'), { booking_information: null, route: {} })
  expect(silent).toMatchObject({ carrier: '', lane: '', recordedAt: T + 6 * DAY })
})

test('of a date that moved all the time the first and the newest values are kept', () => {
  const values = Array.from({ length: 300 }, (_, nth) => ['estimated', nth, nth] as const)
  const told = arrived([...values, ['actual', 301, 301]])?.told ?? []
  expect(told).toHaveLength(100)
  expect([told[0], told[1], told.at(-1)].map((each) => ((each?.date ?? 0) - T) / DAY)).toEqual([0, 201, 299])
})

function known(shipmentId: string, drift: number, more: Partial<KnownArrival> = {}): KnownArrival {
  const told = [{ date: T, at: T - 30 * DAY }]
  const arrival = { carrier: 'A', lane: 'CNSHA-NLRTM', arrivedAt: T + drift * MINUTE, recordedAt: T + drift * MINUTE }
  return { shipment: shipmentId, ...arrival, told, ...more }
}

test('within a day is within 24 hours, on either side, and not a minute more', () => {
  const near = [0, 1_440, -1_440, 1_441, -1_441].map((drift) => countedArrival(known('S', drift)).isNearFirst)
  expect(near).toEqual([true, true, true, false, false])
  const told = [
    { date: T - 3 * DAY, at: 1 },
    { date: T, at: 2 },
  ]
  expect(countedArrival(known('S', 60, { told }))).toMatchObject({
    isNearFirst: false,
    isNearLast: true,
    driftMinutes: 4_380,
  })
})

test('the median of an even number is the mean of the two in the middle', () => {
  const sums = [[30, 10], [-5, 1_500], []].map((drifts, nth) => ({
    key: nth === 2 ? 'none' : 'A',
    arrivals: packed(drifts.map((drift) => countedArrival(known('S', drift)))),
  }))
  expect(reliabilityOf(sums, T - DAY)).toEqual([{ key: 'A', n: 4, nearFirst: 3, nearLast: 3, medianDriftMinutes: 20 }])
  expect(reliabilityOf(sums, T + 1_000 * MINUTE)).toEqual([
    { key: 'A', n: 1, nearFirst: 0, nearLast: 0, medianDriftMinutes: 1_500 },
  ])
})

test('what is looked at again and is as it was changes nothing', () => {
  const arrival = known('S', 5)
  const { shipment: id, ...found } = arrival
  expect(arrivalChanges([arrival], [{ shipment: id, arrival: found }])).toEqual({ gone: [], saved: [], moves: [] })
})

const arrivals = fc.record({
  shipment: fc.constantFrom('S1', 'S2', 'S3'),
  carrier: fc.constantFrom('A', 'B', ''),
  lane: fc.constantFrom('CNSHA-NLRTM', 'CNNGB-FRFOS', ''),
  drift: fc.integer({ min: -3_000, max: 3_000 }),
  old: fc.constantFrom(0, 0, 0, 200),
  isGone: fc.boolean(),
})

test('sums are those of the arrivals that there are', () => {
  const property = fc.property(fc.array(fc.array(arrivals, { maxLength: 3 }), { maxLength: 12 }), (steps) => {
    const table = new Map<string, KnownArrival>()
    const sums = new Map<string, ArrivalSum>()
    for (const step of steps) {
      const found = [...new Map(step.map((each) => [each.shipment, each])).values()].map(
        ({ carrier, drift, isGone, lane, old, shipment: id }) => {
          const at = T - old * DAY
          const { shipment: _, ...arrival } = known(id, drift, { carrier, lane, arrivedAt: at + drift * MINUTE })
          return { shipment: id, arrival: isGone ? null : arrival }
        },
      )
      const { gone, moves, saved } = arrivalChanges([...table.values()], found)
      for (const id of gone) table.delete(id)
      for (const each of saved) table.set(each.shipment, each)
      for (const move of moves) {
        const name = JSON.stringify([move.carrier, move.lane])
        sums.set(name, sumAfter(sums.get(name)?.arrivals, move, T))
      }
    }
    const counted = [...sums.values()].flatMap((sum) =>
      unpacked(sum.arrivals).map((each) => ({ ...each, of: sum.carrier + sum.lane })),
    )
    const wanted = [...table.values()]
      .filter(({ arrivedAt }) => arrivedAt > T - COUNTED_MS)
      .map((each) => ({ ...countedArrival(each), of: each.carrier + each.lane }))
    expect(sorted(counted)).toEqual(sorted(wanted))
  })
  fc.assert(property, runs(100))
})

function sorted(rows: readonly (CountedArrival & { readonly of: string })[]): readonly string[] {
  return rows
    .map(({ driftMinutes, isNearFirst, isNearLast, minute, of }) =>
      JSON.stringify([of, minute, driftMinutes, isNearFirst, isNearLast]),
    )
    .toSorted()
}
