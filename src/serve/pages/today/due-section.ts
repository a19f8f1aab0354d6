import { html } from 'hono/html'
import { invoiceTotal, money } from '../../../message/words/money.ts'
import { dueDateOf } from '../../../model/invoice.ts'
import { textField } from '../../../model/json.ts'
import { visible } from '../../../printable.ts'
import { say, sayAround, sayCount } from '../languages/say.ts'
import { momentText, wording } from '../parts/time.ts'
import { recordPath } from '../parts/address.ts'
import { badge } from '../parts/badge.ts'
import type { Html } from '../parts/markup.ts'
import { panel } from '../parts/panel.ts'
import { text } from '../parts/text.ts'
import { leadOf } from '../records/record-lead.ts'
import type { DueFacts, DueList } from './due-facts.ts'

const OVERDUE = '/records/invoice?due=overdue'
const SOON = '/records/invoice?due=7d'

/** Invoices that have yet to be paid: what is overdue, and what falls due within seven days, each with its sums by currency. */
export function dueSection({ overdue, soon }: DueFacts): Html {
  return panel({
    id: 'due',
    title: 'Invoices due within 7 days',
    live: 'event',
    aside: html`<a href="/records/invoice?due=any">${say('All that are open')}</a>`,
    body: html`${sumLine(soon, { path: SOON, nothing: say('No invoice falls due within seven days.') })}
    ${dueList(soon)}
    ${
      isNothingDue(overdue)
        ? null
        : html`<div class="overdue">
            <div class="row">
              ${badge(say('overdue'), 'critical')} ${sumLine(overdue, { path: OVERDUE, nothing: '' })}
            </div>
            ${dueList(overdue)}
          </div>`
    }`,
  })
}

/** Whether no invoice is on the list. */
export function isNothingDue({ first, sum }: DueList): boolean {
  return first.length === 0 && (sum === null || sum.invoices === 0)
}

function sumLine(list: DueList, { nothing, path }: { readonly path: string; readonly nothing: string }): Html {
  if (isNothingDue(list)) return html`<p class="dim">${nothing}</p>`
  const { sum } = list
  return sum === null
    ? html`<p class="sum">
        ${sayAround('{invoices}: their sum is being added up.', { invoices: html`<a href="${path}">${say('More than 200 invoices')}</a>` })}
      </p>`
    : html`<p class="sum">
        <strong>${text(money(sum.totals, wording()), 200)}</strong>
        <span class="dim"
          >${sayAround('in {invoices}', { invoices: html`<a href="${path}">${sayCount(sum.invoices, ['{n} invoice', '{n} invoices'])}</a>` })}</span
        >
      </p>`
}

function dueList({ first }: DueList): Html {
  if (first.length === 0) return html``
  return html`<ul class="due">
    ${first.map(
      ({ invoice, row }) =>
        html`<li data-row data-key="${visible(`${row.account}/${row.id}`)}">
          <span class="when">${text(momentText(dueDateOf(invoice) ?? ''))}</span>
          <a href="${recordPath(row)}">${text(leadOf(row), 60)}</a>
          ${shipmentOf(textField(invoice, 'platform_shipment_id'), row.account)}
          <span class="amount">${text(invoiceTotal(invoice, wording()), 60)}</span>
        </li>`,
    )}
  </ul>`
}

function shipmentOf(id: string | null, account: string): Html {
  if (id === null) return html``
  return html`<a class="dim small" href="${recordPath({ account, resource: 'shipment', id })}">${text(id, 60)}</a>`
}
