import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { NOTHING_TOLD, orderTruth, tell, type Told } from '../../support/order-oracle.ts'
import { runs } from '../../support/runs.ts'
import { Looks, order, reported, type Shipment } from './orders.ts'

const IDS = ['A', 'B', 'C', 'D', 'E']
const DATES = [
  '2026-12-17T10:00:00Z',
  '2026-12-18T23:30:00Z',
  '2026-12-19T12:00:00+02:00',
  '2026-12-25T00:00:00Z',
  null,
]
const date = fc.option(
  fc.tuple(fc.constantFrom(...DATES), fc.constantFrom('planned', 'estimated', 'actual', 'problem')),
  { nil: undefined },
)

const shipment = fc.record({
  delivery: date,
  arrival: date,
  status: fc.constantFrom('booked', 'in_progress', 'finished', 'cancelled'),
  isGone: fc.boolean(),
})

const line = fc.record({
  ordered: fc.constantFrom(10, '10', 20, null, 0),
  on: fc.dictionary(fc.constantFrom(...IDS), fc.constantFrom(0, 5, '10', 20), { maxKeys: 3 }),
})

const moment = fc.record({
  lines: fc.array(line, { maxLength: 3 }),
  desired: fc.constantFrom('2026-12-18', '2026-12-19', null),
  shipments: fc.dictionary(fc.constantFrom(...IDS), shipment, { maxKeys: 5 }),
  isGone: fc.constantFrom(false, false, false, false, true),
})

test('whatever an order and its shipments come to, what is told of it is the difference to what was told', () => {
  const zones = fc.constantFrom('UTC', 'Europe/Paris', 'America/Los_Angeles')
  fc.assert(
    fc.property(fc.array(moment, { minLength: 1, maxLength: 8 }), fc.boolean(), zones, (moments, isNew, timeZone) => {
      const looks = new Looks(timeZone)
      let told: Told | null = isNew ? NOTHING_TOLD : null
      moments.forEach(({ desired, isGone, lines, shipments: all }) => {
        const known = Object.entries(all).map(([id, each]): [string, Shipment] => [id, of(each)])
        const shipments = Object.fromEntries(known)
        const records = reported(shipments)
        const record = order(lines, desired)
        const seen = (id: string) =>
          records.get(id)?.removedAt == null ? (records.get(id)?.reported ?? undefined) : 'gone'
        const types = looks.types(record, shipments, { isNew: told === NOTHING_TOLD, ...(isGone && { isGone }) })
        if (isGone) {
          told = null
          expect(types).toEqual([])
          return
        }
        const next = tell(told ?? NOTHING_TOLD, orderTruth(record, seen, timeZone))
        expect(types).toEqual(told === null ? [] : next.types)
        told = next.told
        expect(looks.types(record, shipments)).toEqual([])
      })
    }),
    runs(300),
  )
})

function of({
  arrival,
  delivery,
  isGone,
  status,
}: typeof shipment extends fc.Arbitrary<infer S> ? S : never): Shipment {
  return { status, ...(arrival && { arrival }), ...(delivery && { delivery }), ...(isGone && { isGone }) }
}
