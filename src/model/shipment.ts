import { parseInstant } from './instant.ts'
import { asText, field, isJsonArray, isJsonObject, textField, type Json, type JsonObject } from './json.ts'

/** Forward order of `status`; `cancelled` stands outside it (guarantee E3, `regression`). */
export const SHIPMENT_STATUSES = [
  'draft',
  'booking_request',
  'awaiting_booking',
  'booked',
  'in_progress',
  'finished',
] as const

/** Every `status` that the interface names. */
export const NAMED_SHIPMENT_STATUSES = [...SHIPMENT_STATUSES, 'cancelled'] as const

/** Every `invoice_status` that the interface names. */
export const SHIPMENT_INVOICE_STATUSES = ['available', 'awaiting_invoice', 'due', 'paid', 'partially_paid'] as const

/** Every `status` of a main tracking date that the interface names. */
export const DATE_STATUSES = ['estimated', 'actual', 'planned', 'problem'] as const

export const MILESTONES = ['pickup', 'departure', 'arrival', 'delivery'] as const
export type Milestone = (typeof MILESTONES)[number]

/** A `main_tracking_dates` entry as sent, beside its instant (null where there is none). */
export interface TrackingDate {
  readonly raw: JsonObject
  readonly instant: number | null
  readonly status: string | null
}

export const DATE_FIELDS = {
  pickup: 'pickup_date',
  departure: 'departure_date',
  arrival: 'arrival_date',
  delivery: 'delivery_date',
} as const

export function trackingDate(shipment: JsonObject | null, milestone: Milestone): TrackingDate | null {
  const raw = entryOf(shipment, milestone)
  if (!isJsonObject(raw)) return null
  const date = field(raw, 'date')
  const instant = parseInstant(date)
  const status = textField(raw, 'status')
  return instant === null && status === null && asText(date) === null ? null : { raw, instant, status }
}

/** The status of a milestone that tracking shows, without the rest: a changed shipment is asked for it dozens of times. */
export function trackingStatus(shipment: JsonObject | null, milestone: Milestone): string | null {
  return textField(entryOf(shipment, milestone), 'status')
}

/** The instant of a milestone that tracking shows, without the rest. */
export function trackingInstant(shipment: JsonObject | null, milestone: Milestone): number | null {
  return parseInstant(field(entryOf(shipment, milestone), 'date'))
}

function entryOf(shipment: JsonObject | null, milestone: Milestone): Json | undefined {
  return shipment === null ? undefined : field(field(shipment, 'main_tracking_dates'), DATE_FIELDS[milestone])
}

/** Finished and cancelled shipments are no longer expected to move. */
export function isClosed(shipment: JsonObject): boolean {
  const status = field(shipment, 'status')
  return status === 'finished' || status === 'cancelled'
}

/** `data.shipment` of a payload. A list is null only where a subscription leaves it out. */
export interface ShipmentSummary {
  readonly id: string
  readonly name: string | null
  readonly status: string | null
  readonly freight_mode: string | null
  readonly purchase_order_references: readonly string[] | null
  readonly container_numbers: readonly string[] | null
  readonly master_bill: string | null
  readonly house_bill: string | null
}

export function summariseShipment(id: string, shipment: JsonObject): ShipmentSummary {
  const booking = field(shipment, 'booking_information')
  const containers = field(field(shipment, 'cargo'), 'containers')
  const references = field(shipment, 'purchase_order_references')
  return {
    id,
    name: textField(shipment, 'name'),
    status: textField(shipment, 'status'),
    freight_mode: textField(shipment, 'freight_mode'),
    purchase_order_references: isJsonArray(references) ? texts(references, (each) => each) : [],
    container_numbers: isJsonArray(containers) ? texts(containers, (each) => field(each, 'container_number')) : [],
    master_bill: textField(booking, 'master_bill'),
    house_bill: textField(booking, 'house_bill'),
  }
}

function texts(values: readonly Json[], part: (value: Json) => Json | undefined): readonly string[] {
  const found: string[] = []
  for (const value of values) {
    const text = asText(part(value))
    if (text !== null) found.push(text)
  }
  return found
}

const USUAL = 'platform_shipment_id'

/**
 * The field that holds the id of a page's shipments: `platform_shipment_id` if any row has it, or else the `*_shipment_id`
 * that most rows have, if there is one such (guarantee D11).
 */
export function shipmentIdFieldOf(rows: readonly Json[]): string | null {
  const records = rows.filter((row) => isJsonObject(row))
  if (records.some((record) => Object.hasOwn(record, USUAL))) return USUAL
  const names = Map.groupBy(records.flatMap(candidatesOf), (name) => name)
  const [first, second] = [...names].sort(([, left], [, right]) => right.length - left.length)
  return first === undefined || second?.[1].length === first[1].length ? null : first[0]
}

/**
 * The field that identifies shipments where no row has another that could be taken for it; null where one has, or none has
 * any.
 */
export function certainShipmentIdField(rows: readonly Json[]): string | null {
  const records = rows.filter((row) => isJsonObject(row))
  if (records.some((record) => Object.hasOwn(record, USUAL))) return USUAL
  const [name, ...others] = new Set(records.flatMap(candidatesOf))
  return name === undefined || others.length > 0 ? null : name
}

/** Whether rows leave the field certain that other rows are certainly identified by. */
export function leaveCertain(certainField: string, rows: readonly Json[]): boolean {
  if (certainField === USUAL) return true
  return rows.every((row) => !isJsonObject(row) || candidatesOf(row).every((name) => name === certainField))
}

/** The id of the shipment that a record is or belongs to; null where it names none. */
export function shipmentIdOf(record: JsonObject, idField: string | null): string | null {
  const name = idField ?? shipmentIdFieldOf([record])
  return name === null ? null : asText(field(record, name))
}

function candidatesOf(record: JsonObject): readonly string[] {
  return Object.keys(record).filter((key) => key.endsWith('_shipment_id'))
}
