import type { InvoiceLife } from '../life/bill.ts'
import type { Life } from '../life/life.ts'
import type { InvoiceStatus } from '../life/collect.ts'
import { valueAt } from '../life/timeline.ts'

type ShipmentInvoiceStatus = 'available' | 'awaiting_invoice' | 'due' | 'paid' | 'partially_paid'

/** The invoices of a life that have been issued by a moment. */
export function issuedInvoices(life: Life, time: number): readonly InvoiceLife[] {
  return life.invoices.filter(({ at }) => at <= time && at < life.cancelledAt)
}

/** `invoice_status` of a shipment, of its invoices (credit notes do not count): the most urgent one speaks for all. */
export function invoiceStanding(issued: readonly InvoiceLife[], time: number): ShipmentInvoiceStatus {
  const statuses = issued.filter(({ type }) => type === 'invoice').map(({ status }) => valueAt(status, time))
  if (statuses.length === 0) return 'awaiting_invoice'
  if (statuses.includes('due')) return 'due'
  if (statuses.every(isSettled)) return 'paid'
  return statuses.some((status) => status === 'partially_paid' || isSettled(status)) ? 'partially_paid' : 'available'
}

function isSettled(status: InvoiceStatus | undefined): boolean {
  return status === 'paid' || status === 'write_off'
}
