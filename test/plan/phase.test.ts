import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/model/json.ts'
import { phaseAt, phaseOf } from '../../src/plan/phase.ts'

const DAY = 86_400_000
const AT = Date.UTC(2026, 10, 21)

function shipment(status: string, dates: Readonly<Record<string, readonly [number, string]>> = {}): JsonObject {
  const entries = Object.entries(dates).map(([milestone, [days, dated]]) => [
    `${milestone}_date`,
    { date: new Date(AT + days * DAY).toISOString(), status: dated },
  ])
  return { status, main_tracking_dates: Object.fromEntries(entries) }
}

describe('the phase of a shipment', () => {
  it.each([
    ['a draft', shipment('draft'), 'draft'],
    ['a booking that is asked for', shipment('awaiting_booking'), 'draft'],
    ['booked, leaving in a month', shipment('booked', { departure: [30, 'planned'] }), 'booked'],
    ['booked, leaving tomorrow', shipment('booked', { departure: [1, 'planned'] }), 'near_departure'],
    [
      'booked, to be picked up tomorrow',
      shipment('booked', { pickup: [1, 'planned'], departure: [30, 'planned'] }),
      'near_departure',
    ],
    [
      'booked and picked up',
      shipment('booked', { pickup: [-1, 'actual'], departure: [30, 'planned'] }),
      'near_departure',
    ],
    [
      'booked, though it has left',
      shipment('booked', { departure: [-1, 'actual'], arrival: [30, 'estimated'] }),
      'at_sea',
    ],
    ['at sea', shipment('in_progress', { departure: [-9, 'actual'], arrival: [20, 'estimated'] }), 'at_sea'],
    ['arriving tomorrow', shipment('in_progress', { arrival: [1, 'estimated'] }), 'near_arrival'],
    ['late to arrive', shipment('in_progress', { arrival: [-5, 'estimated'] }), 'near_arrival'],
    ['without an arrival, delivered tomorrow', shipment('in_progress', { delivery: [1, 'planned'] }), 'near_arrival'],
    ['arrived', shipment('in_progress', { arrival: [-1, 'actual'], delivery: [3, 'planned'] }), 'inland'],
    ['delivered', shipment('in_progress', { delivery: [-1, 'actual'] }), 'finished'],
    ['finished', shipment('finished'), 'finished'],
    ['cancelled', shipment('cancelled'), 'finished'],
    ['of a status that nobody knows', shipment('teleported'), 'at_sea'],
    ['without anything', {}, 'at_sea'],
  ] as const)('%s', (_, record, phase) => {
    expect(phaseAt(phaseOf(record), AT)).toBe(phase)
  })

  it('moves on with time alone', () => {
    const span = phaseOf(shipment('booked', { departure: [30, 'planned'] }))
    expect(span).toEqual({ phase: 'booked', until: AT + 27 * DAY })
    expect(phaseAt(span, AT + 27 * DAY)).toBe('near_departure')
  })

  it('outlives hostile dates', () => {
    const record: JsonObject = {
      status: 'booked',
      main_tracking_dates: { departure_date: { date: 'soon', status: {} } },
    }
    expect(phaseOf(record)).toEqual({ phase: 'booked', until: null })
  })
})
