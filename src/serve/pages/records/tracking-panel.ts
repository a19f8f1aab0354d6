import { html } from 'hono/html'
import { placeOf } from '../../../message/words/happened.ts'
import { elements, field, textField, type Json } from '../../../model/json.ts'
import type { RecordKey } from '../../../store/ports/record-query-port.ts'
import { say, sayAround } from '../languages/say.ts'
import { wordText } from '../parts/words.ts'
import { stateBadge } from '../parts/badge.ts'
import type { Html } from '../parts/markup.ts'
import { panel } from '../parts/panel.ts'
import { text } from '../parts/text.ts'
import { ago, sentDate } from '../parts/time.ts'
import type { View } from '../show-page.ts'

const MOST_STEPS = 60
const MOST_EVENTS = 100

/** The steps of a shipment's way, on a time line: what happened, and what is to come. */
export async function trackingPanel({ account, id }: RecordKey, { desk, now }: View): Promise<Html> {
  const tracking = await desk.store.recordDetail({ account, resource: 'tracking', id })
  const steps = elements(field(tracking?.object ?? {}, 'tracking_steps'))
  if (tracking === null || steps.length === 0) return html``
  return panel({
    id: 'tracking',
    title: 'Tracking',
    live: 'event',
    aside: html`<span>${sayAround('read {ago}', { ago: ago(tracking.lastReadAt, now) })}</span>`,
    body: html`<ol class="timeline">
        ${steps.slice(0, MOST_STEPS).map(trackingStep)}
      </ol>
      ${steps.length > MOST_STEPS ? html`<p class="dim">${say('and {n} more steps', { n: steps.length - MOST_STEPS })}</p>` : null}`,
  })
}

function trackingStep(step: Json): Html {
  const place = placeOf(step)
  const events = elements(field(step, 'events'))
  const happened = events.length > 0 && events.every((event) => textField(event, 'status') === 'actual')
  const begun = events.some((event) => textField(event, 'status') === 'actual')
  return html`<li class="${happened ? 'done' : begun ? 'begun' : 'ahead'}">
    <h3>
      ${text(wordText(field(step, 'type')))}
      ${place === null ? null : html`<span class="dim">${sayAround('at {place}', { place: text(place) })}</span>`}
      <span class="unseen">${say(happened ? ', done' : begun ? ', begun' : ', ahead')}</span>
    </h3>
    <ul>
      ${events.slice(0, MOST_EVENTS).map(trackingEvent)}
    </ul>
  </li>`
}

function trackingEvent(event: Json): Html {
  const status = textField(event, 'status')
  const container = textField(event, 'container_number')
  const date = textField(event, 'date')
  return html`<li>
    <span class="when">${date === null ? html`<span class="dim">${say('no date')}</span>` : sentDate(date)}</span>
    <span class="what"
      ><span>${text(textField(event, 'description') ?? say('An event'))}</span>
      ${container === null ? null : html`<span class="mono dim">${text(container)}</span>`}
      ${status === null ? null : stateBadge(status)}</span
    >
  </li>`
}
