import { field, type JsonObject } from './json.ts'

/** Open invoices wait for money; settled ones never will; everything else suspends the calendar (contract section 4). */
export type InvoicePhase = 'open' | 'settled' | 'suspended'

const OPEN: readonly unknown[] = ['available', 'due', 'new', 'partially_paid']
const SETTLED: readonly unknown[] = ['paid', 'write_off']

export function invoicePhase(invoice: JsonObject): InvoicePhase {
  const status = field(invoice, 'status')
  if (OPEN.includes(status)) return 'open'
  return SETTLED.includes(status) ? 'settled' : 'suspended'
}

/** The first segment of an invoice's event types: `credit_note.*` by `type`, `invoice.*` otherwise. */
export function invoiceKind(invoice: JsonObject): 'invoice' | 'credit_note' {
  return field(invoice, 'type') === 'credit_note' ? 'credit_note' : 'invoice'
}
