import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/model/json.ts'
import { collectDeliveries } from '../../src/sandbox/data/delivery.ts'
import { deliveriesWorld, firstMidnight } from '../../src/sandbox/data/deliveries-world.ts'
import { parseDeliveryLines } from '../../src/sandbox/data/parse-delivery-lines.ts'
import { purchaseOrderSchema } from '../../src/platform/wire/purchase-order.ts'
import { shipmentSchema } from '../../src/platform/wire/shipment.ts'
import { deliveriesCsv, type Cells } from './deliveries-csv.ts'
import { at } from './spoken.ts'

const DAY = 86_400_000
const EARLY = Date.UTC(2006, 0, 1)
const LATE = Date.UTC(2030, 0, 1)
const ALL = { skip: 0, take: 100 }

function deliveries(...lines: readonly Cells[]) {
  return collectDeliveries(parseDeliveryLines(deliveriesCsv(...lines), 'data.csv'))
}

function shipments(time: number, ...lines: readonly Cells[]): readonly JsonObject[] {
  return deliveriesWorld(deliveries(...lines)).shipments.page(ALL, time)
}

function deliveryDate(time: number, ...lines: readonly Cells[]) {
  const [shipment] = shipments(time, ...lines)
  return at(shipment, 'main_tracking_dates', 'delivery_date')
}

describe('shipments of real deliveries (guarantee X2)', () => {
  it('are one per ASN/DN number, in the order of the data', () => {
    const lines = [{}, { 'ASN/DN #': 'DN-304', ID: '2' }, { ID: '3' }]
    expect(shipments(EARLY, ...lines)).toEqual([
      {
        name: 'ASN-8',
        platform_shipment_id: 'ASN-8',
        status: 'booked',
        incoterm: 'exw',
        freight_mode: 'air',
        desired_delivery_date: '2006-06-02',
        purchase_order_references: ['SCMS-4'],
        main_tracking_dates: { delivery_date: { date: '2006-06-02T12:00:00Z', status: 'planned' } },
      },
      expect.objectContaining({ platform_shipment_id: 'DN-304', name: 'DN-304' }),
    ])
  })

  it.each([
    ['Air', 'air'],
    ['Air Charter', 'air'],
    ['Truck', 'truck'],
    ['Ocean', 'ocean'],
    ['N/A', undefined],
    ['', undefined],
  ])('by %j go by %j', (cell, mode) => {
    const [shipment] = shipments(EARLY, { 'Shipment Mode': cell })
    expect(shipment?.['freight_mode']).toBe(mode)
  })

  it.each([
    ['EXW', 'exw'],
    ['DDU', 'ddu'],
    ['N/A - From RDC', undefined],
  ])('with the term %j have the incoterm %j', (cell, incoterm) => {
    const [shipment] = shipments(EARLY, { 'Vendor INCO Term': cell })
    expect(shipment?.['incoterm']).toBe(incoterm)
  })

  it('are planned for the earliest scheduled day of their lines', () => {
    const lines = [{ 'Scheduled Delivery Date': '13-Aug-14' }, { 'Scheduled Delivery Date': '30-Jul-14' }]
    expect(deliveryDate(EARLY, ...lines)).toEqual({ date: '2014-07-30T12:00:00Z', status: 'planned' })
    expect(shipments(LATE, ...lines)[0]?.['desired_delivery_date']).toBe('2014-07-30')
  })

  it('show the delivery as actual, and themselves as finished, from noon of the day it was recorded', () => {
    const noon = Date.UTC(2006, 5, 6, 12)
    expect(deliveryDate(noon - 1, {})).toEqual({ date: '2006-06-02T12:00:00Z', status: 'planned' })
    expect(deliveryDate(noon, {})).toEqual({ date: '2006-06-04T12:00:00Z', status: 'actual' })
    expect([noon - 1, noon].map((time) => shipments(time, {})[0]?.['status'])).toEqual(['booked', 'finished'])
  })

  it('show a delivery recorded before its day as the data has it', () => {
    const line = { 'Delivered to Client Date': '24-Dec-13', 'Delivery Recorded Date': '23-Dec-13' }
    expect(deliveryDate(Date.UTC(2013, 11, 23, 12), line)).toEqual({ date: '2013-12-24T12:00:00Z', status: 'actual' })
  })

  it('are delivered with the last of their lines, and not while one is not', () => {
    const first = { 'Delivered to Client Date': '01-Jul-06', 'Delivery Recorded Date': '02-Jul-06' }
    const last = { 'Delivered to Client Date': '03-Jul-06', 'Delivery Recorded Date': '09-Jul-06' }
    expect(deliveryDate(Date.UTC(2006, 6, 9, 11), first, last)).toMatchObject({ status: 'planned' })
    expect(deliveryDate(Date.UTC(2006, 6, 9, 12), last, first)).toEqual({
      date: '2006-07-03T12:00:00Z',
      status: 'actual',
    })
    expect(deliveryDate(LATE, first, { 'Delivered to Client Date': 'Date Not Captured' })).toMatchObject({
      status: 'planned',
    })
    expect(deliveryDate(LATE, first, { 'Delivery Recorded Date': '' })).toMatchObject({ status: 'planned' })
  })

  it('have no delivery date that the data does not know', () => {
    expect(deliveryDate(EARLY, { 'Scheduled Delivery Date': 'Date Not Captured' })).toBeUndefined()
  })

  it('take what one line does not say from another', () => {
    const [shipment] = shipments(EARLY, { 'Shipment Mode': 'N/A', 'PO / SO #': 'SO-1' }, { 'PO / SO #': 'SO-2' })
    expect(shipment).toMatchObject({ freight_mode: 'air', purchase_order_references: ['SO-1', 'SO-2'] })
  })

  it('are found by their number, and read page by page', () => {
    const lines = ['A', 'B', 'C', '__proto__'].map((id) => ({ 'ASN/DN #': id }))
    const shelf = deliveriesWorld(deliveries(...lines)).shipments
    expect(shelf.find('__proto__', EARLY)).toMatchObject({ name: '__proto__' })
    expect(shelf.find('D', EARLY)).toBeNull()
    expect(shelf.page({ skip: 1, take: 2 }, EARLY).map(({ name }) => name)).toEqual(['B', 'C'])
    expect(shelf.page({ skip: 4, take: 2 }, EARLY)).toEqual([])
  })
})

function line(reference: string, shipment: string, status: string): JsonObject {
  return {
    reference,
    product: {
      name: 'HIV, Reveal G3 Rapid HIV-1 Antibody Test',
      description: 'HIV, Reveal G3 Rapid HIV-1 Antibody Test, 30 Tests',
    },
    ordered_quantity: 19,
    unit_price: { amount: 29.5, currency: 'USD' },
    assigned_order_lines: [
      { platform_shipment_id: shipment, shipment_status: status, assigned_quantity: 19, shipped_order_lines: [] },
    ],
  }
}

describe('purchase orders of real deliveries', () => {
  const lines = [
    {},
    { ID: '2', 'ASN/DN #': 'ASN-9', 'Scheduled Delivery Date': '01-May-06', 'Delivery Recorded Date': '01-Jan-16' },
    { ID: '3', 'PO / SO #': '' },
  ]

  it('are one per PO / SO number, with a line for every line of the data, assigned to its shipment', () => {
    const orders = deliveriesWorld(deliveries(...lines)).purchaseOrders.page(ALL, Date.UTC(2007, 0, 1))
    expect(orders).toEqual([
      {
        po_number: 'SCMS-4',
        supplier_name: 'RANBAXY Fine Chemicals LTD.',
        purchase_order_lines: [line('1', 'ASN-8', 'finished'), line('2', 'ASN-9', 'booked')],
        desired_delivery_date: '2006-05-01',
        custom_parameters: [],
      },
    ])
  })

  it('are found by their number', () => {
    const shelf = deliveriesWorld(deliveries(...lines)).purchaseOrders
    expect(shelf.find('SCMS-4', EARLY)).toMatchObject({ po_number: 'SCMS-4' })
    expect(shelf.find('', EARLY)).toBeNull()
  })
})

it('both speak the language of the interface', () => {
  const world = deliveriesWorld(
    deliveries({}, { 'Pack Price': 'unknown', 'Line Item Quantity': '', 'PO / SO #': 'SO-1' }),
  )
  for (const time of [EARLY, LATE]) {
    for (const shipment of world.shipments.page(ALL, time)) expect(shipmentSchema.parse(shipment)).toEqual(shipment)
    for (const order of world.purchaseOrders.page(ALL, time)) expect(purchaseOrderSchema.parse(order)).toEqual(order)
  }
})

describe('what the data does not know', () => {
  it('is not there: tracking, invoices, documents, order preparations, locations', () => {
    const world = deliveriesWorld(deliveries({}))
    for (const shelf of [world.tracking, world.orderPreparations]) expect(shelf.find('ASN-8', LATE)).toBeNull()
    for (const shelf of [world.invoices, world.documents, world.locations]) expect(shelf.page(ALL, LATE)).toEqual([])
  })
})

describe('the first midnight', () => {
  it('is that of the earliest day of any delivery', () => {
    expect(firstMidnight(deliveries({}))).toBe(Date.UTC(2006, 5, 2))
    expect(firstMidnight(deliveries({ 'Delivered to Client Date': '01-Jun-06' }))).toBe(Date.UTC(2006, 5, 1))
    expect(firstMidnight(deliveries({ 'Delivery Recorded Date': '3-May-06' }))).toBe(Date.UTC(2006, 4, 3))
  })

  it('is refused for data without a date', () => {
    const empty = { 'Scheduled Delivery Date': '', 'Delivered to Client Date': '', 'Delivery Recorded Date': 'N/A' }
    for (const none of [deliveries(), deliveries(empty)])
      expect(() => firstMidnight(none)).toThrow(expect.objectContaining({ code: 'usage' }))
  })
})

function scheduledDay(text: string): number | null | undefined {
  return parseDeliveryLines(deliveriesCsv({ 'Scheduled Delivery Date': text }), 'data.csv')[0]?.scheduledDay
}

describe('a day', () => {
  it.each([
    ['02-Jun-06', Date.UTC(2006, 5, 2)],
    ['2-JUN-06', Date.UTC(2006, 5, 2)],
    ['29-Feb-2012', Date.UTC(2012, 1, 29)],
    ['2006-06-02', Date.UTC(2006, 5, 2)],
  ])('is read from %j', (text, midnight) => {
    expect(scheduledDay(text)).toBe(midnight / DAY)
  })

  it.each(['', 'Date Not Captured', 'Pre-PQ Process', 'N/A - From RDC'])('is not there in %j', (text) => {
    expect(scheduledDay(text)).toBeNull()
  })

  it.each(['31-Feb-10', '00-Jun-06', '01-Jux-06', '2006-13-01', '2006-6-2', '6/2/06', '1', '02-Jun-06 x'])(
    'is none in %j',
    (text) => {
      expect(() => scheduledDay(text)).toThrow(`"${text}" under "Scheduled Delivery Date" is no day`)
    },
  )
})
