import type { JsonObject } from '../../model/json.ts'
import { dateTimeText, dayText } from '../date-text.ts'
import type { InvoiceLife } from '../life/bill.ts'
import type { Life } from '../life/life.ts'
import { valueAt } from '../life/timeline.ts'
import { fleetShelf } from './fleet-shelf.ts'
import type { Fleet } from './fleet.ts'
import type { Shelf } from './shelf.ts'

/** Invoices by the moment of their issue, over all shipments. */
export function invoiceShelf(fleet: Fleet): Shelf {
  return fleetShelf({
    fleet,
    leadMs: 0,
    thingsOf: issuesOf,
    render: ({ life, invoice }, time) => renderInvoice(life, invoice, time),
  })
}

function issuesOf(life: Life) {
  if (life.cancelledAt < Infinity) return []
  return life.invoices.map((invoice) => ({ id: invoice.reference, at: invoice.at, life, invoice }))
}

/** An invoice or credit note at a moment, from its issue on. Amounts of a credit note are negative. */
function renderInvoice(life: Life, invoice: InvoiceLife, time: number): JsonObject {
  const { currency } = invoice
  return {
    reference: invoice.reference,
    number: invoice.number,
    platform_shipment_id: life.brief.id,
    type: invoice.type,
    status: valueAt(invoice.status, time) ?? null,
    sent_date: dateTimeText(invoice.at, life.brief.offsetMinutes),
    due_date: dayText(valueAt(invoice.dueDay, time) ?? 0),
    lines: (valueAt(invoice.lines, time) ?? []).map((line) => ({
      category: line.category,
      description: line.description,
      price: { amount: line.amount, currency },
      quantity: { value: line.quantity, unit: line.unit },
      unit_rate: { amount: line.unitRate, currency },
      vatRate: line.vatRate,
    })),
    usd_to_eur_rate: invoice.usdToEurRate,
  }
}
