/*
 * What is true at the platform, in one rendering: dates in UTC, null for what is absent, ids as text. Two facts are the
 * same where their JSON is.
 */

export const MILESTONES = ['pickup', 'departure', 'arrival', 'delivery'] as const
export type Milestone = (typeof MILESTONES)[number]

export type DateEntry = { readonly date: string; readonly status: string } | null

export type Container = {
  readonly container_number: string
  readonly container_type: string
  readonly seal_number: string | null
  readonly purchase_order_references: readonly string[]
}

export type Shipment = {
  readonly platform_shipment_id: string
  readonly name: string
  readonly status: string
  readonly invoice_status: string | null
  /** A day. */
  readonly desired_delivery_date: string | null
  /** A day. */
  readonly cargo_ready_date: string | null
  readonly route: { readonly origin_port_unlocode: string; readonly destination_port_unlocode: string | null }
  readonly accepted_quote: { readonly id: string; readonly accepted_date: string } | null
  readonly transported_goods: { readonly goods_description: string | null; readonly is_hazardous: boolean }
  readonly invoice_references: readonly string[]
  readonly purchase_order_references: readonly string[]
  readonly commercial_value: { readonly amount: number; readonly currency: string }
  readonly main_tracking_dates: { readonly [Name in `${Milestone}_date`]: DateEntry }
  readonly booking_information: {
    readonly carrier: string | null
    readonly master_bill: string | null
    readonly ocean_booking: { readonly vessel: string | null; readonly voyage: string | null }
  }
  readonly cargo: { readonly total_teus: number; readonly containers: readonly Container[] }
}

export type Move = {
  readonly description: string
  readonly container_number: string | null
  readonly date: string
  readonly status: string
}

export type Step = {
  readonly type: string
  readonly port: { readonly unlocode: string; readonly city: string }
  readonly events: readonly Move[]
}

export type Tracking = {
  readonly platform_shipment_id: string
  readonly status: string
  readonly tracking_steps: readonly Step[]
}

export type InvoiceLine = {
  readonly category: string
  readonly description: string
  readonly price: { readonly amount: number; readonly currency: string }
  readonly vatRate: number
}

export type Invoice = {
  readonly reference: string
  readonly number: string
  readonly type: 'invoice' | 'credit_note'
  readonly status: string
  readonly due_date: string | null
  readonly sent_date: string
  readonly lines: readonly InvoiceLine[]
}

export type Paper = {
  readonly id: string
  readonly name: string
  readonly type: string | null
  readonly size: number
}

export type Assigned = {
  readonly platform_shipment_id: string
  /** As the order repeats it. */
  readonly shipment_status: string | null
  readonly assigned_quantity: number
  readonly shipped_order_lines: readonly { readonly container_number: string; readonly shipped_quantity: number }[]
}

export type OrderLine = {
  readonly reference: string
  readonly ordered_quantity: number
  readonly assigned_order_lines: readonly Assigned[]
}

export type Order = {
  readonly po_number: string
  readonly supplier_name: string | null
  readonly purchase_order_lines: readonly OrderLine[]
}

export type Place = {
  readonly id: string
  readonly name: string
  readonly zip_code: string | null
  readonly contacts: readonly { readonly name: string; readonly phone: string }[]
}

export type Preparation = {
  readonly name: string
  readonly instructions: { readonly target_pickup_date: string | null }
  readonly picking_references: readonly string[]
  readonly hazardous_details: string | null
}

/** The truth of each resource. */
export type Facts = {
  readonly shipment: Shipment
  readonly tracking: Tracking
  readonly invoice: Invoice
  readonly document: Paper
  readonly purchase_order: Order
  readonly location: Place
  readonly order_preparation: Preparation
}

export type Resource = keyof Facts
export type AnyFacts = Facts[Resource]

export function isShipment(facts: AnyFacts | null): facts is Shipment {
  return facts !== null && 'main_tracking_dates' in facts
}

export function isInvoice(facts: AnyFacts | null): facts is Invoice {
  return facts !== null && 'due_date' in facts
}

export function isOrder(facts: AnyFacts | null): facts is Order {
  return facts !== null && 'po_number' in facts
}

export function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
