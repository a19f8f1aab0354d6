import { z } from 'zod'
import {
  freightMode,
  incoterm,
  choice,
  currency,
  flag,
  listOf,
  number,
  part,
  simpleDate,
  text,
  type Currency,
} from './value.ts'

/** An order preparation as it is returned. It carries no identifier of its own: the path names it. */
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

/** Body of `POST /v1/orderPreparations`. The interface hides the names of the fields that carry option sets: they are those that it returns. */
export interface OrderPreparationDraft {
  readonly instructions?: {
    readonly should_label_packages?: boolean
    readonly should_palletise?: boolean
    readonly should_certify_commercial_invoices?: boolean
    /** A number in the interface's create shape, a date in the record that is read. */
    readonly target_pickup_date?: number | string
  }
  readonly locations?: { readonly preparing_warehouse_id?: string; readonly delivery_location_id?: string }
  readonly name?: string
  readonly owner_in_charge_of_moving_goods_in_fca_export?: boolean
  readonly picking_references?: readonly string[]
  readonly commercial_invoice_ids?: readonly string[]
  readonly customer_names_for_whom_order_is_prepared?: readonly string[]
  readonly external_user_ids?: readonly string[]
  readonly hazardous_details?: string
  readonly on_behalf_of_client_id?: string
  readonly on_behalf_of_user_id?: string
  readonly refrigerated_details?: string
  readonly total_commercial_invoice_amount?: number
  /** `YYYY-MM-DD` */
  readonly target_pickup_date?: string
  /** `YYYY-MM-DD` */
  readonly packaging_done_at?: string
  readonly client_role_on_order?: 'buyer' | 'seller'
  readonly freight_method?: 'air' | 'ocean' | 'rail' | 'truck'
  readonly incoterm?: 'cfr' | 'cif' | 'cip' | 'cpt' | 'dap' | 'dat' | 'ddp' | 'dpu' | 'exw' | 'fas' | 'fca' | 'fob'
  readonly total_commercial_invoice_amount_currency?: Currency
}
