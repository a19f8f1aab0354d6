import { z } from 'zod'
import type { JsonObject } from '../../model/json.ts'
import { dayText } from '../date-text.ts'
import type { Shelf } from '../world/shelf.ts'
import { currency, flag, listOf, number, objectOf, oneOf, simpleDate, text } from './body-fields.ts'

/** The last instant whose year has four digits. */
const LATEST = Date.UTC(9999, 11, 31)

/**
 * The pickup date: in the create shape a number, in the record a date. The sandbox takes both, a number as milliseconds since
 * the Unix epoch.
 */
const pickupDate = z.custom<string | number>(
  (value) => simpleDate.safeParse(value).success || isInstant(value),
  'a date as YYYY-MM-DD or milliseconds since 1970',
)

function isInstant(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= LATEST
}

/** Body of `POST /v1/orderPreparations`. Its fields with option sets are not named by the interface: they are those of the record that is read. */
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

type OrderPreparationDraft = z.infer<typeof orderPreparationDraft>

/** Far above the seeded ones. */
const FIRST_WRITTEN = 1_000_000_001

/** Order preparations that can be read and created. What is created lasts as long as the desk. */
export interface OrderPreparationDesk extends Pick<Shelf, 'find'> {
  /** Answers the reference of the new one. */
  create(draft: OrderPreparationDraft): string
}

export function orderPreparationDesk(shelf: Pick<Shelf, 'find'>): OrderPreparationDesk {
  const written = new Map<string, JsonObject>()
  return {
    find: (reference, time) => written.get(reference) ?? shelf.find(reference, time),
    create: (draft) => {
      const reference = `OP-${FIRST_WRITTEN + written.size}`
      written.set(reference, renderWrittenPreparation(draft))
      return reference
    },
  }
}

const DAY = 86_400_000

/** A preparation as it was asked for, with every field of the record that is read. */
function renderWrittenPreparation(draft: OrderPreparationDraft): JsonObject {
  const { instructions, locations } = draft
  return {
    client_role_on_order: draft.client_role_on_order ?? null,
    commercial_invoice_ids: draft.commercial_invoice_ids ?? [],
    customer_names_for_whom_order_is_prepared: draft.customer_names_for_whom_order_is_prepared ?? [],
    external_user_ids: draft.external_user_ids ?? [],
    freight_method: draft.freight_method ?? null,
    hazardous_details: draft.hazardous_details ?? null,
    incoterm: draft.incoterm ?? null,
    instructions: {
      should_label_packages: instructions?.should_label_packages ?? false,
      should_palletise: instructions?.should_palletise ?? false,
      origin_certification_type: null,
      should_certify_commercial_invoices: instructions?.should_certify_commercial_invoices ?? false,
      target_pickup_date: pickupDay(instructions?.target_pickup_date ?? draft.target_pickup_date),
    },
    locations: {
      preparing_warehouse_id: locations?.preparing_warehouse_id ?? null,
      delivery_location_id: locations?.delivery_location_id ?? null,
    },
    name: draft.name ?? null,
    on_behalf_of_client_id: draft.on_behalf_of_client_id ?? null,
    on_behalf_of_user_id: draft.on_behalf_of_user_id ?? null,
    owner_in_charge_of_moving_goods_in_fca_export: draft.owner_in_charge_of_moving_goods_in_fca_export ?? false,
    picking_references: draft.picking_references ?? [],
    refrigerated_details: draft.refrigerated_details ?? null,
    total_commercial_invoice_amount: draft.total_commercial_invoice_amount ?? null,
    total_commercial_invoice_amount_currency: draft.total_commercial_invoice_amount_currency ?? null,
  }
}

function pickupDay(date: number | string | undefined): string | null {
  return typeof date === 'number' ? dayText(Math.floor(date / DAY)) : (date ?? null)
}
