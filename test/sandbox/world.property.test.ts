import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SHIPMENT_STATUSES } from '../../src/model/shipment.ts'
import { createWorld } from '../../src/sandbox/world/world.ts'
import { at, DAY, everything, HOUR, objectsAt, START, textAt } from './spoken.ts'
import { AT_LENGTH, runs } from '../support/runs.ts'

const seeds = fc.string({ minLength: 1, maxLength: 8 })
const offsets = fc.integer({ min: 0, max: 90 * 24 * 60 }).map((minutes) => minutes * 60_000)

describe('the world', () => {
  it('is a function of seed, size, start and time: earlier questions change nothing', () => {
    fc.assert(
      fc.property(seeds, fc.array(offsets, { minLength: 2, maxLength: 6 }), (seed, times) => {
        const options = { seed, shipments: 6, startAt: START }
        const used = createWorld(options)
        for (const offset of times) {
          expect(everything(used, START + offset)).toEqual(everything(createWorld(options), START + offset))
        }
      }),
      runs(3),
    )
  })

  it('shows every change on time, though it renders only what has changed', () => {
    const options = { seed: 'steps', shipments: 8, startAt: START }
    const used = createWorld(options)
    for (let time = START; time < START + 20 * DAY; time += 7 * HOUR) {
      expect(everything(used, time)).toEqual(everything(createWorld(options), time))
    }
  })

  it('is another account with another seed', () => {
    const shipments = ['1', '2'].flatMap(
      (seed) => everything(createWorld({ seed, shipments: 20, startAt: START }), START).shipments,
    )
    expect(new Set(shipments.map((each) => each['platform_shipment_id'])).size).toBe(40)
  })

  it('has exactly the shipments asked for at the start, newest first, and more as time goes by', () => {
    const world = createWorld({ seed: '1', shipments: 40, startAt: START })
    const first = everything(world, START).shipments
    expect(first).toHaveLength(40)
    const created = first.map((each) => Date.parse(textAt(each, 'created_at')))
    expect(created).toEqual([...created].sort((a, b) => b - a))
    const later = everything(world, START + 10 * DAY).shipments
    expect(later.length).toBeGreaterThan(42)
    expect(later.slice(-40).map((each) => each['platform_shipment_id'])).toEqual(
      first.map((each) => each['platform_shipment_id']),
    )
  })

  it('has none where none are asked for', () => {
    const world = createWorld({ seed: '1', shipments: 0, startAt: START })
    expect(everything(world, START + 400 * DAY)).toEqual({ shipments: [], tracking: [], invoices: [] })
  })

  it('starts with shipments in every stage of life, and invoices too', () => {
    const { shipments, invoices } = everything(createWorld({ seed: '1', shipments: 100, startAt: START }), START)
    expect(new Set(shipments.map((each) => each['status']))).toEqual(new Set([...SHIPMENT_STATUSES, 'cancelled']))
    expect(new Set(shipments.map((each) => each['freight_mode']))).toEqual(new Set(['ocean', 'air', 'truck', 'rail']))
    const statuses = invoices.map((each) => each['status'])
    for (const status of ['available', 'due', 'paid']) expect(statuses).toContain(status)
  })

  it('changes about once a second with 40 shipments, 2000 times faster than real time', () => {
    const seconds = 100
    const seeds = ['1', '2']
    let changed = 0
    for (const seed of seeds) {
      const world = createWorld({ seed, shipments: 40, startAt: START })
      let before = texts(everything(world, START))
      for (let second = 1; second <= seconds; second += 1) {
        const after = texts(everything(world, START + second * 2_000_000))
        changed += [...after].filter(([record, text]) => before.get(record) !== text).length
        before = after
      }
    }
    expect(changed / seconds / seeds.length).toBeGreaterThan(0.5)
    expect(changed / seconds / seeds.length).toBeLessThan(3)
  })
})

/** Every record but the ships' positions, which move all the time. */
function texts({ shipments, tracking, invoices }: ReturnType<typeof everything>): ReadonlyMap<string, string> {
  const byId = shipments.map((each) => [textAt(each, 'platform_shipment_id'), each] as const)
  const steps = tracking.map(
    (each) => [`${textAt(each, 'platform_shipment_id')} tracking`, each?.['tracking_steps']] as const,
  )
  const bills = invoices.map((each) => [textAt(each, 'reference'), each] as const)
  return new Map([...byId, ...steps, ...bills].map(([record, value]) => [record, JSON.stringify(value)]))
}

describe('a life', () => {
  it('never goes back in status, and ends when it is cancelled', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const world = createWorld({ seed, shipments: 5, startAt: START })
        const reached = new Map<unknown, number>()
        for (let time = START - 50 * DAY; time < START + 60 * DAY; time += 6 * HOUR) {
          for (const shipment of everything(world, time).shipments) {
            const id = shipment['platform_shipment_id']
            const rank =
              shipment['status'] === 'cancelled'
                ? 99
                : SHIPMENT_STATUSES.findIndex((each) => each === shipment['status'])
            expect(rank).toBeGreaterThanOrEqual(reached.get(id) ?? 0)
            reached.set(id, rank)
          }
        }
      }),
      runs(2),
    )
  })

  it.runIf(AT_LENGTH)(
    'holds every kind of surprise: slips, problems, corrections, rolls, swaps, withdrawals, credit notes',
    () => {
      const world = createWorld({ seed: '1', shipments: 60, startAt: START })
      const seen = new Set<string>()
      let before = everything(world, START)
      for (let time = START + 4 * HOUR; time < START + 45 * DAY; time += 4 * HOUR) {
        const after = everything(world, time)
        const known = new Map(before.shipments.map((each) => [each['platform_shipment_id'], each]))
        for (const shipment of after.shipments) note(seen, known.get(shipment['platform_shipment_id']), shipment)
        const tracked = new Map(before.tracking.map((each) => [each?.['platform_shipment_id'], each]))
        for (const tracking of after.tracking) {
          const earlier = tracked.get(tracking?.['platform_shipment_id'])
          if (earlier !== undefined && actuals(earlier) > actuals(tracking)) seen.add('tracking withdrawn')
        }
        for (const invoice of after.invoices) seen.add(`${textAt(invoice, 'type')} ${textAt(invoice, 'status')}`)
        before = after
      }
      for (const expected of [
        'later',
        'earlier',
        'problem',
        'cleared',
        'actual',
        'corrected',
        'rolled',
        'sealed',
        'swapped',
        'cancelled',
        'weighed',
        'tracking withdrawn',
        'invoice new',
        'invoice available',
        'invoice due',
        'invoice partially_paid',
        'invoice paid',
        'invoice in_modification',
        'invoice litigious',
        'credit_note available',
      ]) {
        expect(seen).toContain(expected)
      }
    },
  )
})

type Shipment = Parameters<typeof at>[0]

function note(seen: Set<string>, before: Shipment, after: Shipment): void {
  if (before === undefined) return
  for (const date of ['pickup_date', 'departure_date', 'arrival_date', 'delivery_date']) {
    const [was, is] = [at(before, 'main_tracking_dates', date), at(after, 'main_tracking_dates', date)]
    const moved = Date.parse(textAt(is, 'date')) - Date.parse(textAt(was, 'date'))
    const [from, to] = [at(was, 'status'), at(is, 'status')]
    if (to === 'estimated' && moved > 0) seen.add('later')
    if (to === 'estimated' && moved < 0) seen.add('earlier')
    if (to === 'problem') seen.add('problem')
    if (from === 'problem' && to === 'estimated') seen.add('cleared')
    if (from === 'estimated' && to === 'actual') seen.add('actual')
    if (from === 'actual' && (to !== 'actual' || moved !== 0)) seen.add('corrected')
  }
  const voyage = (shipment: Shipment): unknown => at(shipment, 'booking_information', 'ocean_booking', 'voyage')
  if (typeof voyage(before) === 'string' && voyage(before) !== voyage(after)) seen.add('rolled')
  const boxes = (shipment: Shipment): readonly unknown[] =>
    objectsAt(shipment, 'cargo', 'containers').map((each) => each['container_number'])
  if (boxes(before).some((box) => !boxes(after).includes(box))) seen.add('swapped')
  if (objectsAt(after, 'cargo', 'containers').some((each) => each['seal_number'] !== null)) seen.add('sealed')
  if (at(before, 'cargo', 'total_weight', 'value') !== at(after, 'cargo', 'total_weight', 'value')) seen.add('weighed')
  if (at(after, 'status') === 'cancelled') seen.add('cancelled')
}

function actuals(tracking: Shipment): number {
  return objectsAt(tracking, 'tracking_steps')
    .flatMap((step) => objectsAt(step, 'events'))
    .filter((event) => event['status'] === 'actual').length
}
