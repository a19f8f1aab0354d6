import { html } from 'hono/html'
import { EVENT_CATALOGUE } from '../../../model/event-catalogue.ts'
import type { LoggedEvent } from '../../../model/event.ts'
import { typesLike } from '../../../model/types-like.ts'
import { RECORD_RESOURCES, type SubjectResource } from '../../../model/resource.ts'
import type { EventQuery } from '../../../store/ports/log-query-port.ts'
import { valueOf, type Address } from '../parts/address.ts'
import { eventSentence, typeBadge } from '../parts/event-line.ts'
import { choicesOf, filterBy, filterForm, filtersInForce, type FilterField } from '../parts/filters.ts'
import type { Page } from '../parts/layout.ts'
import type { Content, Html } from '../parts/markup.ts'
import { pager } from '../parts/pager.ts'
import { accountOf, oneOf, placeOf, timeOf } from '../parts/query.ts'
import { table } from '../parts/table.ts'
import { DASH, text } from '../parts/text.ts'
import { ago } from '../parts/time.ts'
import type { View } from '../show-page.ts'

const SUBJECTS: readonly SubjectResource[] = [...RECORD_RESOURCES, 'account', 'subscription']

const FILTERS = ['account', 'type', 'resource', 'subject', 'since', 'until']

/** The log, newest first. */
export async function eventListPage(view: View): Promise<Page> {
  const { address, desk } = view
  const { items, next } = await desk.store.eventPage(queryOf(view))
  const isFirst = valueOf(address, 'cursor') === null
  const body = html`<div class="head">
      <h1>Events</h1>
      <form class="jump" method="get" action="/events">
        <label for="jump-id" class="unseen">Event</label>
        <input id="jump-id" type="text" name="id" placeholder="Id or #sequence" autocomplete="off" required />
        <button type="submit">Open</button>
      </form>
    </div>
    ${filterForm(address, fieldsOf(view))} ${filtersInForce(address, FILTERS)}
    <section class="panel" id="log" aria-label="Events" ${isFirst ? html`data-live="event"` : null}>
      ${eventTable(items, view)} ${pager(address, next)}
    </section>`
  return { title: 'Events', under: 'Events', body }
}

/** Events that a shortened id may mean. */
export async function eventChoicePage(ids: readonly string[], view: View): Promise<Page> {
  const events = (await Promise.all(ids.map(async (id) => await view.desk.store.event(id)))).flatMap(
    (each) => each ?? [],
  )
  const body = html`<h1>Which event?</h1>
    <section class="panel" aria-label="Events">
      <p>${events.length} events have an id that begins so, or this number in their account.</p>
      ${eventTable(events, { ...view, address: { path: '/events', query: {} } })}
    </section>`
  return { title: 'Which event?', under: 'Events', body }
}

function fieldsOf({ desk }: View): readonly FilterField[] {
  return [
    { kind: 'search', name: 'subject', label: 'Subject', hint: 'Id of a shipment, invoice …' },
    { kind: 'choice', name: 'account', label: 'Account', choices: choicesOf(desk.accounts().map(({ name }) => name)) },
    { kind: 'choice', name: 'resource', label: 'Resource', choices: choicesOf(SUBJECTS) },
    {
      kind: 'choice',
      name: 'type',
      label: 'Type',
      choices: EVENT_CATALOGUE.map(({ type }) => ({ value: type, label: type })),
    },
    { kind: 'text', name: 'since', label: 'Since', hint: '24h, 2026-11-21' },
    { kind: 'text', name: 'until', label: 'Until', hint: '1h, 2026-11-22' },
  ]
}

function queryOf({ address, now }: View): EventQuery {
  const [account, type, subjectId] = [accountOf(address), valueOf(address, 'type'), valueOf(address, 'subject')]
  const resource = oneOf(address, 'resource', SUBJECTS)
  const [since, until] = [timeOf(address, 'since', now), timeOf(address, 'until', now)]
  return {
    ...placeOf(address),
    ...(account !== null && { account }),
    // A type that nobody has gives an empty list.
    ...(type !== null && { types: type.includes('*') ? typesLike(type) : [type] }),
    ...(resource !== null && { resource }),
    ...(subjectId !== null && { subjectId }),
    ...(since !== null && { since }),
    ...(until !== null && { until }),
  }
}

function eventTable(events: readonly LoggedEvent[], { address, now }: View): Html {
  const by = (name: string, value: string, shown: Content): Html => filterBy(address, { name, value }, shown)
  return table({
    caption: 'Events, the newest first',
    rows: events,
    key: ({ id }) => id,
    columns: [
      { name: 'What happened', kind: 'wide', cell: eventSentence },
      { name: 'Type', beside: true, cell: (event) => by('type', event.type, typeBadge(event)) },
      { name: 'Subject', cell: ({ subject }) => by('subject', subject.id, text(subject.id, 60)) },
      {
        name: 'Account',
        beside: true,
        cell: ({ account }) => (account === null ? DASH : by('account', account, account)),
      },
      { name: 'Number', kind: 'number', beside: true, cell: ({ sequence }) => `#${sequence}` },
      { name: 'Rang', kind: 'number', cell: ({ timestamp }) => ago(timestamp, now) },
    ],
    empty: emptyLog(address),
  })
}

function emptyLog(address: Address): Html {
  const isFiltered = FILTERS.some((name) => valueOf(address, name) !== null)
  return isFiltered
    ? html`No event fits these filters. Take one out, or look further back.`
    : html`Nothing has rung yet. The first pass over a list is learnt in silence; every change after it appears here.`
}
