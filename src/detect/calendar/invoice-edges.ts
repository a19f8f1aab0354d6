import { formatLead } from '../../model/duration.ts'
import { dueDateOf } from '../../model/invoice.ts'
import type { JsonObject } from '../../model/json.ts'
import { startOfDay } from '../../model/zoned-day.ts'
import type { Edge } from './calendar-rules.ts'
import type { CalendarSettings } from './calendar-settings.ts'

const DAY_MS = 86_400_000

export type InvoiceEdge = Edge & { readonly dueDate: string } & (
    { readonly rule: 'due_soon'; readonly leadMs: number } | { readonly rule: 'due' } | { readonly rule: 'overdue' }
  )

/**
 * The edges of an invoice's due date, earliest first, whatever its status. Leads of whole days count calendar days back
 * from the due date, so that they too begin at local midnight; others are that much time before the due day begins.
 */
export function invoiceEdges(invoice: JsonObject, { timeZone, dueSoonMs }: CalendarSettings): readonly InvoiceEdge[] {
  const dueDate = dueDateOf(invoice)
  if (dueDate === null) return []
  const dueAt = startOfDay(dueDate, timeZone)
  const soon = dueSoonMs
    .toSorted((left, right) => right - left)
    .map((leadMs): InvoiceEdge => {
      const at = leadMs % DAY_MS === 0 ? startOfDay(dueDate, timeZone, -leadMs / DAY_MS) : dueAt - leadMs
      return { rule: 'due_soon', key: `due_soon/${dueDate}/${formatLead(leadMs)}`, at, dueDate, leadMs }
    })
  return [
    ...soon.toSorted((left, right) => left.at - right.at),
    { rule: 'due', key: `due/${dueDate}/date`, at: dueAt, dueDate },
    { rule: 'overdue', key: `overdue/${dueDate}`, at: startOfDay(dueDate, timeZone, 1), dueDate },
  ]
}
