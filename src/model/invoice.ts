import { field, type JsonObject } from './json.ts'

/** The first segment of an invoice's event types: `credit_note.*` by `type`, `invoice.*` otherwise. */
export function invoiceKind(invoice: JsonObject): 'invoice' | 'credit_note' {
  return field(invoice, 'type') === 'credit_note' ? 'credit_note' : 'invoice'
}
