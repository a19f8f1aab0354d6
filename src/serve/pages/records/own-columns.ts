import { html } from 'hono/html'
import { routeOf } from '../../../message/words/journey.ts'
import { invoiceTotal } from '../../../message/words/money.ts'
import { dueDateOf, invoiceKind, isOpenInvoice } from '../../../model/invoice.ts'
import { textField, type JsonObject } from '../../../model/json.ts'
import { askedKey } from '../../../model/lane.ts'
import type { RecordSort } from '../../../model/record-order.ts'
import type { RecordState } from '../../../model/record-state.ts'
import type { RecordResource } from '../../../model/resource.ts'
import { trackingDate, trackingStatus, type Milestone } from '../../../model/shipment.ts'
import { dayOf, daysBetween, isAfterDay, isCalendarDate } from '../../../model/zoned-day.ts'
import { parseInstant } from '../../../model/instant.ts'
import { roughDuration } from '../../../report/delay.ts'
import type { RecordSummary } from '../../../store/ports/record-query-port.ts'
import { say } from '../languages/say.ts'
import { recordPath } from '../parts/address.ts'
import { badge, stateBadge } from '../parts/badge.ts'
import { filterBy } from '../parts/filters.ts'
import type { Html } from '../parts/markup.ts'
import type { Column } from '../parts/table.ts'
import { DASH, text, textOrDash } from '../parts/text.ts'
import { day, dayText, momentText, wording } from '../parts/time.ts'
import { viewer } from '../parts/viewer.ts'
import { daysText, wordText } from '../parts/words.ts'
import type { View } from '../show-page.ts'

/** A column of the records of one resource. */
export type OwnColumn = Column<RecordSummary> & { readonly by?: RecordSort }

interface Known {
  readonly seen: JsonObject
  readonly memory: RecordState['memory']
  readonly row: RecordSummary
}

/** What people look for in a list of one kind: where shipments go and when they arrive, when invoices are due and how much they are. */
export function ownColumns(
  resource: RecordResource,
  states: ReadonlyMap<RecordSummary, RecordState>,
  view: View,
): readonly OwnColumn[] {
  if (resource !== 'shipment' && resource !== 'invoice' && resource !== 'purchase_order') return []
  const shown =
    (cell: (known: Known) => Html) =>
    (row: RecordSummary): Html => {
      const { memory = {}, seen = null } = states.get(row) ?? {}
      return seen === null ? DASH : cell({ memory, row, seen })
    }
  return { shipment: shipmentColumns, invoice: invoiceColumns, purchase_order: orderColumns }[resource](shown, view)
}

type Shown = (cell: (known: Known) => Html) => (row: RecordSummary) => Html

function shipmentColumns(shown: Shown, { address }: View): readonly OwnColumn[] {
  const by = (name: string, value: string | null, said = value): Html =>
    value === null ? DASH : filterBy(address, { name, value }, text(said ?? value, 60))
  return [
    {
      name: 'Route',
      kind: 'roomy',
      cell: shown(({ row, seen }) => {
        const route = routeOf(seen)
        const lane = row.lane === null ? null : askedKey(row.lane)
        return lane === null ? textOrDash(route) : by('lane', lane, route)
      }),
    },
    { name: 'Carrier', cell: ({ carrier }) => by('carrier', carrier) },
    { name: 'Mode', beside: true, cell: ({ kind }) => by('mode', kind, kind && wordText(kind)) },
    { name: 'ETD', cell: shown(({ seen }) => dateCell(seen, 'departure')) },
    { name: 'ETA', by: 'eta', cell: shown(({ seen }) => dateCell(seen, 'arrival')) },
    { name: 'Drift', kind: 'short', by: 'drift', cell: shown(driftCell) },
  ]
}

function dateCell(shipment: JsonObject, milestone: Milestone): Html {
  const date = trackingDate(shipment, milestone)
  if (date?.instant == null) return DASH
  return html`${day(date.instant)} ${date.status === null || date.status === 'problem' ? null : stateBadge(date.status)}`
}

/** How far the arrival is from its first value, which is said too. */
function driftCell({ memory, row: { drift } }: Known): Html {
  if (drift === null) return DASH
  const first = parseInstant(memory.milestones?.arrival?.first.date)
  if (drift === 0 || first === null) return html`<span class="dim">${say('as first seen')}</span>`
  const length = roughDuration(Math.abs(drift) * 60_000)
  return html`<strong>${drift > 0 ? '+' : '−'}${length}</strong><br /><span class="dim small"
      >${say('first {day}', { day: dayText(first) })}</span
    >`
}

const PROBLEMS: readonly Milestone[] = ['pickup', 'departure', 'arrival', 'delivery']

/** The milestones of a shipment that have a problem. */
export function problemMarks(shipment: JsonObject | null): readonly Html[] {
  const marked = PROBLEMS.filter((milestone) => trackingStatus(shipment, milestone) === 'problem')
  return marked.map((milestone) => badge(say('{milestone} problem', { milestone: wordText(milestone) }), 'critical'))
}

function invoiceColumns(shown: Shown, view: View): readonly OwnColumn[] {
  return [
    { name: 'Type', cell: shown(({ seen }) => typeOf(seen)) },
    { name: 'Shipment', cell: shown(({ row, seen }) => shipmentOf(seen, row)) },
    { name: 'Due date', cell: shown(({ row, seen }) => dueOf(seen, row.account, view)) },
    { name: 'Amount', kind: 'number', cell: shown(({ seen }) => textOrDash(invoiceTotal(seen, wording()), 60)) },
  ]
}

function typeOf(invoice: JsonObject): Html {
  if (invoiceKind(invoice) === 'credit_note') return badge(wordText('credit_note'), 'warning')
  const type = textField(invoice, 'type')
  return type === null ? DASH : text(wordText(type), 60)
}

function shipmentOf(invoice: JsonObject, { account }: RecordSummary): Html {
  const id = textField(invoice, 'platform_shipment_id')
  return id === null ? DASH : html`<a href="${recordPath({ account, resource: 'shipment', id })}">${text(id, 60)}</a>`
}

function dueOf(invoice: JsonObject, account: string, { desk }: View): Html {
  const date = dueDateOf(invoice)
  if (date === null) return DASH
  const timeZone = desk.accounts().find(({ name }) => name === account)?.timeZone ?? 'UTC'
  const isOver = isOpenInvoice(invoice) && isAfterDay(desk.clock.calendarNow(account), date, timeZone)
  return html`<span class="still">${text(momentText(date))}</span> ${isOver ? badge(say('overdue'), 'critical') : null}`
}

function orderColumns(shown: Shown): readonly OwnColumn[] {
  return [
    { name: 'Supplier', by: 'name', cell: ({ name }) => textOrDash(name, 80) },
    { name: 'Expected delivery', by: 'eta', cell: ({ etaAt }) => (etaAt === null ? DASH : day(etaAt)) },
    { name: 'Desired', kind: 'short', cell: shown(({ seen }) => desiredOf(seen)) },
    { name: 'Against desired', kind: 'short', by: 'drift', cell: shown(({ row, seen }) => againstDesired(row, seen)) },
  ]
}

function desiredOf(order: JsonObject): Html {
  const date = textField(order, 'desired_delivery_date')
  return date === null ? DASH : html`<span class="still">${text(momentText(date))}</span>`
}

/** By the days that stand beside each other. */
export function againstDesired({ etaAt }: Pick<RecordSummary, 'etaAt'>, order: JsonObject): Html {
  const desired = textField(order, 'desired_delivery_date')
  if (etaAt === null || desired === null || !isCalendarDate(desired)) return DASH
  const days = daysBetween(desired, dayOf(etaAt, viewer().timeZone))
  if (days === 0) return html`<span class="dim">${say('on the day')}</span>`
  const length = daysText(Math.abs(days))
  return days > 0
    ? badge(say('{length} late', { length }), 'critical')
    : html`<span class="dim">${say('{length} before', { length })}</span>`
}
