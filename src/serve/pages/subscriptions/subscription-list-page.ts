import { html } from 'hono/html'
import { retold } from '../languages/retold.ts'
import { amountText, say } from '../languages/say.ts'
import type { DeliveryState } from '../../../model/delivery.ts'
import { endpointState } from '../../../report/endpoint.ts'
import type { EndpointOverview } from '../../../store/ports/query-port.ts'
import { mayAct } from '../../admin-context.ts'
import { link, subscriptionPath } from '../parts/address.ts'
import { stateBadge } from '../parts/badge.ts'
import type { Page } from '../parts/layout.ts'
import type { Content, Html } from '../parts/markup.ts'
import { problemsBeside } from '../parts/filters.ts'
import { pager } from '../parts/pager.ts'
import { table } from '../parts/table.ts'
import { DASH, sentence, text } from '../parts/text.ts'
import { ago } from '../parts/time.ts'
import { partOf } from '../parts/whole-list.ts'
import type { View } from '../show-page.ts'

/** Who hears what, and how it goes. */
export async function subscriptionListPage({ address, asker, desk, now }: View): Promise<Page> {
  const { next, rows } = partOf(address, await desk.store.endpoints())
  const configured = new Map(desk.subscriptions().map((each) => [each.name, each]))
  const mayMake = mayAct(asker) && desk.takesSubscriptions()
  const body = html`<div class="head">
      <h1>${say('Subscriptions')}</h1>
      ${mayMake ? html`<a class="button" href="/subscribe">${say('Make one')}</a>` : null}
    </div>
    ${problemsBeside([])}
    <section class="panel" id="subscriptions" aria-label="${say('Subscriptions')}" data-live="delivery">
      ${table({
        caption: 'Subscriptions',
        rows,
        key: ({ subscription }) => subscription,
        columns: [
          {
            name: 'Name',
            cell: ({ subscription }) => html`<a href="${subscriptionPath(subscription)}">${subscription}</a>`,
          },
          { name: 'State', kind: 'roomy', cell: (endpoint) => stateOf(endpoint) },
          {
            name: 'Hears',
            kind: 'wide',
            beside: true,
            cell: (each) => hears(configured.get(each.subscription)?.events ?? askedEvents(each)),
          },
          { name: 'Pending', kind: 'number', cell: (each) => countLink(each, 'pending') },
          { name: 'Held', kind: 'number', cell: (each) => countLink(each, 'held') },
          { name: 'Exhausted', kind: 'number', cell: (each) => countLink(each, 'exhausted') },
          { name: 'Delivered', kind: 'number', beside: true, cell: (each) => countLink(each, 'delivered') },
          { name: 'Oldest pending', kind: 'number', cell: ({ oldestPendingAt }) => agoOrDash(oldestPendingAt, now) },
          {
            name: 'Last success',
            kind: 'number',
            beside: true,
            cell: ({ lastSuccessAt }) => agoOrDash(lastSuccessAt, now),
          },
        ],
        empty: sentence(
          say('Nobody hears anything yet. Add a subscription to `shipbell.yaml`; it takes effect at once.'),
        ),
      })}
      ${pager(address, next)}
    </section>`
  return { title: say('Subscriptions'), under: 'Subscriptions', body }
}

function stateOf(endpoint: EndpointOverview): Html {
  const state = stateBadge(endpointState(endpoint).text)
  return endpoint.lastError === null || endpoint.failuresInARow === 0
    ? state
    : html`${state} <strong class="small">${text(retold(endpoint.lastError), 100)}</strong>`
}

/** What one that was made at run time asked for, whether it gets that now or not. */
function askedEvents({ runtime }: EndpointOverview): readonly string[] | undefined {
  if (runtime === null) return undefined
  const asked: { readonly events: readonly string[] } = JSON.parse(runtime.settings)
  return asked.events
}

function hears(patterns: readonly string[] | undefined): Content {
  if (patterns === undefined) return html`<span class="dim">${say('no longer in the configuration')}</span>`
  return html`${patterns.map((pattern) => html`<code>${pattern}</code> `)}`
}

/** A number that leads to the rows that it counts. */
export function countLink({ counts, subscription }: EndpointOverview, state: DeliveryState): Html {
  const amount = counts[state]
  if (amount === 0) return html`<span class="dim">0</span>`
  const href = link({ path: '/deliveries', query: {} }, { subscription, state })
  const isBad = state === 'exhausted' || state === 'held'
  return html`<a href="${href}">${isBad ? html`<strong>${amountText(amount)}</strong>` : amountText(amount)}</a>`
}

function agoOrDash(at: number | null, now: number): Html {
  return at === null ? DASH : ago(at, now)
}
