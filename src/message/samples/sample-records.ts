import type { JsonObject } from '../../model/json.ts'

/** Records as the platform would send them, with every field that messages speak of. */
export const SAMPLE_SHIPMENT: JsonObject = {
  name: 'Spring collection',
  platform_shipment_id: 'SHP-1',
  status: 'in_progress',
  freight_mode: 'ocean',
  route: { origin_port_unlocode: 'CNSHA', destination_port_unlocode: 'FRLEH' },
  desired_delivery_date: '2026-12-18',
  cargo: { containers: [{ container_number: 'MSCU1234567', container_type: 'forty_foot_standard' }] },
  purchase_order_references: ['PO-1', 'PO-2'],
  main_tracking_dates: {
    departure_date: { date: '2026-11-20T22:00:00+08:00', status: 'actual' },
    arrival_date: { date: '2026-12-15T10:00:00Z', status: 'estimated' },
  },
  booking_information: {
    carrier: 'Example Line',
    master_bill: 'MAEU123',
    house_bill: 'HB-77',
    ocean_booking: { vessel: 'Ever Given', voyage: '12E' },
  },
}

export const SAMPLE_TRACKING: JsonObject = { platform_shipment_id: 'SHP-1', status: 'at_sea', tracking_steps: [] }

export const SAMPLE_INVOICE: JsonObject = {
  reference: 'INV-1',
  number: '2026-0042',
  platform_shipment_id: 'SHP-1',
  type: 'invoice',
  status: 'due',
  due_date: '2026-12-01',
  lines: [{ category: 'freight', price: { amount: 1250.5, currency: 'EUR' }, vatRate: 20 }],
}

export const SAMPLE_DOCUMENT: JsonObject = { id: '9', name: 'packing-list.pdf', type: 'packing_list' }

export const SAMPLE_ORDER: JsonObject = {
  po_number: 'PO-1',
  status: 'open',
  order_lines: [{ reference: 'L-1', quantity: 100 }],
}

export const SAMPLE_LOCATION: JsonObject = { id: 7, name: 'Lyon warehouse', city: 'Lyon', country: 'FR' }

export const SAMPLE_PREPARATION: JsonObject = { reference: 'OP-1', status: 'requested' }
