import { z } from 'zod'
import { currency, flag, listOf, number, objectOf, oneOf, simpleDate, text } from './body-fields.ts'

/** The last instant whose year has four digits. */
const LATEST = Date.UTC(9999, 11, 31)

/** In the create shape a number, in the record a date: the sandbox takes both, a number as milliseconds since the Unix epoch. */
const pickupDate = z.custom<string | number>(
  (value) => simpleDate.safeParse(value).success || isInstant(value),
  'a date as YYYY-MM-DD or milliseconds since 1970',
)

function isInstant(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= LATEST
}

/** Body of endpoint 8. Its fields with option sets are not named by the interface: they are those of the record that is read. */
export const orderPreparationDraft = objectOf({
  instructions: objectOf({
    should_label_packages: flag.optional(),
    should_palletise: flag.optional(),
    should_certify_commercial_invoices: flag.optional(),
    target_pickup_date: pickupDate.optional(),
  }).optional(),
  locations: objectOf({
    preparing_warehouse_id: text.optional(),
    delivery_location_id: text.optional(),
  }).optional(),
  name: text.optional(),
  owner_in_charge_of_moving_goods_in_fca_export: flag.optional(),
  picking_references: listOf(text).optional(),
  commercial_invoice_ids: listOf(text).optional(),
  customer_names_for_whom_order_is_prepared: listOf(text).optional(),
  external_user_ids: listOf(text).optional(),
  hazardous_details: text.optional(),
  on_behalf_of_client_id: text.optional(),
  on_behalf_of_user_id: text.optional(),
  refrigerated_details: text.optional(),
  total_commercial_invoice_amount: number.optional(),
  target_pickup_date: simpleDate.optional(),
  packaging_done_at: simpleDate.optional(),
  client_role_on_order: oneOf(['buyer', 'seller']).optional(),
  freight_method: oneOf(['air', 'ocean', 'rail', 'truck']).optional(),
  incoterm: oneOf(['cfr', 'cif', 'cip', 'cpt', 'dap', 'dat', 'ddp', 'dpu', 'exw', 'fas', 'fca', 'fob']).optional(),
  total_commercial_invoice_amount_currency: currency.optional(),
})

export type OrderPreparationDraft = z.infer<typeof orderPreparationDraft>
