import { z } from 'zod'
import { customParameters, listOf, number, part, price, simpleDate, text, type Currency } from './value.ts'

const product = part({
  sku: text,
  name: text,
  hs_code: text,
  description: text,
  /** Holds a boolean word. */
  is_hazardous: text,
  hazardous_description: text,
  custom_parameters: customParameters,
})

const shippedOrderLine = part({
  container_number: text,
  shipped_quantity: number,
  packaging_total_volume: number,
  number_of_packages: number,
  packaging_type: text,
  net_weight: number,
  gross_weight: number,
  volume_unit: text,
  weight_unit: text,
})

const assignedOrderLine = part({
  platform_shipment_id: text,
  shipment_status: text,
  assigned_quantity: number,
  shipped_order_lines: listOf(shippedOrderLine),
})

/** A purchase order as it is returned, in its list and alone. */
export const purchaseOrderSchema = z.looseObject({
  po_number: text,
  supplier_name: text,
  purchase_order_lines: listOf(
    part({
      reference: text,
      product,
      ordered_quantity: number,
      unit_price: price,
      assigned_order_lines: listOf(assignedOrderLine),
    }),
  ),
  desired_ex_factory_date: simpleDate,
  desired_delivery_date: simpleDate,
  custom_parameters: customParameters,
})

/** Body of `POST /v1/purchaseOrders`. Which fields are required is not shown; `custom_parameters` has at most six entries. */
export interface PurchaseOrderDraft extends PurchaseOrderUpdate {
  readonly supplier_id?: string
  readonly custom_parameters?: readonly CustomParameter[]
  /** `YYYY-MM-DD` */
  readonly desired_delivery_date?: string
  /** `YYYY-MM-DD` */
  readonly desired_ex_factory_date?: string
}

/** Body of `PATCH /v1/purchaseOrders`: the lines replace those the order has. */
export interface PurchaseOrderUpdate {
  /** Identifies the order; its `po_number` once it is read. */
  readonly reference: string
  readonly product_lines: readonly ProductLine[]
}

interface ProductLine {
  readonly reference?: string
  readonly ordered_quantity?: number
  readonly unit_price?: { readonly amount: number; readonly currency: Currency }
  readonly volume?: number
  readonly volume_unit?: string
  readonly product?: {
    readonly sku?: string
    readonly hs_code?: string
    readonly description?: string
    /** A boolean word. */
    readonly is_hazardous?: string
    readonly hazardous_description?: string
    readonly custom_parameters?: readonly CustomParameter[]
  }
}

interface CustomParameter {
  readonly name: string
  readonly value: string
}
