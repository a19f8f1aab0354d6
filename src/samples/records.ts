import type { JsonObject } from '../model/json.ts'

/*
 * One small world on 21 November 2026, as the platform would send it, with every field of its interface: what a template may
 * speak of is judged by it.
 */

export const SHIPMENT_ID = 'SHP-1'

export const CONTAINER: JsonObject = {
  container_number: 'MSCU1234567',
  container_type: 'forty_foot_standard',
  seal_number: 'SL-4711',
  purchase_order_references: ['PO-1', 'PO-2'],
}

const KG = { value: 820, unit: 'kg' }
const CM = { value: 120, unit: 'cm' }

export const SHIPMENT: JsonObject = {
  name: 'Spring collection',
  platform_shipment_id: SHIPMENT_ID,
  status: 'in_progress',
  created_at: '2026-10-02T09:15:00Z',
  incoterm: 'fob',
  freight_mode: 'ocean',
  load_type: 'fcl',
  freight_type: 'port_to_door',
  route: {
    pickup_location_id: '5',
    origin_port_unlocode: 'CNSHA',
    destination_port_unlocode: 'FRLEH',
    delivery_location_id: '7',
  },
  cargo_ready_date: '2026-11-16',
  desired_delivery_date: '2026-12-18',
  specific_instructions: 'Call before delivery',
  main_forwarder: 'Example Forwarding',
  cargo: {
    total_weight: { value: 16_400, unit: 'kg' },
    total_volume: { value: 58.2, unit: 'cbm' },
    total_teus: 2,
    containers: [CONTAINER],
    loads: [{ count: 20, type: 'pallet', weight: KG, volume_unit: 'cbm', length: CM, width: CM, height: CM }],
  },
  transported_goods: {
    goods_description: 'Clothing',
    is_stackable: true,
    is_hazardous: false,
    hazardous_description: 'none',
    contains_lithium: false,
    lithium_packaging_type: 'packed',
    contains_magnets: false,
    needs_controlled_temperature: false,
    temperature_range_description: 'none',
  },
  commercial_value: { amount: 84_000, currency: 'EUR' },
  needs_ad_valorem_insurance: false,
  purchase_order_references: ['PO-1', 'PO-2'],
  main_tracking_dates: {
    pickup_date: { date: '2026-11-18T08:00:00+08:00', status: 'actual' },
    departure_date: { date: '2026-11-20T22:00:00+08:00', status: 'actual' },
    arrival_date: { date: '2026-12-15T10:00:00Z', status: 'estimated' },
    delivery_date: { date: '2026-12-21T09:00:00+01:00', status: 'estimated' },
  },
  booking_information: {
    carrier: 'Example Line',
    master_bill: 'MAEU123',
    house_bill: 'HB-77',
    ocean_booking: { booking_number: 'BK-1', vessel: 'Ever Given', voyage: '12E' },
    air_booking: { flight_number: null, chargeable_weight: KG },
  },
  invoice_status: 'due',
  invoice_references: ['INV-1', 'CN-1'],
  accepted_quote: { id: 'Q-1', request_date: '2026-09-20T08:00:00Z', accepted_date: '2026-09-22T08:00:00Z' },
}

export const LOCATION: JsonObject = {
  id: 7,
  company_name: 'Example Warehousing',
  name: 'Lyon warehouse',
  address: '1 Rue de la Gare',
  city: 'Lyon',
  zip_code: 69_002,
  country: 'FR',
  contacts: [{ name: 'A. Martin', email: 'dock@example.com', phone: 33_400_000_000 }],
  opening_hours: '08:00-17:00',
  requires_appointment: true,
  requires_tailgate_truck: false,
  additional_information: 'Gate 3',
}

export const TRACKING_EVENT: JsonObject = {
  description: 'Gate in',
  container_number: 'MSCU1234567',
  date: '2026-11-20T10:00:00Z',
  status: 'actual',
}

const STEP: JsonObject = {
  type: 'departure',
  location: null,
  port: { unlocode: 'CNSHA', city: 'Shanghai', country: 'CN' },
}

export const TRACKING: JsonObject = {
  platform_shipment_id: SHIPMENT_ID,
  status: 'at_sea',
  tracking_steps: [
    { ...STEP, events: [TRACKING_EVENT] },
    { type: 'delivery', location: LOCATION, port: null, events: [] },
  ],
  ocean_coordinates: [{ latitude: '31.23', longitude: '121.47' }],
}

export const INVOICE: JsonObject = {
  reference: 'INV-1',
  number: '2026-0042',
  platform_shipment_id: SHIPMENT_ID,
  type: 'invoice',
  status: 'due',
  sent_date: '2026-11-01T08:00:00Z',
  due_date: '2026-12-01',
  lines: [
    {
      category: 'freight',
      description: 'Ocean freight',
      price: { amount: 1250.5, currency: 'EUR' },
      quantity: { value: 2, unit: 'container' },
      unit_rate: { amount: 625.25, currency: 'EUR' },
      vatRate: 20,
    },
  ],
  usd_to_eur_rate: 0.92,
}

export const CREDIT_NOTE: JsonObject = {
  ...INVOICE,
  reference: 'CN-1',
  number: '2026-0043',
  type: 'credit_note',
  sent_date: '2026-11-12T08:00:00Z',
  lines: [
    {
      category: 'freight',
      description: 'Discount on ocean freight',
      price: { amount: -150, currency: 'EUR' },
      quantity: { value: 2, unit: 'container' },
      unit_rate: { amount: -75, currency: 'EUR' },
      vatRate: 20,
    },
  ],
}

/** But for `link`, which is never sent. */
export const DOCUMENT: JsonObject = {
  id: '9',
  name: 'packing-list.pdf',
  type: 'packing_list',
  platform_shipment_id: SHIPMENT_ID,
  size: 48_213,
  uploaded_at: '2026-11-20',
}

const ORDER_LINE: JsonObject = {
  reference: 'L-1',
  product: {
    sku: 'SKU-7',
    name: 'Summer dress',
    hs_code: '6204.42',
    description: 'Cotton',
    is_hazardous: 'false',
    hazardous_description: 'none',
    custom_parameters: [{ name: 'colour', value: 'blue' }],
  },
  ordered_quantity: 100,
  unit_price: { amount: 12.4, currency: 'USD' },
  assigned_order_lines: [
    {
      platform_shipment_id: SHIPMENT_ID,
      shipment_status: 'in_progress',
      assigned_quantity: 100,
      shipped_order_lines: [
        {
          container_number: 'MSCU1234567',
          shipped_quantity: 80,
          packaging_total_volume: 3.2,
          number_of_packages: 8,
          packaging_type: 'carton',
          net_weight: 210,
          gross_weight: 230,
          volume_unit: 'cbm',
          weight_unit: 'kg',
        },
      ],
    },
  ],
}

export const ORDER: JsonObject = {
  po_number: 'PO-1',
  supplier_name: 'Example Textiles',
  purchase_order_lines: [ORDER_LINE],
  desired_ex_factory_date: '2026-11-14',
  desired_delivery_date: '2026-12-18',
  custom_parameters: [{ name: 'season', value: 'spring' }],
}

export const PREPARATION: JsonObject = {
  client_role_on_order: 'buyer',
  commercial_invoice_ids: ['CI-1'],
  customer_names_for_whom_order_is_prepared: ['Example Stores'],
  external_user_ids: ['U-1'],
  freight_method: 'ocean',
  hazardous_details: 'none',
  incoterm: 'fob',
  instructions: {
    should_label_packages: true,
    should_palletise: true,
    origin_certification_type: 'eur1',
    should_certify_commercial_invoices: false,
    target_pickup_date: '2026-11-24',
  },
  locations: { preparing_warehouse_id: '5', delivery_location_id: '7' },
  name: 'Spring collection, second part',
  on_behalf_of_client_id: 'C-1',
  on_behalf_of_user_id: 'U-1',
  owner_in_charge_of_moving_goods_in_fca_export: false,
  picking_references: ['PK-1', 'PK-2'],
  refrigerated_details: 'none',
  total_commercial_invoice_amount: 8400,
  total_commercial_invoice_amount_currency: 'EUR',
}
