import * as fc from 'fast-check'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../src/model/json.ts'
import type { RecordResource } from '../../src/model/resource.ts'
import { SHIPMENT_STATUSES } from '../../src/model/shipment.ts'

/** Few values per field, so that two records are often alike in part and moves meet. */
const text = fc.constantFrom('alpha', 'beta', 'gamma delta', 'Été', 'x/y~z')
const instant = fc
  .integer({ min: 0, max: 40 })
  .map((hours) => new Date(Date.UTC(2026, 4, 1) + hours * 3_600_000).toISOString())
const day = fc.integer({ min: 1, max: 9 }).map((number) => `2026-06-0${number}`)
const amount = fc.integer({ min: 0, max: 40 }).map((quarters) => quarters / 4 + 0.1)
const identifier = fc.integer({ min: 1, max: 9 }).map(String)

/** Fields that may be missing. */
function partly(fields: Readonly<Record<string, fc.Arbitrary<Json>>>): fc.Arbitrary<JsonObject> {
  return fc
    .record(fields, { requiredKeys: [] })
    .map((record) => Object.fromEntries(Object.entries(record).flatMap(present)))
}

function listOf(element: fc.Arbitrary<Json>, maxLength = 4): fc.Arbitrary<readonly Json[]> {
  return fc.array(element, { maxLength })
}

const trackingDate = partly({ date: instant, status: fc.constantFrom('estimated', 'actual', 'planned', 'problem') })
const weight = partly({ value: amount, unit: fc.constantFrom('kg', 'lbs') })
const size = partly({ value: amount, unit: fc.constant('cm') })

const container = partly({
  container_number: fc.constantFrom('MSCU1', 'MSCU2', 'MSCU3', '77'),
  container_type: fc.constantFrom('twenty_foot_standard', 'forty_foot_reefer'),
  seal_number: identifier,
  purchase_order_references: listOf(identifier),
})

const load = partly({
  count: fc.integer({ min: 1, max: 3 }),
  type: fc.constantFrom('pallet', 'package'),
  weight,
  length: size,
})

const dates = partly({
  pickup_date: trackingDate,
  departure_date: trackingDate,
  arrival_date: trackingDate,
  delivery_date: trackingDate,
})

const booking = partly({
  carrier: text,
  master_bill: identifier,
  ocean_booking: partly({ booking_number: identifier, voyage: identifier, vessel: text }),
  air_booking: partly({ flight_number: text, chargeable_weight: weight }),
})

const shipment: fc.Arbitrary<JsonObject> = partly({
  name: text,
  status: fc.constantFrom(...SHIPMENT_STATUSES, 'cancelled', 'at_customs'),
  created_at: instant,
  route: partly({ pickup_location_id: identifier, origin_port_unlocode: text }),
  cargo: partly({ total_weight: weight, total_teus: fc.nat(3), containers: listOf(container), loads: listOf(load) }),
  needs_ad_valorem_insurance: fc.boolean(),
  purchase_order_references: listOf(identifier),
  main_tracking_dates: dates,
  booking_information: booking,
  invoice_status: fc.constantFrom('available', 'due', 'paid'),
  unknown: partly({
    notes: listOf(fc.oneof(text, amount, partly({ label: text, at: instant, grades: listOf(amount) }))),
  }),
}).map((record) => ({ platform_shipment_id: 'SHP-1', ...record }))

const trackingEvent = partly({
  description: fc.constantFrom('Gate in', 'Loaded'),
  container_number: fc.constantFrom('MSCU1', '77'),
  date: instant,
  status: fc.constantFrom('estimated', 'actual'),
  remark: text,
})

const twinIdentifier = fc.constantFrom('7', '007', '07')

/** A shipment whose identifiers often differ in leading zeros only. */
export const ZEROS_SHIPMENT: fc.Arbitrary<JsonObject> = partly({
  purchase_order_references: listOf(twinIdentifier),
  cargo: partly({
    containers: listOf(
      partly({
        container_number: twinIdentifier,
        seal_number: twinIdentifier,
        purchase_order_references: listOf(twinIdentifier, 2),
      }),
    ),
  }),
})

const step = partly({
  type: fc.constantFrom('departure', 'arrival'),
  location: partly({ id: identifier, name: text }),
  port: partly({ unlocode: fc.constantFrom('CNSHA', 'FRLEH'), city: text }),
  events: listOf(trackingEvent),
})

const tracking: fc.Arbitrary<JsonObject> = partly({
  status: text,
  tracking_steps: listOf(step, 3),
  ocean_coordinates: listOf(partly({ latitude: identifier }), 2),
}).map((record) => ({ platform_shipment_id: 'SHP-1', ...record }))

/** Nothing tells one event from another, and hardly one step: which one stays, and which tells its step, is easily mistaken. */
const twinEvent = partly({
  description: fc.constant('Loaded'),
  date: fc.constantFrom('2026-05-01T08:00:00.000Z', '2026-05-01T09:00:00.000Z'),
  status: fc.constantFrom('estimated', 'actual'),
})

const twinStep = partly({
  type: fc.constant('departure'),
  location: partly({ id: fc.constantFrom('1', '2'), name: fc.constant('alpha') }),
  port: partly({ unlocode: fc.constant('CNSHA') }),
  events: listOf(twinEvent, 3),
})

/** A tracking whose steps and events are often the same. */
export const TWIN_TRACKING: fc.Arbitrary<JsonObject> = partly({ tracking_steps: listOf(twinStep, 3) })

const line = partly({
  category: fc.constantFrom('freight', 'duty'),
  description: text,
  price: partly({ amount, currency: fc.constantFrom('EUR', 'USD') }),
  quantity: partly({ value: amount, unit: text }),
  vatRate: fc.constantFrom(0, 5.5, 20),
})

const invoice: fc.Arbitrary<JsonObject> = partly({
  number: identifier,
  platform_shipment_id: identifier,
  type: fc.constantFrom('invoice', 'credit_note'),
  status: fc.constantFrom('available', 'due', 'paid', 'in_modification'),
  sent_date: instant,
  due_date: day,
  lines: listOf(line, 5),
  usd_to_eur_rate: amount,
}).map((record) => ({ reference: 'SHP-1', ...record }))

const document: fc.Arbitrary<JsonObject> = partly({
  name: text,
  type: fc.constantFrom('packing_list', 'cmr'),
  platform_shipment_id: identifier,
  link: text,
  size: fc.nat(3),
  uploaded_at: day,
}).map((record) => ({ id: 'SHP-1', ...record }))

const customParameters = listOf(partly({ name: text, value: text }), 3)

const shippedLine = partly({
  container_number: fc.constantFrom('MSCU1', '77'),
  shipped_quantity: amount,
  packaging_type: text,
})

const assignedLine = partly({
  platform_shipment_id: identifier,
  shipment_status: text,
  assigned_quantity: fc.nat(9),
  shipped_order_lines: listOf(shippedLine, 3),
})

const orderLine = partly({
  reference: identifier,
  product: partly({ sku: text, name: text, custom_parameters: customParameters }),
  ordered_quantity: fc.nat(9),
  unit_price: partly({ amount, currency: fc.constantFrom('EUR', 'USD') }),
  assigned_order_lines: listOf(assignedLine, 3),
})

const purchaseOrder: fc.Arbitrary<JsonObject> = partly({
  supplier_name: text,
  purchase_order_lines: listOf(orderLine, 3),
  desired_delivery_date: day,
  custom_parameters: customParameters,
}).map((record) => ({ po_number: 'SHP-1', ...record }))

const location: fc.Arbitrary<JsonObject> = partly({
  name: text,
  zip_code: identifier,
  country: fc.constantFrom('FR', 'CN'),
  contacts: listOf(partly({ name: text, email: text, phone: identifier }), 3),
  requires_appointment: fc.boolean(),
}).map((record) => ({ id: 'SHP-1', ...record }))

const orderPreparation: fc.Arbitrary<JsonObject> = partly({
  commercial_invoice_ids: listOf(identifier),
  freight_method: text,
  instructions: partly({ should_palletise: fc.boolean(), target_pickup_date: day }),
  picking_references: listOf(identifier),
  total_commercial_invoice_amount: amount,
}).map((record) => ({ name: 'Spring', ...record }))

export const ARBITRARIES: Readonly<Record<RecordResource, fc.Arbitrary<JsonObject>>> = {
  shipment,
  tracking,
  invoice,
  document,
  purchase_order: purchaseOrder,
  location,
  order_preparation: orderPreparation,
}

/** A record and what became of it: some of its parts are kept, the others are those of another record. */
export function evolving(
  record: fc.Arbitrary<JsonObject>,
): fc.Arbitrary<readonly [before: JsonObject, after: JsonObject]> {
  return fc
    .tuple(record, record, fc.infiniteStream(fc.boolean()))
    .map(([before, other, choices]) => [before, mix(before, other, () => choices.next().value ?? true)] as const)
    .map(([before, after]) => [before, isJsonObject(after) ? after : {}] as const)
}

function mix(left: Json, right: Json, keepsLeft: () => boolean): Json {
  if (isJsonObject(left) && isJsonObject(right)) {
    const names = [...new Set([...Object.keys(left), ...Object.keys(right)])]
    return Object.fromEntries(
      names.flatMap((name) => {
        const values = [left[name], right[name]] as const
        if (values[0] !== undefined && values[1] !== undefined) return [[name, mix(values[0], values[1], keepsLeft)]]
        const kept = keepsLeft() ? values[0] : values[1]
        return kept === undefined ? [] : [[name, kept]]
      }),
    )
  }
  if (isJsonArray(left) && isJsonArray(right)) {
    const length = Math.max(left.length, right.length)
    return Array.from({ length }, (_, index) => {
      const [was, is] = [left[index], right[index]]
      return was !== undefined && is !== undefined ? mix(was, is, keepsLeft) : keepsLeft() ? was : is
    }).filter((value) => value !== undefined)
  }
  return keepsLeft() ? left : right
}

function present([name, value]: readonly [string, Json | undefined]): readonly (readonly [string, Json])[] {
  return value === undefined ? [] : [[name, value]]
}
