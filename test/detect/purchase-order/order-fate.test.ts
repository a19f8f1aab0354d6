import { describe, expect, test } from 'vitest'
import { Looks, order, type Shipments } from './orders.ts'

const HALF = [{ ordered: 10, on: { A: 5, B: 5 } }]
const [EARLY, LATE] = ['2026-12-10T10:00:00Z', '2026-12-20T10:00:00Z']
const EST = 'estimated'

function at(date: string): Shipments {
  return { A: { delivery: [date, EST] }, B: { arrival: [EARLY, EST] } }
}

function expectedOf(shipments: Shipments, lines = HALF) {
  return new Looks().look(order(lines), shipments).fate
}

describe('the expected delivery', () => {
  test.each([
    [
      'the latest delivery',
      { A: { delivery: [EARLY, EST] }, B: { delivery: [LATE, 'planned'] } },
      { shipmentId: 'B', basis: 'delivery', date: LATE },
    ],
    [
      'else the arrival',
      { A: { arrival: [LATE, EST] }, B: { delivery: [EARLY, EST] } },
      { shipmentId: 'A', basis: 'arrival', date: LATE },
    ],
    [
      'not the arrival beside a delivery',
      { A: { delivery: [EARLY, EST], arrival: [LATE, EST] } },
      { shipmentId: 'A', basis: 'delivery', date: EARLY },
    ],
    [
      'an arrival where the delivery has no date',
      { A: { delivery: [null, EST], arrival: [LATE, EST] } },
      { shipmentId: 'A', basis: 'arrival', date: LATE },
    ],
    [
      'of equal dates the smallest id',
      { B: { delivery: [LATE, EST] }, A: { delivery: ['2026-12-20T11:00:00+01:00', EST] } },
      { shipmentId: 'A', basis: 'delivery', date: '2026-12-20T11:00:00+01:00' },
    ],
    [
      'none that is cancelled',
      { A: { delivery: [EARLY, EST] }, B: { delivery: [LATE, EST], status: 'cancelled' } },
      { shipmentId: 'A', basis: 'delivery', date: EARLY },
    ],
    [
      'none that is removed',
      { A: { delivery: [EARLY, EST] }, B: { delivery: [LATE, EST], isGone: true } },
      { shipmentId: 'A', basis: 'delivery', date: EARLY },
    ],
  ] as const)('is %s', (_, shipments: Shipments, expected) => {
    expect(expectedOf(shipments)?.expected).toMatchObject(expected)
  })

  test('is null while none has a date, and names those without one, known or not', () => {
    const fate = expectedOf({ A: { delivery: [null, EST] } })
    expect(fate).toMatchObject({ expected: null, unknown: ['A', 'B'] })
    const some = expectedOf({ A: { delivery: [EARLY, EST] }, B: { status: 'cancelled' } })
    expect(some).toMatchObject({ unknown: [], uncounted: ['B'] })
  })

  test('tells how it moved, and of all shipments that count', () => {
    const looks = new Looks()
    looks.look(order(HALF), { A: { delivery: [EARLY, EST] } })
    const [event] = looks.look(order(HALF), { A: { delivery: [EARLY, EST] }, B: { delivery: [LATE, EST] } }).events
    const expected = { status: EST, basis: 'delivery' }
    expect(event).toMatchObject({
      type: 'purchase_order.eta_changed',
      cause: 'derived',
      observed: null,
      changes: null,
      timestamp: 100,
      extras: {
        from: { ...expected, date: EARLY, shipment_id: 'A' },
        to: { ...expected, date: LATE, shipment_id: 'B' },
        shift_minutes: 14_400,
        unknown: [],
        shipments: ['A', 'B'],
        because: null,
        order_status: { slack_days: -2, desired_delivery_date: '2026-12-18', assigned_share: 1 },
      },
    })
  })

  test.each([
    ['another status', { A: { delivery: [EARLY, 'actual'] } }, ['eta_changed']],
    ['another writing of the instant', { A: { delivery: ['2026-12-10T11:00:00+01:00', EST] } }, []],
    ['the same date of another field', { A: { arrival: [EARLY, EST] } }, []],
    ['none any more', {}, ['eta_changed']],
  ] as const)('with %s', (_, shipments: Shipments, types) => {
    const looks = new Looks()
    looks.look(order(HALF), { A: { delivery: [EARLY, EST] } })
    expect(looks.types(order(HALF), shipments)).toEqual(types)
    expect(looks.types(order(HALF), shipments)).toEqual([])
  })
})

describe('what an order is at', () => {
  test('is learnt in silence at the first look, and told where the order is new', () => {
    const late = { A: { delivery: [LATE, EST] }, B: { delivery: [EARLY, 'actual'] } } as const
    const silent = new Looks().look(order(HALF), late)
    expect(silent).toMatchObject({ events: [], isQuietlyAtRisk: true, fate: { atRisk: true, fullyAssigned: true } })
    const told = new Looks()
    expect(told.types(order(HALF), late, { isNew: true })).toEqual([
      'eta_changed',
      'fully_assigned',
      'delivery_at_risk',
    ])
    expect(new Looks().look(order([]), {}, { isNew: true }).events).toEqual([])
  })

  test('begins anew where the order was gone: what it returns with is silent', () => {
    const looks = new Looks()
    looks.look(order(HALF), { A: { delivery: [EARLY, EST] } })
    const gone = looks.look(order(HALF), {}, { isGone: true })
    expect(gone).toMatchObject({ events: [], fate: null })
    expect(gone.state.memory.fate).toBeUndefined()
    expect(looks.look(order(HALF), { A: { delivery: [LATE, EST] } })).toMatchObject({
      events: [],
      isQuietlyAtRisk: true,
    })
  })

  test('is at risk from the day after the desired one, by the days of the zone, and back', () => {
    const [zone, utc] = [new Looks('Europe/Paris'), new Looks()]
    for (const looks of [zone, utc]) looks.look(order(HALF), at(EARLY))
    expect(utc.types(order(HALF), at('2026-12-18T23:30:00Z'))).toEqual(['eta_changed'])
    const { events } = zone.look(order(HALF), at('2026-12-18T23:30:00Z'))
    expect(events.map(({ type }) => type)).toEqual(['purchase_order.eta_changed', 'purchase_order.delivery_at_risk'])
    expect(events[1]?.extras).toMatchObject({ slack_days: -1, to: { date: '2026-12-18T23:30:00Z' } })
    expect(zone.types(order(HALF, '2026-12-19'), at('2026-12-18T23:30:00Z'))).toEqual(['delivery_back_on_track'])
  })

  test('stays at risk while the expected or the desired date is not known, and is judged again after', () => {
    const looks = new Looks()
    const late = { A: { delivery: [LATE, EST] } } as const
    looks.look(order(HALF), { A: { delivery: [EARLY, EST] } })
    expect(looks.types(order(HALF), late)).toContain('delivery_at_risk')
    expect(looks.types(order(HALF, null), late)).toEqual([])
    expect(looks.types(order(HALF, null), {})).toEqual(['eta_changed'])
    expect(looks.types(order(HALF), {})).toEqual([])
    expect(looks.types(order(HALF), late)).toEqual(['eta_changed'])
    expect(looks.types(order(HALF, '2027-01-01'), late)).toEqual(['delivery_back_on_track'])
  })

  test('is no longer judged late once all is delivered', () => {
    const looks = new Looks()
    looks.look(order(HALF), { A: { delivery: [EARLY, 'actual'] }, B: { delivery: [EARLY, EST] } })
    const delivered = { A: { delivery: [EARLY, 'actual'] }, B: { delivery: [LATE, 'actual'] } } as const
    const { events } = looks.look(order(HALF), delivered)
    expect(events.map(({ type }) => type)).toEqual(['purchase_order.eta_changed', 'purchase_order.delivered'])
    expect(events[1]?.extras).toMatchObject({ date: LATE })
    expect(looks.types(order(HALF), { ...delivered, B: { delivery: [LATE, EST] } })).toEqual([
      'eta_changed',
      'delivery_at_risk',
    ])
    expect(looks.types(order(HALF), delivered)).toEqual(['eta_changed', 'delivered'])
  })

  test.each([
    ['without lines', [], { fullyAssigned: false, share: null }],
    [
      'with a line without a quantity',
      [...HALF, { ordered: null, on: { A: 3 } }],
      { fullyAssigned: false, share: 0.5 },
    ],
    ['with less than was ordered', [{ ordered: 10, on: { A: 5, C: 4 } }], { fullyAssigned: false, share: 0.9 }],
    [
      'with another line too full',
      [{ ordered: 10, on: { A: 20 } }, { ordered: 10 }],
      { fullyAssigned: false, share: 0.5 },
    ],
    ['with fractions that sum up', [{ ordered: 0.3, on: { A: 0.1, C: 0.2 } }], { fullyAssigned: true, share: 1 }],
    ['with quantities in text', [{ ordered: '10', on: { A: '6', C: '4' } }], { fullyAssigned: true, share: 1 }],
    ['with more than was ordered', [{ ordered: 10, on: { A: 12 } }], { fullyAssigned: true, share: 1 }],
    [
      'with a part on a cancelled shipment',
      [{ ordered: 10, on: { A: 5, B: 5 } }],
      { fullyAssigned: false, share: 0.5 },
    ],
  ] as const)('%s it is fully assigned or not', (_, lines, { fullyAssigned, share }) => {
    const looks = new Looks()
    const shipments = { A: {}, B: { status: 'cancelled' } } as const
    expect(looks.look(order(lines), shipments).fate?.fullyAssigned).toBe(fullyAssigned)
    const moved = looks.look(order(lines), { ...shipments, A: { delivery: [EARLY, EST] } }).events
    if (moved.length > 0) expect(moved[0]?.extras['order_status']).toMatchObject({ assigned_share: share })
  })

  test('is told fully assigned once it was not so before, and delivered only then', () => {
    const looks = new Looks()
    const done = { A: { delivery: [EARLY, 'actual'] } } as const
    const half = order([{ ordered: 10, on: { A: 5 } }])
    looks.look(half, done)
    const whole = looks.look(order([{ ordered: 10, on: { A: 10 } }]), done)
    expect(whole.events.map(({ type }) => type)).toEqual(['purchase_order.fully_assigned', 'purchase_order.delivered'])
    expect(looks.types(half, done)).toEqual([])
    expect(looks.types(order([{ ordered: 10, on: { A: 10 } }]), done)).toEqual(['fully_assigned', 'delivered'])
  })

  test('says by which event it moved: the newest of the order, or of the shipments whose dates it tells', () => {
    const looks = new Looks()
    looks.look(order(HALF), { A: { delivery: [EARLY, EST] }, B: { delivery: [EARLY, EST] } })
    const movedBy = [
      { shipmentId: 'A', eventId: 'evt_a', number: 7 },
      { shipmentId: 'B', eventId: 'evt_b', number: 9 },
      { shipmentId: null, eventId: null, number: 11 },
    ]
    const late = { A: { delivery: [LATE, EST] }, B: { delivery: ['2026-12-09T10:00:00Z', EST] } } as const
    const { events } = looks.look(order(HALF), late, { movedBy })
    expect(events.map(({ extras }) => extras['because'])).toEqual(['evt_a', 'evt_a'])
  })
})
