import { html } from 'hono/html'
import { retold } from '../languages/retold.ts'
import { asStarted } from '../../../invocation.ts'
import { sentenceOf } from '../../../message/message.ts'
import { DELIVERY_STATES, type Delivery } from '../../../model/delivery.ts'
import type { LoggedEvent } from '../../../model/event.ts'
import { fullPayload } from '../../../model/payload.ts'
import { roughDuration } from '../../../report/delay.ts'
import { deliveryTotals } from '../../../report/endpoint.ts'
import type { DeliveryQuery, FailureFilter } from '../../../store/ports/log-query-port.ts'
import type { EndpointOverview } from '../../../store/ports/query-port.ts'
import { amountText, capitalised, say } from '../languages/say.ts'
import { wordText } from '../parts/words.ts'
import { actionForm } from '../parts/actions.ts'
import { deliveryPath, eventPath, link, PLACE, valueOf, valuesOf, type Address } from '../parts/address.ts'
import { badge, stateBadge } from '../parts/badge.ts'
import { filterBy, filterForm, filtersInForce, type FilterField } from '../parts/filters.ts'
import type { Page } from '../parts/layout.ts'
import type { Content, Html } from '../parts/markup.ts'
import { pager } from '../parts/pager.ts'
import { accountOf, idOf, placeOf, someOf, subscriptionOf, timeOf } from '../parts/query.ts'
import { table } from '../parts/table.ts'
import { DASH, spoken, text } from '../parts/text.ts'
import { ago, wording } from '../parts/time.ts'
import type { View } from '../show-page.ts'
import { isPulled } from './attempt-list.ts'
import { failuresPanel } from './failures-panel.ts'
import { retryFields, retryRequestOf } from './retry-request.ts'
import { mayAct } from '../../admin-context.ts'

/** The filters that the form does not show, and the ones of the tabs. */
const CHIPS = ['event', 'cause', 'subscription', 'account', 'since']

/** The ledger, newest event first; above it why rows are not delivered. */
export async function deliveryListPage(view: View): Promise<Page> {
  const { address, desk } = view
  const { items, next } = await desk.store.deliveryPage(queryOf(view))
  const endpoints = await desk.store.endpoints()
  const isFirst = valueOf(address, 'cursor') === null
  const showsFailures = isFirst && ['cause', 'event'].every((name) => valueOf(address, name) === null)
  const body = html`<div class="head">
      <h1>${say('Deliveries')}</h1>
      ${retryAll(view)}
    </div>
    ${showsFailures ? await failuresPanel(view, filterOf(view)) : null} ${tabs(view, endpoints)}
    ${filterForm(address, fieldsOf(view, endpoints))} ${filtersInForce(address, CHIPS)}
    <section class="panel" id="ledger" aria-label="${say('Deliveries')}" ${isFirst ? html`data-live="delivery"` : null}>
      ${await deliveryTable(items, view)} ${pager(address, next)}
    </section>`
  return { title: say('Deliveries'), under: 'Deliveries', body }
}

/** The filter of the list: what is shown above it is of the same rows. */
function filterOf(view: View): FailureFilter {
  const { account, since, states, subscription } = queryOf(view)
  return {
    ...(subscription !== undefined && { subscription }),
    ...(account !== undefined && { account }),
    ...(states !== undefined && { states }),
    ...(since !== undefined && { since }),
  }
}

function queryOf({ address, now }: View): DeliveryQuery {
  const [subscription, account] = [subscriptionOf(address), accountOf(address)]
  const [eventId, cause] = [idOf(address, 'event'), valueOf(address, 'cause')]
  const states = someOf(address, 'state', DELIVERY_STATES)
  const since = timeOf(address, 'since', now)
  return {
    ...placeOf(address),
    ...(subscription !== null && { subscription }),
    ...(account !== null && { account }),
    ...(eventId !== null && { eventId }),
    ...(cause !== null && { cause }),
    ...(states.length > 0 && { states }),
    ...(since !== null && { since }),
  }
}

function tabs({ address }: View, endpoints: readonly EndpointOverview[]): Html {
  const only = valueOf(address, 'subscription')
  const totals = deliveryTotals(endpoints.filter(({ subscription }) => only === null || subscription === only))
  const states = valuesOf(address, 'state')
  const isHere = (state: string | null): boolean => (state === null ? states.length === 0 : states.includes(state))
  const tab = (state: string | null, label: Content): Html =>
    html`<li>
      <a href="${link(address, { ...PLACE, state })}" ${isHere(state) ? html`aria-current="page"` : null}>${label}</a>
    </li>`
  return html`<nav aria-label="${say('State')}">
    <ul class="tabs">
      ${tab(null, say('All'))}
      ${DELIVERY_STATES.map((state) =>
        tab(state, html`${capitalised(say(wordText(state)))} <span class="dim">${amountText(totals[state])}</span>`),
      )}
    </ul>
  </nav>`
}

function fieldsOf({ address, desk }: View, endpoints: readonly EndpointOverview[]): readonly FilterField[] {
  return [
    {
      kind: 'choice',
      name: 'subscription',
      label: 'Subscription',
      choices: endpoints.map(({ subscription }) => ({ value: subscription, label: subscription })),
    },
    {
      kind: 'choice',
      name: 'account',
      label: 'Account',
      choices: desk.accounts().map(({ name }) => ({ value: name, label: name })),
    },
    { kind: 'text', name: 'since', label: 'Event rang since', hint: '24h, 2026-11-21' },
    { kind: 'text', name: 'event', label: 'Event', hint: 'evt_…' },
    ...valuesOf(address, 'state').map((value) => ({ kind: 'hidden', name: 'state', value }) as const),
  ]
}

/** The button that retries what the list shows now: it asks first. */
function retryAll({ address, asker, now }: View): Html | null {
  const states = valuesOf(address, 'state')
  // A request names one state: what a list of several shows is not what it would retry.
  const isRetried = states.length <= 1 && states[0] !== 'delivered' && valueOf(address, 'event') === null
  if (asker.role !== 'admin' || !isRetried) return null
  const fields = retryFields(retryRequestOf(address, now))
  return html`<div class="row">
    <span class="dim small">${say('All that match and are not delivered:')}</span>
    ${actionForm({ path: '/deliveries/retry', label: 'Retry', asks: true, fields })}
  </div>`
}

export async function deliveryTable(rows: readonly Delivery[], { address, asker, desk, now }: View): Promise<Html> {
  const events = await eventsOf(rows, desk)
  const by = (name: string, value: string, shown: Content): Html => filterBy(address, { name, value }, shown)
  return table({
    caption: 'Deliveries, the newest event first',
    rows,
    key: ({ id }) => id,
    columns: [
      { name: 'Event', kind: 'wide', cell: (row) => whatOf(row, events.get(row.eventId), now) },
      { name: 'To|whom', cell: ({ subscription }) => by('subscription', subscription, subscription) },
      { name: 'State', cell: ({ state }) => by('state', state, stateBadge(state)) },
      { name: 'What came of it', cell: (row) => outcome(row, now) },
      { name: 'Attempts', kind: 'number', beside: true, cell: ({ attempts }) => attempts },
      {
        name: 'Account',
        beside: true,
        cell: ({ account }) => (account === null ? DASH : by('account', account, account)),
      },
      ...(mayAct(asker) ? [{ name: 'Action', cell: (row: Delivery) => retryOne(row, desk) }] : []),
    ],
    empty: emptyLedger(address),
  })
}

/** Why no delivery is shown, and what to do. */
function emptyLedger(address: Address): Html {
  // A subscription alone narrows nothing down: it was sent nothing.
  if ([...CHIPS, 'state'].every((name) => name === 'subscription' || valueOf(address, name) === null))
    return html`${say('Nothing has been sent yet. What rings for a subscription appears here.')}`
  return html`${say('No delivery fits.')}
  ${say(valueOf(address, 'state') === 'exhausted' ? 'Nothing has given up: good.' : 'Take a filter out, or look at the events.')}`
}

async function eventsOf(rows: readonly Delivery[], { store }: View['desk']): Promise<ReadonlyMap<string, LoggedEvent>> {
  const ids = [...new Set(rows.map(({ eventId }) => eventId))]
  const { items } = await store.eventPage({ ids, addressed: true, limit: ids.length })
  return new Map(items.map((event) => [event.id, event]))
}

function whatOf({ eventId, id, type }: Delivery, event: LoggedEvent | undefined, now: number): Html {
  const said =
    event === undefined || event.expiredAt !== null ? type : asStarted(sentenceOf(fullPayload(event), wording()))
  return html`<a href="${deliveryPath(id)}">${spoken(said, 140)}</a>
    <span class="small dim"
      >${type}${event === undefined ? null : html`, ${ago(event.timestamp, now)}`},
      <a href="${eventPath(eventId)}">${say('story')}</a></span
    >`
}

function outcome({ lastError, lastStatus, nextAttemptAt, state, waitsFor }: Delivery, now: number): Html {
  const said = lastError === null ? null : html`<strong>${text(retold(lastError), 160)}</strong>`
  if (state === 'delivered') return html`${lastStatus === null ? DASH : badge(String(lastStatus), 'good')} ${said}`
  if (state !== 'pending') return said ?? DASH
  if (waitsFor !== null) return html`${said} <span class="dim">${say('waits for the one before it')}</span>`
  const next =
    nextAttemptAt === null || nextAttemptAt <= now
      ? say('due now')
      : say('next in {length}', { length: roughDuration(nextAttemptAt - now) })
  return html`${said} <span class="dim">${next}</span>`
}

function retryOne({ id, payloadExpiredAt, state, subscription }: Delivery, desk: View['desk']): Content {
  if (isPulled(subscription, desk)) return DASH
  if (payloadExpiredAt !== null) return html`<span class="dim">${say('expired')}</span>`
  return state === 'delivered' ? DASH : actionForm({ path: `${deliveryPath(id)}/retry`, label: 'Retry' })
}
