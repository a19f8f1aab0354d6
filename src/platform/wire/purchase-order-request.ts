import type { Currency } from './value.ts'

/** Body of endpoint 6. Which fields are required is not shown; `custom_parameters` has at most six entries. */
export interface PurchaseOrderDraft extends PurchaseOrderUpdate {
  readonly supplier_id?: string
  readonly custom_parameters?: readonly CustomParameter[]
  /** `YYYY-MM-DD` */
  readonly desired_delivery_date?: string
  /** `YYYY-MM-DD` */
  readonly desired_ex_factory_date?: string
}

/** Body of endpoint 7: the lines replace those the order has. */
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
