import { html } from 'hono/html'
import type { Delivery } from '../../../model/delivery.ts'
import type { EventType } from '../../../model/event-catalogue.ts'
import type { Exchange } from '../../../model/exchange.ts'
import type { TracedDelivery } from '../../../report/delivery.ts'
import type { EventTrace } from '../../../report/event-story.ts'
import { howKnown, whyThen } from '../../../report/provenance-words.ts'
import { remedyOf } from '../../../report/remedy.ts'
import { observedWords, whyWords } from '../../../report/story-words.ts'
import { attemptList, isPulled, statusWords } from '../deliveries/attempt-list.ts'
import { say, sayAround, sayCount } from '../languages/say.ts'
import { deliveryPath, link, subscriptionPath } from '../parts/address.ts'
import { actionForm } from '../parts/actions.ts'
import { stateBadge } from '../parts/badge.ts'
import { placedChanges } from '../parts/changed-places.ts'
import { diff } from '../parts/diff.ts'
import type { Html } from '../parts/markup.ts'
import { steps, type Step } from '../parts/steps.ts'
import { table } from '../parts/table.ts'
import { sentence, text } from '../parts/text.ts'
import { instant } from '../parts/time.ts'
import type { View } from '../show-page.ts'
import { mayAct } from '../../admin-context.ts'

/** Difference → who heard it → attempts → what comes next; behind a click the proof: what was read, and by which rule it rang. */
export function storySteps(trace: EventTrace, view: View): Html {
  return html`${steps(say('Story of the event'), [
      ...differenceStep(trace),
      ...heardStep(trace),
      ...trace.deliveries.map((each) => deliveryStep(each, view)),
    ])}
    <details class="proof" id="proof">
      <summary>${say('How Shipbell knows: what it read, and by which rule')}</summary>
      ${steps(say('How Shipbell knows'), [readStep(trace), ruleStep(trace)])}
    </details>`
}

function readStep({ story }: EventTrace): Step {
  const { event, provenance } = story
  const isRead = provenance !== null && provenance.exchanges.length > 0
  const known = provenance === null ? [] : howKnown(provenance)
  const why = provenance === null ? null : whyThen(provenance)
  return {
    tone: 'plain',
    title: say(isRead ? 'Read' : 'Noticed'),
    when: event.observed === null ? null : instant(event.observed.notAfter),
    body: html`${lines(known)} ${isRead ? exchangeTable(provenance.exchanges) : null}
    ${lines([...(why === null ? [] : [why]), ...observedWords(story)])}`,
  }
}

function exchangeTable(exchanges: readonly Exchange[]): Html {
  return table({
    caption: 'Requests',
    rows: exchanges,
    columns: [
      {
        name: 'Request',
        kind: 'wide',
        cell: ({ method, path }) => html`<code>${text(`${method} ${path}`, 400)}</code>`,
      },
      { name: 'Answer', cell: ({ status }) => statusWords(status) },
      { name: 'Sent', cell: ({ sentAt }) => instant(sentAt) },
      { name: 'Took', kind: 'number', cell: ({ answeredAt, sentAt }) => `${answeredAt - sentAt} ms` },
      {
        name: 'Size',
        kind: 'number',
        cell: ({ bytes }) => (bytes < 1_000 ? `${bytes} B` : `${Math.round(bytes / 1_000)} kB`),
      },
    ],
    empty: html`${say('No request was sent.')}`,
  })
}

function differenceStep({ story: { event } }: EventTrace): readonly Step[] {
  const { changes } = event
  if (changes === null || changes.length === 0) return []
  const title = sayCount(changes.length, ['One field differs', '{n} fields differ'])
  return [{ tone: 'plain', title, when: null, body: diff(placedChanges(changes, event)) }]
}

function ruleStep({ story }: EventTrace): Step {
  const { event } = story
  const title = sayAround('Rang as {type}', { type: html`<code>${event.type}</code>` })
  const body = html`${lines(whyWords(story))}
    <p class="dim small">
      ${sayAround('What it holds says {docs}.', { docs: html`<code>${docsOf(event.type)}</code>` })}
    </p>`
  return { tone: 'plain', title, when: instant(event.timestamp), body }
}

/** The heading of a type in the documentation. */
function docsOf(type: EventType): string {
  return `docs/reference/events/${type.slice(0, type.indexOf('.'))}.md#${type.replace('.', '')}`
}

/** The step of those who heard the event. Where one alone hears it, its own step says so. */
function heardStep({ deliveries }: EventTrace): readonly Step[] {
  if (deliveries.length === 1) return []
  if (deliveries.length === 0) {
    return [
      {
        tone: 'plain',
        title: say('Nobody hears it'),
        when: null,
        body: html`<p>${say('No subscription matched.')}</p>`,
      },
    ]
  }
  const title = say('{n} subscriptions hear it', { n: deliveries.length })
  const names = deliveries.map(
    ({ delivery: { state, subscription } }) =>
      html`<li><a href="${subscriptionPath(subscription)}">${subscription}</a> ${stateBadge(state)}</li>`,
  )
  return [
    {
      tone: 'plain',
      title,
      when: null,
      body: html`<ul class="row">
        ${names}
      </ul>`,
    },
  ]
}

const TONES = {
  delivered: 'good',
  exhausted: 'critical',
  held: 'warning',
  pending: 'waiting',
  discarded: 'plain',
} as const

function deliveryStep({ attempts, delivery }: TracedDelivery, { asker, desk, now }: View): Step {
  const { id, lastError, lastStatus, state, subscription } = delivery
  const hasFailed = lastError !== null && state !== 'delivered'
  const isTaken = isPulled(subscription, desk)
  const remedy = hasFailed ? remedyOf({ subscription, status: lastStatus, error: lastError, state }) : null
  return {
    tone: hasFailed ? 'critical' : TONES[state],
    title: html`${sayAround('To {subscription}', { subscription: html`<a href="${subscriptionPath(subscription)}">${subscription}</a>` })}
    ${stateBadge(state)}`,
    when: html`<a href="${deliveryPath(id)}">${id}</a>`,
    body: html`${requestLine(delivery, desk)} ${attemptList({ attempts, delivery, isPulled: isTaken, now })}
    ${remedy === null ? null : html`<p class="remedy">${sentence(remedy)}</p>`}
    ${
      mayAct(asker) && delivery.payloadExpiredAt === null && !isTaken
        ? actionForm({ path: `${deliveryPath(id)}/retry`, label: 'Retry' })
        : null
    }`,
  }
}

/** Where the delivery is sent, and what. */
function requestLine({ eventId, payloadExpiredAt, subscription }: Delivery, { reports }: View['desk']): Html {
  const to = reports.channel(subscription).find(({ name }) => / to$| through$/.test(name))
  const href = link({ path: subscriptionPath(subscription), query: {} }, { event: eventId })
  return html`<p class="small dim row">
    ${to === undefined ? null : html`<span>${say(to.name)} ${text(to.value)}</span>`}
    ${payloadExpiredAt === null ? html`<a href="${href}#preview">${say('What it is sent')}</a>` : say('Its content has expired.')}
  </p>`
}

function lines(said: readonly string[]): Html {
  return html`${said.map((each) => html`<p>${sentence(each)}</p>`)}`
}
