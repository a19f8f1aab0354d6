import type { JsonObject } from '../../src/model/json.ts'

const DAY = 86_400_000
const START = Date.UTC(2026, 0, 1)

function at(days: number): string {
  return new Date(START + days * DAY).toISOString()
}

function size(value: number): JsonObject {
  return { value, unit: 'cm' }
}

/** The nth shipment of a benchmark: every field of the interface, about 3 kB. */
export function worldShipment(n: number): JsonObject {
  const id = `SHP-${String(n).padStart(6, '0')}`
  const containers = [0, 1].map((k) => ({
    container_type: 'forty_foot_highcube_standard',
    container_number: `MSCU${String(1_000_000 + n * 2 + k)}`,
    seal_number: 700_000 + n,
    purchase_order_references: [`PO-${n}`, `PO-${n + 1}`],
  }))
  const loads = [1, 2, 3].map((k) => ({
    count: k * 4,
    type: 'pallet',
    weight: { value: 120.5 * k, unit: 'kg' },
    volume_unit: 'cbm',
    length: size(120),
    width: size(80),
    height: size(100 + k),
  }))
  return {
    name: `Spring collection ${n}`,
    platform_shipment_id: id,
    status: 'in_progress',
    created_at: at(n % 300),
    incoterm: 'fob',
    freight_mode: 'ocean',
    load_type: 'fcl',
    freight_type: 'port_to_door',
    route: {
      pickup_location_id: '12',
      origin_port_unlocode: 'CNSHA',
      destination_port_unlocode: 'FRLEH',
      delivery_location_id: '34',
    },
    cargo_ready_date: at(n % 300).slice(0, 10),
    desired_delivery_date: at((n % 300) + 60).slice(0, 10),
    specific_instructions: 'Call the consignee two hours before the delivery; ramp 4 is closed on Fridays after three.',
    main_forwarder: 'Example Forwarding SAS',
    cargo: {
      total_weight: { value: 18_250.5, unit: 'kg' },
      total_volume: { value: 55.25, unit: 'cbm' },
      total_teus: 4,
      containers,
      loads,
    },
    transported_goods: {
      goods_description: 'Cotton garments on hangers, household textiles',
      is_stackable: true,
      is_hazardous: false,
      hazardous_description: null,
      contains_lithium: false,
      lithium_packaging_type: null,
      contains_magnets: false,
      needs_controlled_temperature: false,
      temperature_range_description: null,
    },
    commercial_value: { amount: 125_000.75, currency: 'EUR' },
    needs_ad_valorem_insurance: false,
    purchase_order_references: [`PO-${n}`, `PO-${n + 1}`],
    main_tracking_dates: {
      pickup_date: { date: at(n % 300), status: 'actual' },
      departure_date: { date: at((n % 300) + 5), status: 'actual' },
      arrival_date: { date: at((n % 300) + 40), status: 'estimated' },
      delivery_date: { date: at((n % 300) + 45), status: 'planned' },
    },
    booking_information: {
      carrier: 'Example Line',
      master_bill: `MEDU${n}`,
      house_bill: `HBL${n}`,
      ocean_booking: { booking_number: `BK${n}`, voyage: '412W', vessel: 'EXAMPLE TRIUMPH' },
      air_booking: null,
    },
    invoice_status: 'awaiting_invoice',
    invoice_references: [`INV-${n}`],
    accepted_quote: { id: `Q-${n}`, request_date: at(n % 300), accepted_date: at((n % 300) + 1) },
  }
}
