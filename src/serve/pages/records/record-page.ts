import { html } from 'hono/html'
import { factsOf } from '../../../message/facts/facts.ts'
import { shownRecord } from '../../../model/event-data.ts'
import { platformAddress } from '../../../model/event-link.ts'
import { textField, type JsonObject } from '../../../model/json.ts'
import { RESOURCES } from '../../../model/resource.ts'
import { summariseShipment } from '../../../model/shipment.ts'
import type { RecordDetail, RecordKey } from '../../../store/ports/record-query-port.ts'
import { visible } from '../../../printable.ts'
import { say } from '../languages/say.ts'
import { labelsOf } from '../parts/words.ts'
import { accountPath, recordPath } from '../parts/address.ts'
import { badge, stateBadge } from '../parts/badge.ts'
import type { Page } from '../parts/layout.ts'
import type { Html } from '../parts/markup.ts'
import { facts, panel, type Fact } from '../parts/panel.ts'
import { withShipmentNames } from '../parts/shipment-names.ts'
import { text } from '../parts/text.ts'
import { ago, instant, sentDate, wording } from '../parts/time.ts'
import type { View } from '../show-page.ts'
import { changesSince } from './changes-since.ts'
import { arrivalPanel } from './arrival-panel.ts'
import { datesPanel } from './dates-panel.ts'
import { leadOf } from './record-lead.ts'
import { recordEvents } from './record-events.ts'
import { eventsPanel } from './events-panel.ts'
import { standingPanel } from '../exceptions/standing-panel.ts'
import { orderPanels } from './order-panels.ts'
import { againstDesired } from './own-columns.ts'
import { relatedPanels } from './related-panels.ts'
import { trackingPanel } from './tracking-panel.ts'
import { containersPanel } from './containers-panel.ts'

/** `/records/RESOURCE/ACCOUNT/ID`: all that is known of one record; null where it was never read. */
export async function recordPage(key: RecordKey, view: View): Promise<Page | null> {
  const { store } = view.desk
  const record = await store.recordDetail(key)
  if (record === null) return null
  const events = await recordEvents(key, store)
  const named = await withShipmentNames(events.items, store)
  const isShipment = key.resource === 'shipment'
  const body = html`<div
      class="stack"
      data-seen="${visible(`${key.account}/${key.resource}/${key.id}`)}"
      data-version="${events.newest}"
    >
      ${heading(record, view)} ${await standingPanel(record, view)} ${factsPanel(record, view)}
    </div>
    ${await changesSince(key, events, view)} ${isShipment ? await datesPanel(record, view) : null}
    ${isShipment ? await arrivalPanel(record, view) : null}
    ${isShipment || key.resource === 'tracking' ? await trackingPanel(key, view) : null}
    ${key.resource === 'purchase_order' ? await orderPanels(record, view) : null}
    ${isShipment ? containersPanel(record.object) : null} ${isShipment ? await relatedPanels(key, view) : null}
    ${eventsPanel(key, { events, named, view })} ${objectPanel(record)}`
  return {
    title: leadOf(record),
    under: key.resource === 'invoice' ? 'Invoices' : 'Shipments',
    body,
  }
}

function heading(record: RecordDetail, { now }: View): Html {
  const { id, removedAt, resource, status } = record
  return html`<div class="head">
    <div>
      <h1>${text(leadOf(record), 300)}</h1>
      ${status === null ? null : stateBadge(status)}
      ${removedAt === null ? null : html`${badge(say('removed'), 'critical')} <span class="small">${ago(removedAt, now)}</span>`}
    </div>
    <nav class="small" aria-label="${say('Breadcrumb')}">
      <a href="/records/${resource}">${say(RESOURCES[resource].labels.many)}</a> <span aria-hidden="true">›</span>
      <span class="mono">${text(id, 300)}</span>
    </nav>
  </div>`
}

/** Facts that stand elsewhere on the page. */
const SAID = ['account', 'shipment', 'status'] as const

function factsPanel(record: RecordDetail, { desk, now }: View): Html {
  const { account, firstSeenAt, lastEventAt, lastReadAt, object, version } = record
  const platform = object === null ? [] : platformFacts(record, object)
  const known: readonly Fact[] = [
    ...shipmentFact(record),
    ...platform,
    ...orderFate(record),
    { label: 'Account', value: html`<a href="${accountPath(account)}">${text(account)}</a>` },
    { label: 'Last read', value: ago(lastReadAt, now) },
    { label: 'Last event', value: lastEventAt === null ? say('none yet') : ago(lastEventAt, now) },
    { label: 'Known since', value: instant(firstSeenAt) },
    { label: 'Events', value: version },
  ]
  const address = platformAddress(record, desk.accounts())
  const aside = address === null ? null : html`<a href="${address}" rel="noreferrer">${say('Open at the platform')}</a>`
  return panel({ id: 'facts', title: 'At a glance', live: 'event', aside, body: facts(known) })
}

function platformFacts({ id, resource }: RecordKey, object: JsonObject): readonly Fact[] {
  const data = resource === 'shipment' ? { object, shipment: { ...summariseShipment(id, object) } } : { object }
  const said = labelsOf(SAID)
  const found = factsOf({ subject: { resource, id }, data }, wording()).flatMap(({ label, value }) =>
    label === null || said.has(label) ? [] : [{ label, value: text(value, 300) }],
  )
  return resource === 'shipment' ? [...found, ...shipmentTerms(object)] : found
}

/** What messages leave out. */
function shipmentTerms(object: JsonObject): readonly Fact[] {
  const terms = { Incoterm: 'incoterm', 'Desired delivery': 'desired_delivery_date', 'Cargo ready': 'cargo_ready_date' }
  return Object.entries(terms).flatMap(([label, name]) => {
    const value = textField(object, name)
    return value === null
      ? []
      : [{ label, value: label === 'Incoterm' ? text(value.toUpperCase(), 300) : sentDate(value) }]
  })
}

/** When an order is expected to be there, beside when it is wanted. */
function orderFate({ etaAt, object, resource }: RecordDetail): readonly Fact[] {
  if (resource !== 'purchase_order' || object === null || etaAt === null) return []
  return [
    { label: 'Expected delivery', value: instant(etaAt) },
    { label: 'Against desired', value: againstDesired({ etaAt }, object) },
  ]
}

/** The shipment that something else belongs to. */
function shipmentFact({ account, object, resource }: RecordDetail): readonly Fact[] {
  const id = textField(object ?? {}, 'platform_shipment_id')
  if (id === null || resource === 'shipment') return []
  return [
    { label: 'Shipment', value: html`<a href="${recordPath({ account, resource: 'shipment', id })}">${text(id)}</a>` },
  ]
}

const LARGEST = 200_000

/** The record as the platform sent it last. */
function objectPanel({ object, resource }: RecordDetail): Html {
  if (object === null) return html``
  const json = JSON.stringify(shownRecord({ subject: { resource } }, object), null, 2)
  const shown = json.length > LARGEST ? `${json.slice(0, LARGEST)}\n… ${say('cut: the API has all of it')}` : json
  return panel({
    id: 'object',
    title: 'As the platform sent it',
    body: html`<details>
      <summary>${say('Show the record as JSON')}</summary>
      <pre tabindex="0" aria-label="${say('The record as JSON')}"><bdi>${visible(shown)}</bdi></pre>
    </details>`,
  })
}
