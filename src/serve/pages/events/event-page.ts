import { html } from 'hono/html'
import { toneOf } from '../../../message/message.ts'
import { shownRecord } from '../../../model/event-data.ts'
import { sequenceOf, type ShipbellEvent } from '../../../model/event.ts'
import { fullPayload, loggedPayload } from '../../../model/payload.ts'
import { isRecordResource, RESOURCES } from '../../../model/resource.ts'
import type { EventTrace } from '../../../report/event-story.ts'
import type { RecordKey } from '../../../store/ports/record-query-port.ts'
import { say, sayAround } from '../languages/say.ts'
import { wordText } from '../parts/words.ts'
import { accountPath, eventPath, link, recordPath, subscriptionPath } from '../parts/address.ts'
import { badge } from '../parts/badge.ts'
import { eventSentence, happened } from '../parts/event-line.ts'
import { jsonDetails } from '../parts/json-block.ts'
import type { Page } from '../parts/layout.ts'
import type { Html } from '../parts/markup.ts'
import { facts, panel, type Fact } from '../parts/panel.ts'
import { shipmentNames, shipmentOfOrder, withShipmentName } from '../parts/shipment-names.ts'
import { DASH, text } from '../parts/text.ts'
import { ago, instant, wording } from '../parts/time.ts'
import type { View } from '../show-page.ts'
import { storySteps } from './story-steps.ts'

/** An event, and everything that led to it and came of it, on one page. */
export async function eventPage(trace: EventTrace, view: View): Promise<Page> {
  const { event } = trace.story
  const shipment = shipmentOfOrder(event)
  const nameOf = await shipmentNames(shipment === null ? [] : [shipment], view.desk.store)
  const isOpen = trace.deliveries.some(({ delivery }) => delivery.state === 'pending' || delivery.state === 'held')
  const body = html`<div class="head">
      <h1>${happened(withShipmentName(event, nameOf))}</h1>
      ${neighbours(trace)}
    </div>
    <p class="row">
      ${typeBadge(event, trace)} <span>${numberOf(event)}</span>
      <span class="dim">${ago(event.timestamp, view.now)}</span> ${aboutLink(event)}
      ${shipment === null ? null : recordLink({ ...shipment, resource: 'shipment' }, nameOf(shipment) ?? shipment.id)}
      ${event.cause === 'change' ? null : badge(event.cause, 'neutral')}
    </p>
    ${corrections(trace)}
    <section class="panel" id="story" aria-label="${say('Story')}" ${isOpen ? html`data-live="delivery"` : null}>
      ${storySteps(trace, view)}
    </section>
    ${panel({ id: 'about', title: 'The event', body: html`${facts(aboutOf(trace))} ${documents(trace)}` })}`
  return { title: say('Event {number}', { number: numberOf(event) }), under: 'Events', body }
}

/** The record that the event is of, where what came before and after stands, too. */
function aboutLink(event: ShipbellEvent): Html | null {
  const { account, shipment, subject } = event
  const { id, resource } = subject
  if (account === null || !isRecordResource(resource)) return null
  return recordLink({ account, resource, id }, resource === 'shipment' ? (shipment?.name ?? id) : id)
}

function recordLink(key: RecordKey, called: string): Html {
  return html`<a href="${recordPath(key)}"
    >${say(RESOURCES[key.resource].labels.one)}${wording().terms.colon}${text(called, 80)}</a
  >`
}

function typeBadge({ expiredAt, type }: EventTrace['story']['event'], { story }: EventTrace): Html {
  const tone = expiredAt === null ? toneOf(fullPayload(story.event)) : 'dim'
  return html`<a class="plain" href="${link({ path: '/events', query: {} }, { type })}">${badge(type, tone)}</a>`
}

/** The events of the same subject around it. */
function neighbours({ story: { next, previous } }: EventTrace): Html {
  return html`<nav class="pager" aria-label="${say('Events of this subject')}">
    ${neighbour(previous, 'Previous', 'prev')} ${neighbour(next, 'Next', 'next')}
  </nav>`
}

function neighbour(event: ShipbellEvent | null, label: string, rel: string): Html {
  return event === null
    ? html`<span class="dim">${say(label)}</span>`
    : html`<a rel="${rel}" href="${eventPath(event.id)}" title="${event.type}">${say(label)}</a>`
}

function corrections({ story: { correctedBy, corrects } }: EventTrace): Html {
  if (corrects === null && correctedBy.length === 0) return html``
  return html`<section class="panel warned" aria-label="${say('Corrections')}">
    ${corrects === null ? null : html`<p>${say('It corrects:')} ${reference(corrects)}</p>`}
    ${correctedBy.map((event) => html`<p>${say('It was corrected by:')} ${reference(event)}</p>`)}
  </section>`
}

/** The number of an event in its account, or why it has none. */
function numberOf(event: ShipbellEvent): string {
  const sequence = sequenceOf(event)
  return sequence === null ? `(${event.cause})` : `#${sequence}`
}

function reference(event: ShipbellEvent): Html {
  return html`${eventSentence({ ...event, expiredAt: null })}
    <span class="dim">#${event.sequence}, ${instant(event.timestamp)}</span>`
}

function aboutOf({ story: { event } }: EventTrace): readonly Fact[] {
  const { account, subject } = event
  return [
    { label: 'Id', value: html`<code>${text(event.id)}</code>` },
    { label: 'Account', value: account === null ? DASH : html`<a href="${accountPath(account)}">${account}</a>` },
    { label: 'Subject', value: html`${text(wordText(subject.resource))} ${subjectLink(event)}` },
    { label: 'Version of the subject', value: subject.version },
    { label: 'Rang', value: instant(event.timestamp) },
    { label: 'Cause', value: event.cause },
  ]
}

function subjectLink({ account, subject: { id, resource } }: ShipbellEvent): Html {
  if (resource === 'subscription') return html`<a href="${subscriptionPath(id)}">${text(id)}</a>`
  if (account === null || resource === 'configuration') return text(id)
  if (resource === 'account') return html`<a href="${accountPath(account)}">${text(id)}</a>`
  return html`<a href="${recordPath({ account, resource, id })}">${text(id)}</a>`
}

function documents({ story: { event } }: EventTrace): Html {
  if (event.expiredAt !== null) {
    return html`<p class="dim">
      ${sayAround('Its content expired {instant} ({key}): what it said is gone, who got it stays.', {
        instant: instant(event.expiredAt),
        key: html`<code>retention.payloads</code>`,
      })}
    </p>`
  }
  const { before, object } = event
  return html`<div class="stack">
    ${before === null ? null : jsonDetails(say('The whole record before'), shownRecord(event, before))}
    ${object === null ? null : jsonDetails(say(before === null ? 'The whole record' : 'The whole record after'), shownRecord(event, object))}
    ${jsonDetails(say('The payload, as it is sent in full'), loggedPayload(event))}
  </div>`
}
