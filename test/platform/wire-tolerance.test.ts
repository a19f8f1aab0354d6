import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import type { Json } from '../../src/model/json.ts'
import { formatPointer } from '../../src/model/pointer.ts'
import { RECORD_OF, type RecordResource } from '../../src/model/resource.ts'
import { checkRecord } from '../../src/platform/check-record.ts'
import { siteOf } from '../../src/platform/site.ts'
import { schemaOf, type SCHEMAS } from '../../src/platform/schemas.ts'

/** A record as the interface describes it, with the tolerance of the wire. */
type WireRecord<Resource extends keyof typeof SCHEMAS> = z.infer<(typeof SCHEMAS)[Resource]>

const at = '2026-11-21T08:00:00+01:00'
const price = { amount: 10.5, currency: 'EUR' } as const
const weight = { value: 1, unit: 'kg' } as const
const size = { value: 120, unit: 'cm' } as const
const parameter = { name: 'colour', value: 'red' }

const location = {
  id: 12,
  company_name: 'ACME',
  name: 'Dock 4',
  address: '1 quay',
  city: 'Le Havre',
  zip_code: 76600,
  country: 'FR',
  contacts: [{ name: 'Ann', email: 'ann@acme.example', phone: 33123456789 }],
  opening_hours: '8-17',
  requires_appointment: true,
  requires_tailgate_truck: false,
  additional_information: 'ring twice',
} satisfies WireRecord<'location'>

/** Every field of the interface document, each with a value of the kind that it names. */
const FULL = {
  shipment: {
    name: 'Autumn',
    platform_shipment_id: 'SHP-1',
    status: 'booked',
    created_at: at,
    incoterm: 'fob',
    freight_mode: 'ocean',
    load_type: 'fcl',
    freight_type: 'port_to_door',
    route: {
      pickup_location_id: '1',
      origin_port_unlocode: 'CNSHA',
      destination_port_unlocode: 'FRLEH',
      delivery_location_id: '12',
    },
    cargo_ready_date: '2026-11-01',
    desired_delivery_date: '2026-12-24',
    specific_instructions: 'keep dry',
    main_forwarder: 'FF',
    cargo: {
      total_weight: weight,
      total_volume: { value: 2, unit: 'cbm' },
      total_teus: 2,
      containers: [
        {
          container_type: 'forty_foot_reefer',
          container_number: 'MSKU1',
          seal_number: 991,
          purchase_order_references: ['PO-1', 2],
        },
      ],
      loads: [{ count: 4, type: 'pallet', weight, volume_unit: 'cbm', length: size, width: size, height: size }],
    },
    transported_goods: {
      goods_description: 'shoes',
      is_stackable: true,
      is_hazardous: false,
      hazardous_description: 'none',
      contains_lithium: false,
      lithium_packaging_type: 'packed',
      contains_magnets: false,
      needs_controlled_temperature: false,
      temperature_range_description: '2-8',
    },
    commercial_value: price,
    needs_ad_valorem_insurance: false,
    purchase_order_references: ['PO-1'],
    main_tracking_dates: {
      pickup_date: { date: at, status: 'actual' },
      departure_date: { date: at, status: 'planned' },
      arrival_date: { date: at, status: 'estimated' },
      delivery_date: { date: at, status: 'problem' },
    },
    booking_information: {
      carrier: 'CMA',
      master_bill: 'MB',
      house_bill: 'HB',
      ocean_booking: { booking_number: 'B', voyage: 'V', vessel: 'Marco Polo' },
      air_booking: { flight_number: 'AF1', chargeable_weight: weight },
    },
    invoice_status: 'due',
    invoice_references: ['INV-1'],
    accepted_quote: { id: 'Q', request_date: at, accepted_date: at },
  } satisfies WireRecord<'shipment'>,
  tracking: {
    platform_shipment_id: 'SHP-1',
    status: 'at sea',
    tracking_steps: [
      {
        type: 'departure',
        location,
        port: { unlocode: 'CNSHA', city: 'Shanghai', country: 'CN' },
        events: [{ description: 'Loaded', container_number: 'MSKU1', date: at, status: 'actual' }],
      },
    ],
    ocean_coordinates: [{ latitude: '31.2', longitude: '121.4' }],
  } satisfies WireRecord<'tracking'>,
  location,
  invoice: {
    reference: 'INV-1',
    number: '1',
    platform_shipment_id: 'SHP-1',
    type: 'invoice',
    status: 'due',
    sent_date: at,
    due_date: '2026-12-01',
    lines: [
      {
        category: 'freight',
        description: 'Ocean freight',
        price,
        quantity: { value: 1, unit: 'container' },
        unit_rate: price,
        vatRate: 20,
      },
    ],
    usd_to_eur_rate: 0.92,
  } satisfies WireRecord<'invoice'>,
  document: {
    id: 'D-1',
    name: 'packing.pdf',
    type: 'packing_list',
    platform_shipment_id: 'SHP-1',
    link: 'https://files.example/1',
    size: 12,
    uploaded_at: '2026-11-01',
  } satisfies WireRecord<'document'>,
  purchase_order: {
    po_number: 'PO-1',
    supplier_name: 'Supplier',
    purchase_order_lines: [
      {
        reference: 'L1',
        product: {
          sku: 'S',
          name: 'Shoe',
          hs_code: '6403',
          description: 'brown',
          is_hazardous: 'false',
          hazardous_description: '-',
          custom_parameters: [parameter],
        },
        ordered_quantity: 5,
        unit_price: price,
        assigned_order_lines: [
          {
            platform_shipment_id: 'SHP-1',
            shipment_status: 'booked',
            assigned_quantity: 5,
            shipped_order_lines: [
              {
                container_number: 'MSKU1',
                shipped_quantity: 5,
                packaging_total_volume: 1,
                number_of_packages: 1,
                packaging_type: 'box',
                net_weight: 1,
                gross_weight: 2,
                volume_unit: 'cbm',
                weight_unit: 'kg',
              },
            ],
          },
        ],
      },
    ],
    desired_ex_factory_date: '2026-11-01',
    desired_delivery_date: '2026-12-01',
    custom_parameters: [parameter],
  } satisfies WireRecord<'purchase_order'>,
  order_preparation: {
    client_role_on_order: 'buyer',
    commercial_invoice_ids: ['CI'],
    customer_names_for_whom_order_is_prepared: ['Bob'],
    external_user_ids: ['u'],
    freight_method: 'air',
    hazardous_details: 'none',
    incoterm: 'exw',
    instructions: {
      should_label_packages: true,
      should_palletise: true,
      origin_certification_type: 'eur1',
      should_certify_commercial_invoices: false,
      target_pickup_date: '2026-11-01',
    },
    locations: { preparing_warehouse_id: '1', delivery_location_id: '2' },
    name: 'Prep',
    on_behalf_of_client_id: 'c',
    on_behalf_of_user_id: 'u',
    owner_in_charge_of_moving_goods_in_fca_export: true,
    picking_references: ['P'],
    refrigerated_details: '2-8',
    total_commercial_invoice_amount: 100,
    total_commercial_invoice_amount_currency: 'EUR',
  } satisfies WireRecord<'order_preparation'>,
} as const satisfies Readonly<Record<RecordResource, Json>>

type Path = readonly (string | number)[]

const RECORDS = Object.values(RECORD_OF).map((resource) => [resource, FULL[resource]] as const)
const excerpt = siteOf('https://platform.example', 'key').excerpt

function verdict(resource: RecordResource, record: Json): string {
  const checked = checkRecord(record, schemaOf(resource), excerpt)
  return checked.kind === 'sound' ? 'sound' : checked.reason
}

/** Every place inside a record, its root left out. */
function places(value: Json, path: Path = []): readonly { readonly path: Path; readonly value: Json }[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries<Json>(value).flatMap(([key, child]) => {
    const place = [...path, Array.isArray(value) ? Number(key) : key]
    return [{ path: place, value: child }, ...places(child, place)]
  })
}

function replaced(value: Json, [key, ...rest]: Path, by: Json): Json {
  if (key === undefined) return by
  if (Array.isArray(value)) return value.map((each: Json, index) => (index === key ? replaced(each, rest, by) : each))
  return Object.fromEntries(
    Object.entries<Json>(Object(value)).map(([name, each]) => [name, name === key ? replaced(each, rest, by) : each]),
  )
}

/** What becomes of a record when each place in turn holds something else: its pointer and the verdict. */
function verdicts(resource: RecordResource, swap: (value: Json) => Json | undefined): ReadonlyMap<string, string> {
  const record: Json = FULL[resource]
  const found = new Map<string, string>()
  for (const { path, value } of places(record)) {
    const by = swap(value)
    if (by !== undefined) found.set(formatPointer(path), verdict(resource, replaced(record, path, by)))
  }
  return found
}

const isScalar = (value: Json): boolean => typeof value !== 'object'
const isObject = (value: Json): boolean => !isScalar(value) && !Array.isArray(value)

describe.each(RECORDS)('a %s', (resource, record) => {
  test('with every field of the interface is sound', () => {
    expect(verdict(resource, record)).toBe('sound')
  })

  test('flows on as the very object that was sent', () => {
    const checked = checkRecord(record, schemaOf(resource), excerpt)
    expect(checked.kind === 'sound' && checked.record).toBe(record)
  })

  test('without any field is sound', () => {
    expect(verdict(resource, {})).toBe('sound')
  })

  test.each([[null], [''], [[]]])('may leave out any part as %j', (nothing) => {
    expect([...verdicts(resource, () => nothing).values()].filter((each) => each !== 'sound')).toEqual([])
  })

  test.each([['a text never heard of'], ['12'], [12], [-0.5], [true]])('may hold %j as any scalar', (scalar) => {
    const seen = verdicts(resource, (value) => (isScalar(value) ? scalar : undefined))
    expect(seen.size).toBeGreaterThan(0)
    expect([...seen.values()].filter((each) => each !== 'sound')).toEqual([])
  })

  test('carries fields beyond the interface through, at every level', () => {
    const extra: Json = { beyond: { the: ['interface', null, 1] } }
    const swap = (value: Json): Json | undefined => (isObject(value) ? { ...Object(value), ...extra } : undefined)
    expect([...verdicts(resource, swap).values()].filter((each) => each !== 'sound')).toEqual([])
    expect(verdict(resource, Object.assign({}, record, extra))).toBe('sound')
  })

  test.each([
    ['a text', 'soon', '"soon"'],
    ['a number', 7, '7'],
    ['true', true, 'true'],
  ])('is rejected where a container is %s, saying where', (_what, by, found) => {
    for (const [pointer, reason] of verdicts(resource, (value) => (isScalar(value) ? undefined : by))) {
      expect(reason).toMatch(new RegExp(`^${pointer} should be an? (?:object|list), but is ${found}\\.$`))
    }
  })

  test('is rejected where an object stands for a list, saying where', () => {
    for (const [pointer, reason] of verdicts(resource, (value) => (Array.isArray(value) ? { 0: {} } : undefined))) {
      expect(reason).toBe(`${pointer} should be a list, but is an object.`)
    }
  })

  test('is rejected where a list stands for an object, saying where', () => {
    for (const [pointer, reason] of verdicts(resource, (value) => (isObject(value) ? [1, 2] : undefined))) {
      expect(reason).toBe(`${pointer} should be an object, but is a list of 2.`)
    }
  })

  test('is rejected where a container stands for a scalar, saying where', () => {
    for (const [pointer, reason] of verdicts(resource, (value) => (isScalar(value) ? { a: 1 } : undefined))) {
      expect(reason).toMatch(new RegExp(`^${pointer} should be [a-z -]+, but is an object\\.$`))
    }
  })

  test.each([
    ['null', null],
    ['a list', []],
    ['a text', 'SHP-1'],
  ])('is rejected as %s', (_what, value) => {
    expect(verdict(resource, value)).toMatch(/^The record should be an object, but is /)
  })
})
