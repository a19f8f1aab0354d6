import type { EventType } from '../model/event-catalogue.ts'
import type { JsonObject } from '../model/json.ts'
import { edited } from './edited.ts'
import { CONTAINER, SHIPMENT } from './records.ts'
import { came, day, learnt, read, shown, went, type Step, type Story } from './story.ts'

const PICKUP = '/main_tracking_dates/pickup_date'
const DEPARTURE = '/main_tracking_dates/departure_date'
const ARRIVAL = '/main_tracking_dates/arrival_date'
const DELIVERY = '/main_tracking_dates/delivery_date'
const CONTAINERS = '/cargo/containers'

function estimated(date: string): JsonObject {
  return { date, status: 'estimated' }
}

function actual(date: string): JsonObject {
  return { date, status: 'actual' }
}

const booked = (): JsonObject =>
  edited(SHIPMENT, {
    '/status': 'booked',
    [PICKUP]: { date: '2026-11-18T08:00:00+08:00', status: 'planned' },
    [DEPARTURE]: estimated('2026-11-20T22:00:00+08:00'),
    [ARRIVAL]: estimated('2026-12-10T10:00:00Z'),
    [DELIVERY]: estimated('2026-12-16T09:00:00+01:00'),
    '/invoice_status': 'awaiting_invoice',
    '/invoice_references': [],
  })

/** Before departure. */
const waiting = (): JsonObject =>
  edited(booked(), { '/status': 'in_progress', [PICKUP]: actual('2026-11-18T08:00:00+08:00') })

const landed = (): JsonObject => edited(SHIPMENT, { [ARRIVAL]: actual('2026-12-16T06:00:00Z') })

/** The values that a date had, and when reads showed them. */
function slid(record: JsonObject, path: string, dates: Readonly<Record<string, JsonObject>>): readonly Step[] {
  const shown = Object.entries(dates).map(([at, date]) => [at, edited(record, { [path]: date })] as const)
  return shown.map(([at, now], index) => (index === 0 ? learnt(at, now) : read(at, now)))
}

const BASELINE = '2026-11-01T08:00:00Z'
const NOW = '2026-11-21T08:00:00Z'

/** The shipment before its last change, and that: it is then as it is on 21 November 2026. */
function changed(before: Readonly<Record<string, JsonObject[string]>>): readonly Step[] {
  return [learnt(BASELINE, edited(SHIPMENT, before)), read(NOW, SHIPMENT)]
}

export const SHIPMENT_STORIES: Readonly<Record<Extract<EventType, `shipment.${string}`>, Story>> = {
  'shipment.created': () => [came('2026-10-02T09:16:00Z', edited(booked(), { '/status': 'awaiting_booking' }))],
  'shipment.snapshot': () => [learnt(BASELINE, SHIPMENT), shown(NOW)],
  'shipment.status_changed': () => [
    learnt(BASELINE, edited(waiting(), { '/status': 'booked' })),
    read('2026-11-18T00:40:00Z', waiting()),
  ],
  'shipment.pickup_date_changed': () =>
    slid(booked(), PICKUP, {
      [BASELINE]: { date: '2026-11-16T08:00:00+08:00', status: 'planned' },
      '2026-11-09T07:30:00Z': { date: '2026-11-17T08:00:00+08:00', status: 'planned' },
      '2026-11-12T09:00:00Z': { date: '2026-11-18T08:00:00+08:00', status: 'planned' },
    }),
  'shipment.etd_changed': () =>
    slid(booked(), DEPARTURE, {
      [BASELINE]: estimated('2026-11-17T22:00:00+08:00'),
      '2026-11-09T07:30:00Z': estimated('2026-11-18T22:00:00+08:00'),
      '2026-11-12T09:00:00Z': estimated('2026-11-20T22:00:00+08:00'),
    }),
  'shipment.eta_changed': () =>
    slid(SHIPMENT, ARRIVAL, {
      [BASELINE]: estimated('2026-12-10T10:00:00Z'),
      '2026-11-14T16:30:00Z': estimated('2026-12-12T10:00:00Z'),
      [NOW]: estimated('2026-12-15T10:00:00Z'),
    }),
  'shipment.delivery_date_changed': () =>
    slid(SHIPMENT, DELIVERY, {
      [BASELINE]: estimated('2026-12-16T09:00:00+01:00'),
      '2026-11-14T16:30:00Z': estimated('2026-12-18T09:00:00+01:00'),
      [NOW]: estimated('2026-12-21T09:00:00+01:00'),
    }),
  'shipment.picked_up': () =>
    slid(waiting(), PICKUP, {
      [BASELINE]: { date: '2026-11-17T08:00:00+08:00', status: 'planned' },
      '2026-11-18T00:40:00Z': actual('2026-11-18T08:00:00+08:00'),
    }),
  'shipment.departed': () =>
    slid(SHIPMENT, DEPARTURE, {
      [BASELINE]: estimated('2026-11-19T22:00:00+08:00'),
      '2026-11-20T14:25:00Z': actual('2026-11-20T22:00:00+08:00'),
    }),
  'shipment.arrived': () =>
    slid(landed(), ARRIVAL, {
      [BASELINE]: estimated('2026-12-10T10:00:00Z'),
      '2026-11-21T08:00:00Z': estimated('2026-12-15T10:00:00Z'),
      '2026-12-16T06:45:00Z': actual('2026-12-16T06:00:00Z'),
    }),
  'shipment.delivered': () =>
    slid(landed(), DELIVERY, {
      [BASELINE]: estimated('2026-12-16T09:00:00+01:00'),
      '2026-11-21T08:00:00Z': estimated('2026-12-21T09:00:00+01:00'),
      '2026-12-21T10:20:00Z': actual('2026-12-21T11:00:00+01:00'),
    }),
  'shipment.milestone_corrected': () =>
    slid(SHIPMENT, DEPARTURE, {
      [BASELINE]: estimated('2026-11-19T22:00:00+08:00'),
      '2026-11-19T14:25:00Z': actual('2026-11-19T22:00:00+08:00'),
      [NOW]: actual('2026-11-20T22:00:00+08:00'),
    }),
  'shipment.problem_reported': () =>
    slid(SHIPMENT, ARRIVAL, {
      [BASELINE]: estimated('2026-12-12T10:00:00Z'),
      [NOW]: { date: '2026-12-15T10:00:00Z', status: 'problem' },
    }),
  'shipment.problem_cleared': () =>
    slid(SHIPMENT, ARRIVAL, {
      [BASELINE]: estimated('2026-12-12T10:00:00Z'),
      '2026-11-14T16:30:00Z': { date: '2026-12-12T10:00:00Z', status: 'problem' },
      [NOW]: estimated('2026-12-15T10:00:00Z'),
    }),
  'shipment.rolled': () => [
    learnt(BASELINE, booked()),
    read(
      '2026-11-09T07:30:00Z',
      edited(booked(), {
        '/booking_information/ocean_booking/vessel': 'Ever Ace',
        '/booking_information/ocean_booking/voyage': '13E',
      }),
    ),
  ],
  'shipment.booking_updated': () => changed({ '/booking_information/master_bill': 'MAEU122' }),
  'shipment.container_added': () => changed({ [CONTAINERS]: [] }),
  'shipment.container_updated': () => changed({ [`${CONTAINERS}/0/seal_number`]: 'SL-4710' }),
  'shipment.container_removed': () =>
    changed({
      [CONTAINERS]: [CONTAINER, { ...CONTAINER, container_number: 'TCLU7654321', seal_number: 'SL-4712' }],
    }),
  'shipment.cargo_updated': () => changed({ '/cargo/total_weight/value': 16_100 }),
  'shipment.invoice_status_changed': () => changed({ '/invoice_status': 'awaiting_invoice' }),
  'shipment.rerouted': () => changed({ '/route/destination_port_unlocode': 'BEANR' }),
  'shipment.cargo_ready_date_changed': () => changed({ '/cargo_ready_date': '2026-11-13' }),
  'shipment.desired_delivery_date_changed': () => changed({ '/desired_delivery_date': '2026-12-16' }),
  'shipment.quote_accepted': () => changed({ '/accepted_quote': null }),
  'shipment.references_changed': () =>
    changed({ '/purchase_order_references': ['PO-1'], '/invoice_references': ['INV-1'] }),
  'shipment.goods_updated': () => changed({ '/transported_goods/goods_description': 'Textiles' }),
  'shipment.updated': () => changed({ '/name': 'Summer collection' }),
  'shipment.removed': () => [learnt(BASELINE, SHIPMENT), went(NOW)],
  'shipment.restored': () => [learnt(BASELINE, SHIPMENT), went('2026-11-20T08:00:00Z'), read(NOW, SHIPMENT)],
  'shipment.delivery_at_risk': () =>
    slid(SHIPMENT, DELIVERY, {
      [BASELINE]: estimated('2026-12-16T09:00:00+01:00'),
      [NOW]: estimated('2026-12-21T09:00:00+01:00'),
    }),
  'shipment.delivery_back_on_track': () =>
    slid(SHIPMENT, DELIVERY, {
      [BASELINE]: estimated('2026-12-16T09:00:00+01:00'),
      '2026-11-14T16:30:00Z': estimated('2026-12-21T09:00:00+01:00'),
      [NOW]: estimated('2026-12-16T09:00:00+01:00'),
    }),
  'shipment.milestone_overdue': () => [learnt(BASELINE, SHIPMENT), day('2026-12-16T10:00:02Z')],
}
