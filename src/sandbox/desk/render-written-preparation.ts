import type { JsonObject } from '../../model/json.ts'
import { dayText } from '../render/date-text.ts'
import type { OrderPreparationDraft } from './order-preparation-body.ts'

const DAY = 86_400_000

/** A preparation as it was asked for, with every field of the record that is read. */
export function renderWrittenPreparation(draft: OrderPreparationDraft): JsonObject {
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
