import type { EventType } from './event-catalogue.ts'
import type { JsonObject } from './json.ts'
import type { RecordResource } from './resource.ts'
import type { ShipmentSummary } from './shipment.ts'

/** Where in records the value of a field of `data` beside `object` comes from. */
export interface ShownField {
  /** The pointers into the record; `*` is any element. */
  readonly pointers: readonly string[]
  /** The resource of the record; left out: that of the subject. */
  readonly resource?: RecordResource
  /** Whether the field is the part of the record itself, as sent, so that it may lose some of what is in it. */
  readonly isPart?: true
}

type ShownFields = Readonly<Record<string, readonly ShownField[]>>

/** The fields of a shipment that its summary shows. Its id stays, as that of the subject does. */
export const SUMMARY_FIELDS: Readonly<Record<Exclude<keyof ShipmentSummary, 'id'>, string>> = {
  name: '/name',
  status: '/status',
  freight_mode: '/freight_mode',
  purchase_order_references: '/purchase_order_references',
  container_numbers: '/cargo/containers/*/container_number',
  master_bill: '/booking_information/master_bill',
  house_bill: '/booking_information/house_bill',
}

function shows(...pointers: readonly string[]): readonly ShownField[] {
  return [{ pointers }]
}

function part(pointer: string): readonly ShownField[] {
  return [{ pointers: [pointer], isPart: true }]
}

function turn(...pointers: readonly string[]): ShownFields {
  return { from: shows(...pointers), to: shows(...pointers) }
}

const LINE = '/purchase_order_lines/*'
const ASSIGNED = `${LINE}/assigned_order_lines/*`
/** Platforms name the shipment of an assignment differently. */
const ASSIGNED_ID = [`${ASSIGNED}/platform_shipment_id`, `${ASSIGNED}/shipment_id`]
/** The expected delivery of an order is a date of one of its shipments, beside the id of that. */
const EXPECTED: readonly ShownField[] = [
  { resource: 'shipment', pointers: ['/main_tracking_dates'] },
  ...shows(...ASSIGNED_ID),
]
const SHIPMENTS: ShownFields = { shipments: shows(...ASSIGNED_ID), unknown: shows(...ASSIGNED_ID) }
const MEANS = ['vessel', 'voyage'].map((name) => `/booking_information/ocean_booking/${name}`)
const FLIGHT = '/booking_information/air_booking/flight_number'
const DAY = '/desired_delivery_date'
const TOTALS = ['/lines/*/price', '/lines/*/vatRate']

/** What events of a type add to `data` of the fields of records; what a type does not say here, all types have in `OF_ANY_TYPE`. */
const OF_TYPE: Readonly<Partial<Record<EventType, ShownFields>>> = {
  'shipment.status_changed': { ...turn('/status'), regression: shows('/status') },
  'shipment.rolled': turn(...MEANS, FLIGHT),
  'shipment.invoice_status_changed': turn('/invoice_status'),
  'shipment.rerouted': { from: part('/route'), to: part('/route') },
  'shipment.quote_accepted': { from: part('/accepted_quote'), to: part('/accepted_quote') },
  'shipment.cargo_ready_date_changed': { ...turn('/cargo_ready_date'), shift_days: shows('/cargo_ready_date') },
  'shipment.desired_delivery_date_changed': { ...turn(DAY), shift_days: shows(DAY) },
  'shipment.references_changed': {
    orders: shows('/purchase_order_references'),
    invoices: shows('/invoice_references'),
  },
  'shipment.delivery_at_risk': { slack_days: shows(DAY, '/main_tracking_dates/delivery_date') },
  'shipment.delivery_back_on_track': { slack_days: shows(DAY, '/main_tracking_dates/delivery_date') },
  'tracking.status_changed': turn('/status'),
  'invoice.status_changed': turn('/status'),
  'invoice.due_date_changed': turn('/due_date'),
  'invoice.amount_changed': turn(...TOTALS),
  'credit_note.status_changed': turn('/status'),
  'credit_note.due_date_changed': turn('/due_date'),
  'credit_note.amount_changed': turn(...TOTALS),
  'purchase_order.shipment_status_changed': {
    ...turn(`${ASSIGNED}/shipment_status`),
    shipment_id: shows(...ASSIGNED_ID),
  },
  'purchase_order.eta_changed': { from: EXPECTED, to: EXPECTED, shift_minutes: EXPECTED, ...SHIPMENTS },
  'purchase_order.delivered': { date: EXPECTED },
  'purchase_order.delivery_at_risk': { to: EXPECTED, slack_days: [...EXPECTED, ...shows(DAY)] },
  'purchase_order.delivery_back_on_track': { to: EXPECTED, slack_days: [...EXPECTED, ...shows(DAY)] },
  'shipment.milestone_overdue': {
    at: shows('/main_tracking_dates/{milestone}_date'),
    date: shows('/main_tracking_dates/{milestone}_date'),
    hours_late: shows('/main_tracking_dates/{milestone}_date'),
  },
  'invoice.due_soon': { at: shows('/due_date') },
  'invoice.due': { at: shows('/due_date') },
  'invoice.overdue': { at: shows('/due_date') },
}

const OF_ANY_TYPE: ShownFields = {
  date_change: shows('/main_tracking_dates/{milestone}_date'),
  container: part('/cargo/containers/*'),
  step: part('/tracking_steps/*'),
  event: part('/tracking_steps/*/events/*'),
  previous_event: part('/tracking_steps/*/events/*'),
  position: part('/ocean_coordinates/*'),
  line: part(LINE),
  shipment_id: shows(...ASSIGNED_ID),
  order_status: [...EXPECTED, ...shows(DAY, `${LINE}/ordered_quantity`, `${ASSIGNED}/assigned_quantity`)],
  due_date: shows('/due_date'),
  days_left: shows('/due_date'),
  days_overdue: shows('/due_date'),
}

/** Where a field that an event adds to `data` comes from; empty: from no field of a record. */
export function shownIn(type: EventType, name: string, extras: JsonObject): readonly ShownField[] {
  const shown = OF_TYPE[type]?.[name] ?? (Object.hasOwn(OF_ANY_TYPE, name) ? OF_ANY_TYPE[name] : undefined) ?? []
  return shown.map((each) => ({ ...each, pointers: each.pointers.map((pointer) => ofMilestone(pointer, extras)) }))
}

function ofMilestone(pointer: string, extras: JsonObject): string {
  if (!pointer.includes('{milestone}')) return pointer
  const { date_change: change, milestone } = extras
  const named = typeof change === 'object' && change !== null && 'milestone' in change ? change.milestone : milestone
  return typeof named === 'string' ? pointer.replace('{milestone}', named) : '/main_tracking_dates'
}
