import { html } from 'hono/html'
import type { Delivery } from '../../../model/delivery.ts'
import { remedyOf } from '../../../report/remedy.ts'
import { say, sayAround } from '../languages/say.ts'
import { actionForm } from '../parts/actions.ts'
import { accountPath, deliveryPath, subscriptionPath } from '../parts/address.ts'
import { stateBadge } from '../parts/badge.ts'
import { eventSentence } from '../parts/event-line.ts'
import type { Page } from '../parts/layout.ts'
import { facts, panel } from '../parts/panel.ts'
import { withShipmentNames } from '../parts/shipment-names.ts'
import { DASH, sentence, text } from '../parts/text.ts'
import { instant } from '../parts/time.ts'
import type { View } from '../show-page.ts'
import { attemptList, isPulled } from './attempt-list.ts'
import { mayAct } from '../../admin-context.ts'

/** One event for one subscription, with every attempt. */
export async function deliveryPage(delivery: Delivery, { asker, desk, now }: View): Promise<Page> {
  const { id, lastError, lastStatus, state, subscription } = delivery
  const [attempts, event] = [await desk.store.attempts(id), await desk.store.event(delivery.eventId)]
  const named = await withShipmentNames(event === null ? [] : [event], desk.store)
  const isTaken = isPulled(subscription, desk)
  const hasFailed = lastError !== null && state !== 'delivered'
  const body = html`<div class="head">
      <h1>
        ${sayAround('{type} to {subscription}', {
          type: html`<span>${delivery.type}</span>`,
          subscription: html`<a href="${subscriptionPath(subscription)}">${subscription}</a>`,
        })}
      </h1>
      ${
        mayAct(asker) && delivery.payloadExpiredAt === null && !isTaken
          ? actionForm({ path: `${deliveryPath(id)}/retry`, label: 'Retry' })
          : null
      }
    </div>
    ${event === null ? null : html`<p class="lead">${eventSentence(named(event))}</p>`}
    ${panel({
      id: 'attempts',
      title: 'Attempts',
      aside: stateBadge(state),
      live: 'delivery',
      body: html`${attemptList({ attempts, delivery, isPulled: isTaken, now })}
      ${
        hasFailed
          ? html`<p class="remedy">
              ${sentence(remedyOf({ subscription, status: lastStatus, error: lastError, state }))}
            </p>`
          : null
      }`,
    })}
    ${panel({
      id: 'about',
      title: 'The delivery',
      body: facts([
        { label: 'Id', value: html`<code>${text(id)}</code>` },
        { label: 'Event', value: html`<code>${text(delivery.eventId)}</code>` },
        {
          label: 'Account',
          value:
            delivery.account === null ? DASH : html`<a href="${accountPath(delivery.account)}">${delivery.account}</a>`,
        },
        { label: 'Attempts', value: delivery.attempts },
        ...(delivery.payloadExpiredAt === null
          ? []
          : [
              {
                label: 'Its content expired',
                value: sayAround('{instant}: it cannot be sent again', { instant: instant(delivery.payloadExpiredAt) }),
              },
            ]),
      ]),
    })}`
  return { title: say('{type} to {subscription}', { type: delivery.type, subscription }), under: 'Deliveries', body }
}
