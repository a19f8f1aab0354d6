import { z } from 'zod'
import { freightMode, incoterm } from './trade-term.ts'
import { choice, currency, flag, listOf, number, part, simpleDate, text } from './value.ts'

/** Endpoint 9: the order preparation as returned. It carries no identifier of its own: the path names it. */
export const orderPreparationSchema = z.looseObject({
  client_role_on_order: choice<'buyer' | 'seller'>(),
  commercial_invoice_ids: listOf(text),
  customer_names_for_whom_order_is_prepared: listOf(text),
  external_user_ids: listOf(text),
  freight_method: freightMode,
  hazardous_details: text,
  incoterm,
  instructions: part({
    should_label_packages: flag,
    should_palletise: flag,
    origin_certification_type: text,
    should_certify_commercial_invoices: flag,
    target_pickup_date: simpleDate,
  }),
  locations: part({ preparing_warehouse_id: text, delivery_location_id: text }),
  name: text,
  on_behalf_of_client_id: text,
  on_behalf_of_user_id: text,
  owner_in_charge_of_moving_goods_in_fca_export: flag,
  picking_references: listOf(text),
  refrigerated_details: text,
  total_commercial_invoice_amount: number,
  total_commercial_invoice_amount_currency: currency,
})
