import { field, textField, type JsonObject } from './json.ts'
import { isCalendarDate } from './zoned-day.ts'

/** The first segment of an invoice's event types: `credit_note.*` by `type`, `invoice.*` otherwise. */
export function invoiceKind(invoice: JsonObject): 'invoice' | 'credit_note' {
  return field(invoice, 'type') === 'credit_note' ? 'credit_note' : 'invoice'
}

const OPEN: ReadonlySet<string> = new Set(['available', 'due', 'new', 'partially_paid'])
const SETTLED: ReadonlySet<string> = new Set(['paid', 'write_off'])

/** What a status means for the calendar; `suspended` holds it, unknown values do too (contract section 4, calendar events). */
export function invoiceStanding(invoice: JsonObject): 'open' | 'settled' | 'suspended' {
  const status = textField(invoice, 'status') ?? ''
  if (OPEN.has(status)) return 'open'
  return SETTLED.has(status) ? 'settled' : 'suspended'
}

/** An invoice, not a credit note, that has yet to be paid. */
export function isOpenInvoice(invoice: JsonObject): boolean {
  return field(invoice, 'type') === 'invoice' && invoiceStanding(invoice) === 'open'
}

/** The calendar date on which an invoice falls due; null where it has none that exists. */
export function dueDateOf(invoice: JsonObject): string | null {
  const text = textField(invoice, 'due_date')
  return text !== null && isCalendarDate(text) ? text : null
}
