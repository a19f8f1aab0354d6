import { html } from 'hono/html'
import { amountText, say } from '../languages/say.ts'
import { roughDuration } from '../../../report/delay.ts'
import { endpointState } from '../../../report/endpoint.ts'
import type { EndpointOverview } from '../../../store/ports/query-port.ts'
import { link, subscriptionPath } from '../parts/address.ts'
import { stateBadge } from '../parts/badge.ts'
import type { Content, Html } from '../parts/markup.ts'
import { panel } from '../parts/panel.ts'
import { table } from '../parts/table.ts'
import { DASH, text } from '../parts/text.ts'
import { ago } from '../parts/time.ts'
import type { View } from '../show-page.ts'
import type { SystemFacts } from './system-data.ts'

/** What waits for each subscription, for how long, and how soon its endpoint answers. */
export function backlogPanel({ answers, status: { endpoints } }: SystemFacts, { now }: View): Html {
  return panel({
    id: 'backlog',
    title: 'Deliveries by subscription',
    live: 'event delivery',
    aside: html`<a href="/deliveries">${say('All deliveries')}</a>`,
    body: table<EndpointOverview>({
      caption: 'Backlog and answer time by subscription',
      rows: endpoints,
      key: ({ subscription }) => subscription,
      empty: html`${say('Nobody listens yet: add a subscription to the configuration.')}`,
      columns: [
        {
          name: 'Subscription',
          cell: ({ subscription }) => html`<a href="${subscriptionPath(subscription)}">${text(subscription)}</a>`,
        },
        { name: 'State', cell: (endpoint) => stateBadge(endpointState(endpoint).text) },
        { name: 'Waiting', kind: 'number', cell: (endpoint) => amount(endpoint, 'pending') },
        { name: 'Oldest', kind: 'number', cell: ({ oldestPendingAt }) => waitedFor(oldestPendingAt, now) },
        { name: 'Held', kind: 'number', cell: (endpoint) => amount(endpoint, 'held') },
        { name: 'Not delivered', kind: 'number', cell: (endpoint) => amount(endpoint, 'exhausted') },
        { name: 'Answers in', kind: 'number', cell: ({ subscription }) => answerTime(answers.get(subscription)) },
        {
          name: 'Last success',
          cell: ({ lastSuccessAt }) => (lastSuccessAt === null ? DASH : ago(lastSuccessAt, now)),
        },
      ],
    }),
  })
}

function amount({ counts, subscription }: EndpointOverview, state: 'pending' | 'held' | 'exhausted'): Content {
  if (counts[state] === 0) return html`<span class="dim">0</span>`
  const href = link({ path: '/deliveries', query: { subscription: [subscription], state: [state] } })
  return html`<a href="${href}">${amountText(counts[state])}</a>`
}

function waitedFor(since: number | null, now: number): Content {
  return since === null ? DASH : roughDuration(Math.max(now - since, 0), Math.floor)
}

function answerTime(ms: number | undefined): Content {
  return ms === undefined ? DASH : `${Math.round(ms)} ms`
}
