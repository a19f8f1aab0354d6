import { html } from 'hono/html'
import { factLine } from '../../../message/facts/fact.ts'
import { factsOf } from '../../../message/facts/facts.ts'
import { isJsonArray, isJsonObject, textField, type Json } from '../../../model/json.ts'
import { RESOURCES } from '../../../model/resource.ts'
import type { RecordDetail, RecordKey } from '../../../store/ports/record-query-port.ts'
import { say } from '../languages/say.ts'
import { labelsOf } from '../parts/words.ts'
import { link, recordPath } from '../parts/address.ts'
import { badge, stateBadge } from '../parts/badge.ts'
import type { Html } from '../parts/markup.ts'
import { panel } from '../parts/panel.ts'
import { text } from '../parts/text.ts'
import { wording } from '../parts/time.ts'
import type { View } from '../show-page.ts'
import { besideOf, leadOf } from './record-lead.ts'

const RELATED = ['invoice', 'document', 'purchase_order'] as const
/** How many records of each resource are shown. */
const MOST = 20

/** What else belongs to a shipment: its invoices, documents and orders. */
export async function relatedPanels({ account, id }: RecordKey, { desk }: View): Promise<Html> {
  const panels = RELATED.map(async (resource) => {
    const found = await desk.store.recordPage({ resource, account, q: id, limit: MOST })
    const read = await Promise.all(found.items.map(async (key) => desk.store.recordDetail(key)))
    // A text finds by its beginning: what names another shipment is left out.
    const records = read.filter((each) => each !== null).filter(({ object }) => namesShipment(object, id))
    return relatedPanel(records, { resource, more: found.next === null ? null : moreLink(resource, { account, id }) })
  })
  return html`<div class="columns">${await Promise.all(panels)}</div>`
}

function relatedPanel(
  records: readonly RecordDetail[],
  { more, resource }: { readonly resource: (typeof RELATED)[number]; readonly more: Html | null },
): Html {
  return panel({
    id: resource,
    title: RESOURCES[resource].labels.many,
    aside: more ?? html`<span>${records.length}</span>`,
    body:
      records.length === 0
        ? html`<p class="dim">${say('None that names this shipment.')}</p>`
        : html`<ul class="related">
            ${records.map(relatedItem)}
          </ul>`,
  })
}

function relatedItem(record: RecordDetail): Html {
  const { removedAt, resource, status } = record
  const beside = resource === 'purchase_order' ? besideOf(record) : null
  return html`<li>
    <p class="row">
      <a href="${recordPath(record)}">${text(leadOf(record))}</a>
      ${beside === null ? null : html`<span class="dim small">${text(beside)}</span>`}
      ${status === null ? null : stateBadge(status)} ${removedAt === null ? null : badge(say('removed'), 'dim')}
    </p>
    <p class="small dim">${text(summary(record))}</p>
  </li>`
}

/** What the page of the shipment and the line above say already. */
const SAID = ['account', 'shipment', 'status', 'number'] as const

function summary({ id, object, resource }: RecordDetail): string {
  const said = labelsOf(SAID)
  const known = factsOf({ subject: { resource, id }, data: { object } }, wording())
  return known.flatMap((each) => (each.label === null || said.has(each.label) ? [] : [factLine(each)])).join(' · ')
}

function moreLink(
  resource: (typeof RELATED)[number],
  { account, id }: { readonly account: string; readonly id: string },
): Html {
  const href = link({ path: `/records/${resource}`, query: { account: [account], q: [id] } })
  return html`<a href="${href}">${say('All that name it')}</a>`
}

/** Records are not nested deeper when they are read. */
const DEEPEST = 8

function namesShipment(value: Json | undefined, id: string, depth = 0): boolean {
  if (value === undefined || depth > DEEPEST) return false
  if (isJsonArray(value)) return value.some((each) => namesShipment(each, id, depth + 1))
  if (!isJsonObject(value)) return false
  return (
    textField(value, 'platform_shipment_id') === id ||
    Object.values(value).some((each) => typeof each === 'object' && namesShipment(each, id, depth + 1))
  )
}
