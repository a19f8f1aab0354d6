import { z } from 'zod'
import {
  choice,
  dateWithTime,
  flag,
  listOf,
  number,
  part,
  price,
  simpleDate,
  size,
  text,
  volume,
  weight,
  freightMode,
  incoterm,
} from './value.ts'

const trackingDate = part({ date: dateWithTime, status: choice<'estimated' | 'actual' | 'planned' | 'problem'>() })

const container = part({
  container_type: choice<ContainerType>(),
  container_number: text,
  seal_number: text,
  purchase_order_references: listOf(text),
})

const load = part({
  count: number,
  type: choice<'pallet' | 'package' | 'rigid_crate'>(),
  weight,
  volume_unit: text,
  length: size,
  width: size,
  height: size,
})

const transportedGoods = part({
  goods_description: text,
  is_stackable: flag,
  is_hazardous: flag,
  hazardous_description: text,
  contains_lithium: flag,
  lithium_packaging_type: choice<'alone' | 'contained' | 'packed'>(),
  contains_magnets: flag,
  needs_controlled_temperature: flag,
  temperature_range_description: text,
})

const bookingInformation = part({
  carrier: text,
  master_bill: text,
  house_bill: text,
  ocean_booking: part({ booking_number: text, voyage: text, vessel: text }),
  air_booking: part({ flight_number: text, chargeable_weight: weight }),
})

/** A shipment, in its list and alone. The identifying field is found by name (guarantee D11), so no field is required here. */
export const shipmentSchema = z.looseObject({
  name: text,
  platform_shipment_id: text,
  status: choice<
    'booking_request' | 'awaiting_booking' | 'booked' | 'draft' | 'in_progress' | 'finished' | 'cancelled'
  >(),
  created_at: dateWithTime,
  incoterm,
  freight_mode: freightMode,
  load_type: choice<'fcl' | 'lcl' | 'both'>(),
  freight_type: choice<'port_to_door' | 'door_to_port' | 'door_to_door' | 'port_to_port'>(),
  route: part({
    pickup_location_id: text,
    origin_port_unlocode: text,
    destination_port_unlocode: text,
    delivery_location_id: text,
  }),
  cargo_ready_date: simpleDate,
  desired_delivery_date: simpleDate,
  specific_instructions: text,
  main_forwarder: text,
  cargo: part({
    total_weight: weight,
    total_volume: volume,
    total_teus: number,
    containers: listOf(container),
    loads: listOf(load),
  }),
  transported_goods: transportedGoods,
  commercial_value: price,
  needs_ad_valorem_insurance: flag,
  purchase_order_references: listOf(text),
  main_tracking_dates: part({
    pickup_date: trackingDate,
    departure_date: trackingDate,
    arrival_date: trackingDate,
    delivery_date: trackingDate,
  }),
  booking_information: bookingInformation,
  invoice_status: choice<'available' | 'awaiting_invoice' | 'due' | 'paid' | 'partially_paid'>(),
  invoice_references: listOf(text),
  accepted_quote: part({ id: text, request_date: dateWithTime, accepted_date: dateWithTime }),
})

type ContainerType =
  | 'twenty_foot_standard'
  | 'twenty_foot_reefer'
  | 'twenty_foot_flat_rack'
  | 'twenty_foot_open_top'
  | 'forty_foot_standard'
  | 'forty_foot_reefer'
  | 'forty_foot_flat_rack'
  | 'forty_foot_open_top'
  | 'forty_foot_highcube_standard'
  | 'forty_foot_highcube_reefer'
  | 'forty_foot_highcube_flat_rack'
  | 'forty_foot_highcube_open_top'
  | 'forty_five_foot_highcube_standard'
