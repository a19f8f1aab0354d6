import { html } from 'hono/html'
import { routeOf } from '../../../message/words/journey.ts'
import { invoiceTotal } from '../../../message/words/money.ts'
import { dueDateOf, isOpenInvoice } from '../../../model/invoice.ts'
import type { JsonObject } from '../../../model/json.ts'
import type { RecordResource } from '../../../model/resource.ts'
import { trackingDate } from '../../../model/shipment.ts'
import { isAfterDay } from '../../../model/zoned-day.ts'
import type { RecordSummary } from '../../../store/ports/record-query-port.ts'
import { badge, stateBadge } from '../parts/badge.ts'
import type { Html } from '../parts/markup.ts'
import type { Column } from '../parts/table.ts'
import { DASH, text, textOrDash } from '../parts/text.ts'
import { day, momentText } from '../parts/time.ts'
import type { View } from '../show-page.ts'
import { objectsOf } from './record-objects.ts'

/** What people look for in a list of one kind: where shipments go and when they arrive, when invoices are due and how much they are. */
export async function ownColumns(
  resource: RecordResource,
  rows: readonly RecordSummary[],
  view: View,
): Promise<readonly Column<RecordSummary>[]> {
  if (resource !== 'shipment' && resource !== 'invoice') return []
  const objects = await objectsOf(resource, rows, view)
  const shown =
    (cell: (object: JsonObject, account: string) => Html) =>
    (row: RecordSummary): Html => {
      const object = objects.get(row)
      return object === undefined ? DASH : cell(object, row.account)
    }
  return resource === 'shipment'
    ? [
        { name: 'Route', cell: shown((shipment) => textOrDash(routeOf(shipment))) },
        { name: 'Arrival', cell: shown(arrivalOf) },
      ]
    : [
        { name: 'Due date', cell: shown((invoice, account) => dueOf(invoice, account, view)) },
        { name: 'Amount', kind: 'number', cell: shown((invoice) => textOrDash(invoiceTotal(invoice), 60)) },
      ]
}

function arrivalOf(shipment: JsonObject): Html {
  const date = trackingDate(shipment, 'arrival')
  if (date?.instant == null) return DASH
  return html`${day(date.instant)} ${date.status === null ? null : stateBadge(date.status)}`
}

function dueOf(invoice: JsonObject, account: string, { desk }: View): Html {
  const date = dueDateOf(invoice)
  if (date === null) return DASH
  const timeZone = desk.accounts().find(({ name }) => name === account)?.timeZone ?? 'UTC'
  const isOver = isOpenInvoice(invoice) && isAfterDay(desk.clock.calendarNow(account), date, timeZone)
  return html`<span class="still">${text(momentText(date))}</span> ${isOver ? badge('overdue', 'critical') : null}`
}
