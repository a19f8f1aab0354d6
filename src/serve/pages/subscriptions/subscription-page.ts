import { html } from 'hono/html'
import { retold } from '../languages/retold.ts'
import { capitalised, say, sayAround, sayCount } from '../languages/say.ts'
import { DELIVERY_STATES } from '../../../model/delivery.ts'
import { endpointState, whyShut } from '../../../report/endpoint.ts'
import type { EndpointOverview } from '../../../store/ports/query-port.ts'
import { deliveryTable } from '../deliveries/delivery-list-page.ts'
import { failuresPanel } from '../deliveries/failures-panel.ts'
import { actionForm } from '../parts/actions.ts'
import { link, subscriptionPath } from '../parts/address.ts'
import { stateBadge } from '../parts/badge.ts'
import type { Page } from '../parts/layout.ts'
import type { Html } from '../parts/markup.ts'
import { facts, panel } from '../parts/panel.ts'
import { DASH, sentence, text } from '../parts/text.ts'
import { ago, instant } from '../parts/time.ts'
import type { View } from '../show-page.ts'
import { hearsPanel } from './hears-panel.ts'
import { previewPanel } from './preview-panel.ts'
import { snapshotPanel } from './snapshot-panel.ts'
import { countLink } from './subscription-list-page.ts'
import { trialPanel } from './trial-panel.ts'
import { mayAct } from '../../admin-context.ts'

/** How many of the newest deliveries are shown. */
const NEWEST = 10

/** What one subscription hears, how it goes, and what can be done about it. */
export async function subscriptionPage(endpoint: EndpointOverview, view: View): Promise<Page> {
  const { desk } = view
  const { subscription: name } = endpoint
  const settings = desk.subscriptions().find((each) => each.name === name) ?? null
  const newest = (await desk.store.deliveryPage({ subscription: name, limit: NEWEST })).items
  const preview = settings === null ? null : await previewPanel(name, newest, view)
  const body = html`<div class="head">
      <div>
        <h1>${name}</h1>
        ${stateBadge(endpointState(endpoint).text)} ${madeBy(endpoint)}
      </div>
      ${buttons(endpoint, view)}
    </div>
    ${stoppedBy(endpoint)} ${await failuresPanel(view, { subscription: name })}
    <div class="columns">${healthPanel(endpoint, view)} ${hearsPanel(settings, view, name)}</div>
    ${settings === null ? null : html`<div class="columns">${await trialPanel(settings, view)} ${replayPanel(endpoint, view)}</div>`}
    ${settings === null ? null : await snapshotPanel(settings, view)} ${preview?.body ?? null}
    ${panel({
      id: 'newest',
      title: 'Newest deliveries',
      aside: html`<a href="${link({ path: '/deliveries', query: {} }, { subscription: name })}"
        >${say('All of them')}</a
      >`,
      live: 'delivery',
      body: await deliveryTable(newest, { ...view, address: { path: '/deliveries', query: { subscription: [name] } } }),
    })}`
  const framed = preview?.framed ?? null
  return { title: name, under: 'Subscriptions', body, ...(framed !== null && { framed }) }
}

/** Who made it, where no file did. */
function madeBy({ runtime }: EndpointOverview): Html | null {
  if (runtime === null) return null
  const { madeAt, owner } = runtime
  const said =
    owner === null
      ? sayAround('made at run time, {instant}', { instant: instant(madeAt) })
      : sayAround('made at run time by {owner}, {instant}', { owner: text(owner), instant: instant(madeAt) })
  return html`<span class="dim">${said}</span>`
}

function buttons(
  { configured, counts, disabled, enabled, runtime, subscription }: EndpointOverview,
  { asker }: View,
): Html | null {
  if (!mayAct(asker)) return null
  const path = subscriptionPath(subscription)
  const isDisabled = disabled !== null
  return html`<div class="row">
    ${configured ? actionForm({ path: `${path}/test`, label: 'Send test' }) : null}
    ${configured && enabled && isDisabled ? actionForm({ path: `${path}/enable`, label: 'Enable' }) : null}
    ${configured && enabled && !isDisabled ? actionForm({ path: `${path}/disable`, label: 'Disable' }) : null}
    ${counts.held > 0 ? actionForm({ path: `${path}/discard`, label: 'Discard', asks: true, isGrave: true }) : null}
    ${runtime === null ? null : actionForm({ path: `${path}/rotate`, label: 'Rotate secret' })}
    ${runtime === null ? null : actionForm({ path: `${path}/end`, label: 'End', asks: true, isGrave: true })}
  </div>`
}

/** Why nothing goes out, and what makes it go again. */
function stoppedBy(endpoint: EndpointOverview): Html | null {
  const { configured, counts, disabled, enabled, runtime } = endpoint
  const held = sayCount(counts.held, ['{n} event is held', '{n} events are held'])
  const shut = runtime === null ? null : whyShut(endpoint)
  if (shut !== null) return warning(`${retold(`It ${shut}.`)} ${held}.`)
  if (!configured)
    return warning(say('It is not in the configuration: {held} until it returns or somebody discards them.', { held }))
  if (!enabled)
    return warning(say('It is disabled in the configuration (`enabled: false`): {held} until that changes.', { held }))
  if (disabled === null) return null
  return html`<p class="notice warning">
    ${sayAround('It was disabled {instant}: {reason}. {held}; {enable} releases them in order.', { instant: instant(disabled.at), reason: text(retold(disabled.reason), 400), held, enable: html`<em>${say('Enable')}</em>` })}
  </p>`
}

function warning(said: string): Html {
  return html`<p class="notice warning">${sentence(said)}</p>`
}

function healthPanel(endpoint: EndpointOverview, { now }: View): Html {
  const when = (at: number | null): Html => (at === null ? DASH : ago(at, now))
  return panel({
    id: 'health',
    title: 'How it goes',
    live: 'delivery',
    body: facts([
      ...DELIVERY_STATES.map((state) => ({ label: capitalised(say(state)), value: countLink(endpoint, state) })),
      { label: 'Oldest pending', value: when(endpoint.oldestPendingAt) },
      { label: 'Last success', value: when(endpoint.lastSuccessAt) },
      { label: 'Last failure', value: when(endpoint.lastFailureAt) },
      { label: 'Failures in a row', value: endpoint.failuresInARow },
    ]),
  })
}

/** The form that sends again what a subscription was not delivered; it says first how many that are. */
function replayPanel({ subscription }: EndpointOverview, { asker }: View): Html | null {
  if (!mayAct(asker)) return null
  return panel({
    id: 'replay',
    title: 'Replay',
    body: html`<p>${say('Sends again what did not arrive. The next page says how many, and sends nothing yet.')}</p>
      <form class="filters" method="get" action="/deliveries/retry">
        <input type="hidden" name="subscription" value="${subscription}" />
        <div class="field">
          <label for="replay-since">${say('Since')}</label>
          <input id="replay-since" type="text" name="since" value="24h" required autocomplete="off" />
        </div>
        <label class="check"
          ><input type="checkbox" name="missing" value="on" />
          ${say('Also events that it matches and never got')}</label
        >
        <button type="submit">${say('Retry')}</button>
      </form>`,
  })
}
