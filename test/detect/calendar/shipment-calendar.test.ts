import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/model/json.ts'
import { Life, at } from './life.ts'

const HOUR = 3_600_000
const ETA = '2026-12-10T08:00:00Z'
const EDGE = '2026-12-11T08:00:00Z'

function shipment(dates: JsonObject, fields: JsonObject = {}): JsonObject {
  return { platform_shipment_id: 'X-1', status: 'in_progress', main_tracking_dates: dates, ...fields }
}

function arrival(date: string, status = 'estimated', fields: JsonObject = {}): JsonObject {
  return shipment({ arrival_date: { date, status } }, fields)
}

function known(record: JsonObject, settings: ConstructorParameters<typeof Life>[1] = {}): Life {
  const life = new Life('shipment', settings)
  life.read(record, '2026-12-01T00:00Z', 'silent')
  return life
}

function delivery(date: string | null, fields: JsonObject = {}, status = 'estimated'): JsonObject {
  return shipment(
    { delivery_date: date === null ? null : { date, status } },
    { desired_delivery_date: '2026-12-20', ...fields },
  )
}
const IN_TIME = '2026-12-20T12:00:00Z'
const LATE = '2026-12-23T12:00:00Z'
const calendarTypes = (types: readonly string[]): readonly string[] =>
  types.filter((type) => type.startsWith('shipment.delivery_at') || type.startsWith('shipment.delivery_back'))

describe('shipment.milestone_overdue', () => {
  it('rings when the grace after a date is over, once', () => {
    const life = known(arrival(ETA))
    expect(life.state?.nextEdgeAt).toBe(at(EDGE))
    expect(life.look(at(EDGE) - 1)).toEqual([])
    const [event] = life.lookEvents(EDGE)
    expect(event).toMatchObject({
      type: 'shipment.milestone_overdue',
      cause: 'calendar',
      observed: null,
      changes: null,
    })
    expect(event?.shipment).toMatchObject({ id: 'X-1', status: 'in_progress' })
    expect(event?.extras).toEqual({
      milestone: 'arrival',
      hours_late: 24,
      date: '2026-12-10T08:00:00.000Z',
      at: '2026-12-11T08:00:00.000Z',
    })
    expect(life.look('2027-01-01T00:00Z')).toEqual([])
  })

  it('says how late it is when it is caught up', () => {
    const [event] = known(arrival(ETA)).lookEvents('2026-12-12T09:30:00Z')
    expect(event?.extras).toMatchObject({ hours_late: 49, late_by: 25 * 60 + 30 })
  })

  it.each([0, HOUR, 72 * HOUR])('a grace of %i ms', (milestoneGraceMs) => {
    expect(known(arrival(ETA), { milestoneGraceMs }).state?.nextEdgeAt).toBe(at(ETA) + milestoneGraceMs)
  })

  it('a shorter grace moves the edge', () => {
    const life = known(arrival(ETA))
    life.configure({ milestoneGraceMs: HOUR })
    expect(life.look('2026-12-10T09:00:00Z')).toEqual(['shipment.milestone_overdue'])
    life.configure({ milestoneGraceMs: 48 * HOUR })
    expect(life.look('2026-12-20T09:00:00Z')).toEqual([])
  })

  it.each(['pickup', 'departure', 'arrival', 'delivery'])('of %s', (milestone) => {
    const record = shipment({ [`${milestone}_date`]: { date: ETA, status: 'planned' } })
    expect(known(record).lookEvents(EDGE)[0]?.extras).toMatchObject({ milestone })
  })

  it.each([
    ['planned', true],
    ['estimated', true],
    ['actual', false],
    ['problem', false],
    ['guessed', false],
    [null, false],
  ])('a date that is %s: %s', (status, rings) => {
    const life = known(shipment({ arrival_date: { date: ETA, status } }))
    expect(life.look(EDGE).length > 0).toBe(rings)
  })

  it.each([
    ['booked', true],
    ['in_progress', true],
    ['draft', false],
    ['booking_request', false],
    ['awaiting_booking', false],
    ['finished', false],
    ['cancelled', false],
    ['lost', false],
  ])('while %s: %s', (status, rings) => {
    expect(known(arrival(ETA, 'estimated', { status })).look(EDGE).length > 0).toBe(rings)
  })

  it('is silent where a later milestone is actual, and rings should that be taken back', () => {
    const overtaken = shipment({
      departure_date: { date: ETA, status: 'estimated' },
      arrival_date: { date: ETA, status: 'actual' },
    })
    const life = known(overtaken)
    expect(life.state?.nextEdgeAt).toBeNull()
    life.read(shipment({ departure_date: { date: ETA, status: 'estimated' } }), EDGE)
    expect(life.look(EDGE)).toEqual(['shipment.milestone_overdue'])
  })

  it('rings although an earlier milestone is actual', () => {
    const record = shipment({
      departure_date: { date: '2026-11-20T08:00:00Z', status: 'actual' },
      arrival_date: { date: ETA, status: 'estimated' },
    })
    expect(known(record).look(EDGE)).toEqual(['shipment.milestone_overdue'])
  })

  it('rings for every milestone that is late, the earliest first', () => {
    const record = shipment({
      delivery_date: { date: '2026-12-08T08:00:00Z', status: 'planned' },
      arrival_date: { date: ETA, status: 'estimated' },
    })
    const events = known(record).lookEvents(EDGE)
    expect(events.map(({ extras }) => extras.milestone)).toEqual(['delivery', 'arrival'])
  })

  it('rings again for another date, and not again for the first or another rendering of it', () => {
    const life = known(arrival(ETA))
    life.look(EDGE)
    life.read(arrival('2026-12-10T10:00:00+02:00'), EDGE)
    expect(life.look('2026-12-11T09:00:00Z')).toEqual([])
    life.read(arrival('2026-12-12T08:00:00Z'), '2026-12-11T10:00:00Z')
    expect(life.look('2026-12-13T08:00:00Z')).toEqual(['shipment.milestone_overdue'])
    life.read(arrival(ETA), '2026-12-13T09:00:00Z')
    expect(life.look('2026-12-13T09:00:00Z')).toEqual([])
  })

  it('that has passed at the baseline stays silent, whatever its status was then', () => {
    const life = new Life('shipment')
    life.read(arrival(ETA, 'estimated', { status: 'awaiting_booking' }), EDGE, 'silent')
    life.read(arrival(ETA), EDGE)
    expect(life.look('2026-12-20T00:00:00Z')).toEqual([])
    life.read(arrival('2026-12-12T08:00:00Z'), '2026-12-20T00:00:00Z')
    expect(life.look('2026-12-20T00:00:00Z')).toEqual(['shipment.milestone_overdue'])
  })

  it('of a shipment that appears later rings after its creation', () => {
    const life = new Life('shipment')
    expect(life.read(arrival(ETA), EDGE)).toEqual(['shipment.created'])
    expect(life.look(EDGE)).toEqual(['shipment.milestone_overdue'])
  })

  it('a date that does not exist has no edge', () => {
    expect(known(arrival('2026-02-30T08:00:00Z')).state?.nextEdgeAt).toBeNull()
  })

  it('a clock that jumps rings nothing twice', () => {
    const life = known(arrival(ETA))
    life.look('2027-12-01T00:00:00Z')
    for (const day of [ETA, EDGE, '2028-01-01T00:00:00Z']) expect(life.look(day)).toEqual([])
  })
})

describe('shipment.delivery_at_risk and shipment.delivery_back_on_track', () => {
  it('ring with the read that shows the crossing', () => {
    const life = known(delivery(IN_TIME))
    const events = life.readEvents(delivery(LATE), '2026-12-02T00:00Z')
    expect(events.map(({ type }) => type)).toEqual(['shipment.delivery_date_changed', 'shipment.delivery_at_risk'])
    expect(events[1]).toMatchObject({ cause: 'calendar', observed: null, changes: null, extras: { slack_days: -3 } })
    expect(events[1]?.extras.at).toBe(new Date(events[1]?.timestamp ?? 0).toISOString())
    expect(calendarTypes(life.read(delivery('2026-12-25T12:00:00Z'), '2026-12-03T00:00Z'))).toEqual([])
    const back = life.readEvents(delivery('2026-12-18T12:00:00Z'), '2026-12-04T00:00Z')
    expect(back[1]).toMatchObject({ type: 'shipment.delivery_back_on_track', extras: { slack_days: 2 } })
    expect(calendarTypes(life.read(delivery(LATE), '2026-12-05T00:00Z'))).toEqual(['shipment.delivery_at_risk'])
  })

  it('ring where the desired date moves as well', () => {
    const life = known(delivery(IN_TIME))
    expect(life.read(delivery(IN_TIME, { desired_delivery_date: '2026-12-19' }), '2026-12-02T00:00Z')).toEqual([
      'shipment.desired_delivery_date_changed',
      'shipment.delivery_at_risk',
    ])
  })

  it('compare days of the account', () => {
    const dayLate = '2026-12-20T13:00:00Z'
    expect(calendarTypes(known(delivery(IN_TIME)).read(delivery(dayLate), '2026-12-02T00:00Z'))).toEqual([])
    const east = known(delivery('2026-12-19T12:00:00Z'), { timeZone: 'Pacific/Kiritimati' })
    expect(calendarTypes(east.read(delivery(dayLate), '2026-12-02T00:00Z'))).toEqual(['shipment.delivery_at_risk'])
    const west = known(delivery('2026-12-19T12:00:00Z'), { timeZone: 'Pacific/Pago_Pago' })
    expect(calendarTypes(west.read(delivery('2026-12-21T10:59:00Z'), '2026-12-02T00:00Z'))).toEqual([])
  })

  it('stay silent at the baseline, and the way back rings', () => {
    const life = known(delivery(LATE))
    expect(calendarTypes(life.read(delivery('2026-12-24T12:00:00Z'), '2026-12-02T00:00Z'))).toEqual([])
    expect(calendarTypes(life.read(delivery(IN_TIME), '2026-12-03T00:00Z'))).toEqual([
      'shipment.delivery_back_on_track',
    ])
  })

  it('ring for a shipment that appears late, after its creation', () => {
    expect(new Life('shipment').read(delivery(LATE), '2026-12-02T00:00Z')).toEqual([
      'shipment.created',
      'shipment.delivery_at_risk',
    ])
  })

  it('ring no more once delivery is actual', () => {
    const life = known(delivery(IN_TIME))
    expect(calendarTypes(life.read(delivery(LATE, {}, 'actual'), '2026-12-24T00:00Z'))).toEqual([])
    const late = known(delivery(LATE))
    expect(calendarTypes(late.read(delivery(IN_TIME, {}, 'actual'), '2026-12-20T13:00Z'))).toEqual([])
  })

  it.each<[string, JsonObject]>([
    ['no estimate', delivery(null)],
    ['no desired date', delivery(IN_TIME, { desired_delivery_date: null })],
    ['a desired date that does not exist', delivery(IN_TIME, { desired_delivery_date: '2026-02-30' })],
    ['an estimate that is no date', delivery('soon')],
  ])('%s: nothing is crossed, and what was known stands', (_, without) => {
    const life = known(delivery(LATE))
    expect(calendarTypes(life.read(without, '2026-12-02T00:00Z'))).toEqual([])
    expect(calendarTypes(life.read(delivery(LATE), '2026-12-03T00:00Z'))).toEqual([])
    expect(calendarTypes(life.read(delivery(IN_TIME), '2026-12-04T00:00Z'))).toEqual([
      'shipment.delivery_back_on_track',
    ])
  })
})
