import { html } from 'hono/html'
import { retold } from '../languages/retold.ts'
import { say } from '../languages/say.ts'
import { formatDuration } from '../../../model/duration.ts'
import { keptForFeed, type Subscription } from '../../../model/subscription.ts'
import { accountPath } from '../parts/address.ts'
import type { Html } from '../parts/markup.ts'
import { facts, panel } from '../parts/panel.ts'
import { text } from '../parts/text.ts'
import type { View } from '../show-page.ts'

/** What a subscription is configured to hear, and how it is sent to; never what is secret of it. */
export function hearsPanel(settings: Subscription | null, { desk }: View, name: string): Html {
  const shown =
    settings === null
      ? html`<p class="dim">${say('Nothing: it is not in the configuration.')}</p>`
      : listOf(settings, desk)
  return panel({ id: 'hears', title: 'What it hears', body: shown })

  function listOf(each: Subscription, { reports }: View['desk']): Html {
    return facts([
      ...heardBy(each),
      ...reports.channel(name).map((fact) => ({ label: fact.name, value: text(retold(fact.value), 300) })),
    ])
  }
}

function heardBy({ accounts, alert, channel, events, filter, minShiftMs, order, rate }: Subscription) {
  return [
    { label: 'Events', value: html`${events.map((each) => html`<code>${each}</code> `)}` },
    {
      label: 'Accounts',
      value:
        accounts === null
          ? say('all|accounts')
          : html`${accounts.map((each) => html`<a href="${accountPath(each)}">${each}</a> `)}`,
    },
    ...(filter === null ? [] : [{ label: 'Where', value: html`<code>${text(filter.expression, 1_000)}</code>` }]),
    ...(minShiftMs === null
      ? []
      : [{ label: 'Dates that move by', value: say('{length} or more', { length: formatDuration(minShiftMs) }) }]),
    ...(alert ? [{ label: 'Alerts', value: say('it also hears endpoint.* and account.*') }] : []),
    { label: 'Order|sequence', value: say(order === 'subject' ? 'one after another by subject' : 'none|order') },
    ...(keptForFeed(channel) !== null ? [] : [{ label: 'At once', value: `${channel.concurrency}` }]),
    ...(rate === null
      ? []
      : [{ label: 'Rate', value: say('{n} per {length}', { n: rate.requests, length: formatDuration(rate.perMs) }) }]),
    ...(keptForFeed(channel) !== null
      ? []
      : [{ label: 'Time for one attempt', value: formatDuration(channel.timeoutMs) }]),
  ]
}
