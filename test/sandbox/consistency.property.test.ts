import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseInstant } from '../../src/model/instant.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { invoiceSchema } from '../../src/platform/wire/invoice.ts'
import { shipmentSchema } from '../../src/platform/wire/shipment.ts'
import { trackingSchema } from '../../src/platform/wire/tracking.ts'
import { createWorld } from '../../src/sandbox/world/world.ts'
import { runs } from '../support/runs.ts'
import { at, DAY, everything, objectsAt, START, textAt } from './spoken.ts'

const moments = fc.record({
  seed: fc.string({ minLength: 1, maxLength: 8 }),
  time: fc.integer({ min: -40 * 24 * 60, max: 90 * 24 * 60 }).map((minutes) => START + minutes * 60_000),
})
const DATES = ['pickup_date', 'departure_date', 'arrival_date', 'delivery_date'] as const

function always(holds: (seen: ReturnType<typeof everything>, time: number) => void): void {
  fc.assert(
    fc.property(moments, ({ seed, time }) =>
      holds(everything(createWorld({ seed, shipments: 12, startAt: START }), time), time),
    ),
    runs(3),
  )
}

describe('at any time, in any world', () => {
  it('dates stand in the order of the journey, and nothing actual lies in the future', () => {
    always(({ shipments, tracking }, time) => {
      for (const shipment of shipments) {
        const dates = DATES.map((name) => at(shipment, 'main_tracking_dates', name)).filter((date) => date !== null)
        const instants = dates.map((date) => parseInstant(at(date, 'date')) ?? Number.NaN)
        for (const [index, instant] of instants.entries()) expect(instant).toBeGreaterThan(instants[index - 1] ?? 0)
        const done = dates.map((date) => at(date, 'status') === 'actual')
        expect(done.indexOf(false) === -1 || !done.slice(done.indexOf(false)).includes(true)).toBe(true)
        for (const [index, instant] of instants.entries())
          if (done[index] === true) expect(instant).toBeLessThanOrEqual(time)
      }
      for (const event of tracking.flatMap(eventsOf)) {
        const instant = parseInstant(event['date'])
        expect(instant).not.toBeNull()
        if (event['status'] === 'actual') expect(instant).toBeLessThanOrEqual(time)
      }
    })
  })

  it('status, dates and booking agree', () => {
    always(({ shipments }) => {
      for (const shipment of shipments) {
        const dates = DATES.map((name) => at(shipment, 'main_tracking_dates', name, 'status')).filter(
          (status) => status !== undefined,
        )
        const carrier = at(shipment, 'booking_information', 'carrier')
        switch (textAt(shipment, 'status')) {
          case 'draft':
            expect([dates, carrier, shipment['accepted_quote']]).toEqual([[], null, null])
            break
          case 'booking_request':
          case 'awaiting_booking':
            expect([new Set(dates), carrier]).toEqual([new Set(['planned']), null])
            break
          case 'booked':
            expect(typeof carrier).toBe('string')
            expect(dates).not.toContain('actual')
            expect(dates).not.toContain('planned')
            break
          case 'in_progress':
            expect(dates[0]).toBe('actual')
            break
          case 'finished':
            expect(new Set(dates)).toEqual(new Set(['actual']))
            break
          case 'cancelled':
            expect(dates).not.toContain('actual')
            break
          default:
            expect.unreachable()
        }
        const booking = shipment['booking_information']
        const hasNumber = typeof carrier === 'string'
        expect(at(booking, 'ocean_booking') !== null).toBe(hasNumber && shipment['freight_mode'] === 'ocean')
        expect(at(booking, 'air_booking') !== null).toBe(hasNumber && shipment['freight_mode'] === 'air')
      }
    })
  })

  it('doors are named, dated and tracked only where the freight type reaches them', () => {
    always(({ shipments, tracking }) => {
      for (const [index, shipment] of shipments.entries()) {
        const type = textAt(shipment, 'freight_type')
        const steps = new Set(objectsAt(tracking[index], 'tracking_steps').map((step) => step['type']))
        expect(at(shipment, 'route', 'pickup_location_id') !== null).toBe(type.startsWith('door'))
        expect(at(shipment, 'route', 'delivery_location_id') !== null).toBe(type.endsWith('door'))
        if (type.startsWith('port'))
          expect([at(shipment, 'main_tracking_dates', 'pickup_date'), steps.has('pickup')]).toEqual([null, false])
        if (type.endsWith('port'))
          expect([at(shipment, 'main_tracking_dates', 'delivery_date'), steps.has('delivery')]).toEqual([null, false])
      }
    })
  })

  it('tracking tells the same as the main dates, of the containers of the shipment', () => {
    always(({ shipments, tracking }) => {
      for (const [index, shipment] of shipments.entries()) {
        const steps = objectsAt(tracking[index], 'tracking_steps')
        const boxes = objectsAt(shipment, 'cargo', 'containers').map((each) => each['container_number'])
        for (const event of eventsOf(tracking[index] ?? null))
          if (event['container_number'] !== null) expect(boxes).toContain(event['container_number'])
        const departure = steps.find((step) => textAt(step, 'type').startsWith('origin'))
        const shown = objectsAt(departure, 'events').find((event) => textAt(event, 'description').endsWith('departure'))
        const main = at(shipment, 'main_tracking_dates', 'departure_date')
        if (steps.length > 0) expect(shown?.['date']).toBe(at(main, 'date'))
        if (steps.length > 0 && at(main, 'status') !== 'problem') expect(shown?.['status']).toBe(at(main, 'status'))
        const atSea = objectsAt(tracking[index], 'ocean_coordinates')
        if (at(main, 'status') !== 'actual') expect(atSea).toEqual([])
        for (const { latitude, longitude } of atSea) {
          expect(Math.abs(Number(latitude))).toBeLessThan(70)
          expect(Math.abs(Number(longitude))).toBeLessThanOrEqual(180)
        }
      }
    })
  })

  it('a shipment says of its invoices what they say themselves', () => {
    always(({ shipments, invoices }) => {
      for (const shipment of shipments) {
        const own = invoices.filter((each) => each['platform_shipment_id'] === shipment['platform_shipment_id'])
        expect(shipment['invoice_references']).toHaveLength(own.length)
        expect(new Set([shipment['invoice_references']].flat())).toEqual(new Set(own.map((each) => each['number'])))
        const statuses = own.filter((each) => each['type'] === 'invoice').map((each) => each['status'])
        const settled = statuses.filter((status) => status === 'paid' || status === 'write_off').length
        if (shipment['invoice_status'] === 'awaiting_invoice') expect(statuses).toEqual([])
        if (statuses.length > 0) expect(shipment['invoice_status'] === 'paid').toBe(settled === statuses.length)
        expect(shipment['invoice_status'] === 'due').toBe(statuses.includes('due'))
        if (own.length > 0) expect(['in_progress', 'finished']).toContain(shipment['status'])
      }
    })
  })

  it('invoice lines add up, credit notes give back, and due dates follow the issue', () => {
    always(({ invoices }, time) => {
      for (const invoice of invoices) {
        const lines = objectsAt(invoice, 'lines')
        expect(lines.length).toBeGreaterThan(0)
        for (const line of lines) {
          const product = Number(at(line, 'unit_rate', 'amount')) * Number(at(line, 'quantity', 'value'))
          expect(Math.abs(Number(at(line, 'price', 'amount')))).toBeCloseTo(product, 1)
          expect(Math.sign(Number(at(line, 'price', 'amount')))).toBe(invoice['type'] === 'credit_note' ? -1 : 1)
          expect(at(line, 'price', 'currency')).toBe(at(line, 'unit_rate', 'currency'))
        }
        const sent = parseInstant(invoice['sent_date']) ?? Infinity
        expect(sent).toBeLessThanOrEqual(time)
        expect(Date.parse(textAt(invoice, 'due_date'))).toBeGreaterThan(sent)
        if (invoice['status'] === 'due') expect(Date.parse(textAt(invoice, 'due_date'))).toBeLessThanOrEqual(time)
      }
    })
  })

  it('ids are unique, and container numbers carry the check digit of ISO 6346', () => {
    always(({ shipments, invoices }) => {
      expectUnique(shipments.map((each) => each['platform_shipment_id']))
      expectUnique(invoices.map((each) => each['reference']))
      expectUnique(invoices.map((each) => each['number']))
      const boxes = shipments
        .flatMap((each) => objectsAt(each, 'cargo', 'containers'))
        .map((each) => textAt(each, 'container_number'))
      expectUnique(boxes)
      for (const box of boxes) expect(box).toSatisfy(hasCheckDigit)
    })
  })

  it('every record has every field of the interface, and no other', () => {
    always(({ shipments, tracking, invoices }) => {
      for (const shipment of shipments) {
        shipmentSchema.parse(shipment)
        expect(Object.keys(shipment).sort()).toEqual(Object.keys(shipmentSchema.shape).sort())
      }
      for (const each of tracking) {
        trackingSchema.parse(each)
        expect(Object.keys(each ?? {}).sort()).toEqual(Object.keys(trackingSchema.shape).sort())
      }
      for (const invoice of invoices) {
        invoiceSchema.parse(invoice)
        expect(Object.keys(invoice).sort()).toEqual(Object.keys(invoiceSchema.shape).sort())
      }
    })
  })

  it('a record writes all its dates in one offset', () => {
    always(({ shipments }) => {
      for (const shipment of shipments) {
        const zones = JSON.stringify(shipment)
          .match(/T\d\d:\d\d:\d\d[^"]*/g)
          ?.map((text) => text.slice(9))
        expect(new Set(zones).size).toBe(1)
      }
    })
  })
})

describe('what a shipment grows into', () => {
  it('knows bills, seals and steps in the end, whatever its mode', () => {
    const { shipments, tracking } = everything(
      createWorld({ seed: '9', shipments: 40, startAt: START }),
      START + 200 * DAY,
    )
    for (const [index, shipment] of shipments.entries()) {
      if (shipment['status'] !== 'finished') continue
      expect([
        at(shipment, 'booking_information', 'master_bill'),
        at(shipment, 'booking_information', 'house_bill'),
      ]).not.toContain(null)
      for (const container of objectsAt(shipment, 'cargo', 'containers'))
        expect(container['seal_number']).not.toBeNull()
      expect(objectsAt(tracking[index], 'tracking_steps').length).toBeGreaterThanOrEqual(2)
    }
  })
})

function expectUnique(ids: readonly unknown[]): void {
  expect(new Set(ids).size).toBe(ids.length)
}

function eventsOf(tracking: JsonObject | null): readonly JsonObject[] {
  return objectsAt(tracking, 'tracking_steps').flatMap((step) => objectsAt(step, 'events'))
}

/** ISO 6346 annex A, from its table of letter values. */
function hasCheckDigit(number: string): boolean {
  const values = '0123456789A?BCDEFGHIJK?LMNOPQRSTU?VWXYZ'
  const sum = number
    .slice(0, 10)
    .split('')
    .reduce((total, character, place) => total + values.indexOf(character) * 2 ** place, 0)
  return /^[A-Z]{3}U\d{7}$/.test(number) && sum % 11 === Number(number.at(-1))
}
