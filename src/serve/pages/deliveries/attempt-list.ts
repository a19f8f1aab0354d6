import { html } from 'hono/html'
import { STATUS_CODES } from 'node:http'
import { retold } from '../languages/retold.ts'
import { capitalised, say, sayAround } from '../languages/say.ts'
import type { Attempt, Delivery } from '../../../model/delivery.ts'
import { keptForFeed } from '../../../model/subscription.ts'
import { roughDuration } from '../../../report/delay.ts'
import { deliveryPath } from '../parts/address.ts'
import { textDetails } from '../parts/json-block.ts'
import type { Html } from '../parts/markup.ts'
import { text } from '../parts/text.ts'
import { ago, instant } from '../parts/time.ts'
import type { View } from '../show-page.ts'

export interface Tried {
  readonly delivery: Delivery
  readonly attempts: readonly Attempt[]
  readonly now: number
  /** Whether nothing is sent: the row waits to be taken. */
  readonly isPulled: boolean
}

/** Whether the rows of a subscription wait to be taken from its feed. */
export function isPulled(subscription: string, { subscriptions }: Pick<View['desk'], 'subscriptions'>): boolean {
  return subscriptions().some(({ channel, name }) => name === subscription && keptForFeed(channel) !== null)
}

/** Every attempt with its answer, and what comes next. Failures stand out. */
export function attemptList({ attempts, delivery, isPulled: isTaken, now }: Tried): Html {
  return html`<ol class="attempts" aria-label="${say('Attempts')}">
    ${attempts.map((attempt, nth) => attemptItem(attempt, nth + 1, now))}
    ${isTaken && delivery.state === 'pending' ? waiting(html`${say('Waits to be taken from the feed of the subscription.')}`) : upcoming(delivery, now)}
  </ol>`
}

function attemptItem({ answer, at, durationMs, error, status }: Attempt, number: number, now: number): Html {
  const took = durationMs < 1_000 ? `${durationMs} ms` : roughDuration(durationMs)
  return html`<li class="${error === null ? 'good' : 'critical'}">
    <p>
      <span class="dim">${say('Attempt {n}', { n: number })}</span>
      ${error === null ? html`<span>${capitalised(say('delivered'))}</span>` : html`<strong>${say('Failed')}</strong>`}
      <span>${statusWords(status)}</span>
      <span class="dim">${ago(at, now)}, ${instant(at)}, ${say('took {length}', { length: took })}</span>
    </p>
    ${error === null ? null : html`<p><strong>${text(retold(error), 600)}</strong></p>`}
    ${answer === null || answer === '' ? null : textDetails(say('Its answer'), answer)}
  </li>`
}

/** `503 Service Unavailable` */
export function statusWords(status: number | null): string {
  if (status === null) return say('no answer')
  return [String(status), STATUS_CODES[status]].filter((part) => part !== undefined).join(' ')
}

function waiting(said: Html): Html {
  return html`<li class="waiting"><p>${said}</p></li>`
}

function upcoming({ attempts, nextAttemptAt, state, waitsFor }: Delivery, now: number): Html {
  if (state === 'held') return waiting(html`${say('Held: it goes once the subscription is enabled.')}`)
  if (state === 'exhausted') return waiting(html`${say('No retry is left: it stays until it is sent again by hand.')}`)
  if (state !== 'pending') return html``
  if (waitsFor !== null) {
    return waiting(
      sayAround('Waits for {before} of the same subject ({order}).', {
        before: html`<a href="${deliveryPath(waitsFor)}">${say('the delivery before it')}</a>`,
        order: html`<code>order: subject</code>`,
      }),
    )
  }
  if (nextAttemptAt === null || nextAttemptAt <= now)
    return waiting(html`${say('Attempt {n} is due now.', { n: attempts + 1 })}`)
  return waiting(
    sayAround('Attempt {n} is due in {length}, {instant}.', {
      n: attempts + 1,
      length: roughDuration(nextAttemptAt - now),
      instant: instant(nextAttemptAt),
    }),
  )
}
