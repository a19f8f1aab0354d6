import { html } from 'hono/html'
import { routeOf } from '../../../message/words/journey.ts'
import { LONGEST_NOTE } from '../../../model/exception.ts'
import { textField, type JsonObject } from '../../../model/json.ts'
import { outlineOf } from '../../../model/record-outline.ts'
import { visible } from '../../../printable.ts'
import type { RecordKey } from '../../../store/ports/record-query-port.ts'
import { mayAct } from '../../admin-context.ts'
import { say, sayAround } from '../languages/say.ts'
import { link, recordPath } from '../parts/address.ts'
import { badge } from '../parts/badge.ts'
import type { Html } from '../parts/markup.ts'
import { text } from '../parts/text.ts'
import { ago, instant } from '../parts/time.ts'
import { leadOf } from '../records/record-lead.ts'
import type { View } from '../show-page.ts'
import { acknowledgeForm, REOPEN_PATH } from './acknowledge-form.ts'
import type { Standing, ToldException } from './standing.ts'
import { calendarOf, calledOf, standingSentence } from './standing-words.ts'

/** What somebody is needed for: whose it is, what is not well, and the form that says who sees to it. */
export function standingEntry(standing: Standing, view: View): Html {
  const { exceptions, key } = standing
  const [first] = exceptions
  if (first === undefined) return html``
  return html`<li class="standing ${first.severity}" data-row data-key="${visible(first.id)}">
    <p class="whose">${whose(standing, view)}</p>
    ${openList(standing, view, leadOf({ ...key, name: nameOf(standing) }))}
  </li>`
}

/** What is open of one record, with the form where whoever looks may act. */
export function openList(standing: Standing, view: View, about: string): Html {
  const { exceptions } = standing
  const [first] = exceptions
  if (first === undefined) return html``
  const sentences = exceptions.map((each) => sentenceLine(each, standing, view))
  if (!mayAct(view.asker))
    return html`<ul class="sentences">
      ${sentences.map((each) => html`<li>${each}</li>`)}
    </ul>`
  const ids = exceptions.map(({ id }) => id)
  const refused = view.refused?.exceptions.some((id) => ids.includes(id)) === true ? view.refused : null
  const chosen = (id: string): boolean => refused === null || refused.exceptions.includes(id)
  const isAlone = exceptions.length === 1
  const choice = html`<ul class="sentences">
    ${exceptions.map(
      ({ id }, nth) =>
        html`<li>
          <label
            ><input type="checkbox" name="exception" value="${id}" ${chosen(id) ? html`checked` : null} />
            <span>${sentences[nth] ?? null}</span></label
          >
        </li>`,
    )}
  </ul>`
  const form = { id: first.id, about: visible(about), exceptions: ids, back: link(view.address), refused }
  return html`${isAlone ? html`<p class="sentences">${sentences[0] ?? null}</p>` : null}
  ${acknowledgeForm(form, isAlone ? null : choice)}`
}

function sentenceLine(each: ToldException, standing: Standing, view: View): Html {
  return html`${badge(calledOf(each), each.severity)}
    ${standingSentence(each, standing, calendarOf(each.account, view))}
    <span class="dim small">${sayAround('Opened {ago}.', { ago: ago(each.openedAt, view.now) })}</span>`
}

/** The record that is concerned: a shipment by its name with its route, an order or an invoice by its number. */
function whose({ key, record, shipment }: Standing, view: View): Html {
  const { account, resource } = key
  const name = record === null ? null : outlineOf(resource, record).name
  const called = leadOf({ ...key, name })
  const accountName = view.desk.accounts().length > 1 ? html`<span class="dim small">${text(account, 60)}</span>` : null
  const lead = html`<a href="${recordPath(key)}">${leadText(resource)}${text(called, 120)}</a>`
  if (shipment !== null) return html`${lead} ${shipmentLink(account, shipment)} ${accountName}`
  return html`${lead} ${resource === 'shipment' && record !== null ? route(record) : besides(key, record)}
  ${accountName}`
}

const LEADS: Readonly<Partial<Record<RecordKey['resource'], string>>> = {
  invoice: 'Invoice',
  purchase_order: 'Order',
}

function leadText(resource: RecordKey['resource']): string {
  const lead = LEADS[resource]
  return lead === undefined ? '' : `${say(lead)} `
}

function shipmentLink(account: string, { id, object }: NonNullable<Standing['shipment']>): Html {
  const name = textField(object, 'name') ?? id
  return html`<a href="${recordPath({ account, resource: 'shipment', id })}">${text(name, 120)}</a> ${route(object)}`
}

function route(shipment: JsonObject): Html {
  const said = routeOf(shipment)
  return said === null ? html`` : html`<span class="dim">${text(said, 120)}</span>`
}

/** The supplier of an order. */
function besides({ resource }: RecordKey, record: JsonObject | null): Html {
  const supplier = resource === 'purchase_order' && record !== null ? textField(record, 'supplier_name') : null
  return supplier === null ? html`` : html`<span class="dim">${text(supplier, 120)}</span>`
}

function nameOf({ key, record }: Standing): string | null {
  return record === null ? null : outlineOf(key.resource, record).name
}

/** What somebody sees to: who, since when, what they say, until when, and the way back. */
export function acknowledgedEntry(standing: Standing, view: View, isNamed = true): Html {
  return html`${standing.exceptions.map(
    (each) =>
      html`<li class="standing" data-key="${visible(each.id)}">
        ${isNamed ? html`<p class="whose">${whose(standing, view)}</p>` : null}
        <p class="sentences">${sentenceLine(each, standing, view)}</p>
        ${seenTo(each, view)}
      </li>`,
  )}`
}

function seenTo({ acknowledged, id }: ToldException, { address, asker, now }: View): Html {
  if (acknowledged === null) return html``
  const { at, by, note, until } = acknowledged
  const seen = { who: text(by, 60), ago: ago(at, now) }
  const reopen = html`<form class="action" method="post" action="${REOPEN_PATH}">
    <input type="hidden" name="back" value="${link(address)}" />
    <input type="hidden" name="exception" value="${id}" />
    <button type="submit" class="plain">${say('Reopen')}</button>
  </form>`
  return html`<div class="seen-to">
    <p>
      ${note === null ? null : html`<q>${text(note, LONGEST_NOTE)}</q>`}
      <span class="dim small"
        >${
          until === null
            ? sayAround('Acknowledged by {who} {ago}, until it is well again.', seen)
            : sayAround('Acknowledged by {who} {ago}, until {instant}.', { ...seen, instant: instant(until) })
        }</span
      >
    </p>
    ${mayAct(asker) ? reopen : null}
  </div>`
}
