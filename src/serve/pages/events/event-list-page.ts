import { html } from 'hono/html'
import { EVENT_CATALOGUE } from '../../../model/event-catalogue.ts'
import type { LoggedEvent } from '../../../model/event.ts'
import { typesLike } from '../../../model/types-like.ts'
import { RECORD_RESOURCES, type SubjectResource } from '../../../model/resource.ts'
import type { EventQuery } from '../../../store/ports/log-query-port.ts'
import { say } from '../languages/say.ts'
import { recordPath, valueOf, type Address } from '../parts/address.ts'
import { eventItem, eventSentence, typeBadge } from '../parts/event-line.ts'
import { choicesOf, filterBy, filterForm, filtersInForce, type FilterField } from '../parts/filters.ts'
import type { Page } from '../parts/layout.ts'
import type { Content, Html } from '../parts/markup.ts'
import { pager } from '../parts/pager.ts'
import { accountOf, eventTypesOf, idOf, oneOf, placeOf, timeOf } from '../parts/query.ts'
import { entriesOf, readingEvents, readingLines, type Entry, type Reading } from '../parts/reading.ts'
import { shipmentNames, withShipmentNames } from '../parts/shipment-names.ts'
import { table } from '../parts/table.ts'
import { DASH, text } from '../parts/text.ts'
import { ago, wording } from '../parts/time.ts'
import type { View } from '../show-page.ts'

const SUBJECTS: readonly SubjectResource[] = [...RECORD_RESOURCES, 'account', 'subscription']

const FILTERS = ['account', 'type', 'resource', 'subject', 'since', 'until']

/** The log, newest first: 50 events, with those as one entry that one reading brought of a record. */
export async function eventListPage(view: View): Promise<Page> {
  const { address, desk } = view
  const { items, next } = await desk.store.eventPage(queryOf(view))
  const isFirst = valueOf(address, 'cursor') === null
  const body = html`<div class="head">
      <h1>${say('Events')}</h1>
      <form class="jump" method="get" action="/events">
        <label for="jump-id" class="unseen">${say('Event')}</label>
        <input id="jump-id" type="text" name="id" placeholder="${say('Id or #sequence')}" autocomplete="off" required />
        <button type="submit">${wording().terms.buttons.open}</button>
      </form>
    </div>
    ${filterForm(address, fieldsOf(view))} ${filtersInForce(address, FILTERS)}
    <section class="panel" id="log" aria-label="${say('Events')}" ${isFirst ? html`data-live="event"` : null}>
      ${await eventTable(entriesOf(items), view)} ${pager(address, next)}
    </section>`
  return { title: say('Events'), under: 'Events', body }
}

/** Events that a shortened id may mean. */
export async function eventChoicePage(ids: readonly string[], view: View): Promise<Page> {
  const { items } = await view.desk.store.eventPage({ ids, addressed: true, limit: ids.length })
  const events = items.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id))
  const body = html`<h1>${say('Which event?')}</h1>
    <section class="panel" aria-label="${say('Events')}">
      <p>${say('{n} events have an id that begins so, or this number in their account.', { n: events.length })}</p>
      ${await eventTable(
        events.map((event) => ({ event })),
        { ...view, address: { path: '/events', query: {} } },
      )}
    </section>`
  return { title: say('Which event?'), under: 'Events', body }
}

function fieldsOf({ desk }: View): readonly FilterField[] {
  return [
    { kind: 'search', name: 'subject', label: 'Subject', hint: 'Id of a shipment, invoice …' },
    {
      kind: 'choice',
      name: 'account',
      label: 'Account',
      choices: desk.accounts().map(({ name }) => ({ value: name, label: name })),
    },
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
  const [account, types, subjectId] = [accountOf(address), eventTypesOf(address), idOf(address, 'subject')]
  const resource = oneOf(address, 'resource', SUBJECTS)
  const [since, until] = [timeOf(address, 'since', now), timeOf(address, 'until', now)]
  return {
    ...placeOf(address),
    ...(account !== null && { account }),
    // A type that nobody has gives an empty list.
    ...(types.length > 0 && { types: types.flatMap((type) => (type.includes('*') ? typesLike(type) : [type])) }),
    ...(resource !== null && { resource }),
    ...(subjectId !== null && { subjectId }),
    ...(since !== null && { since }),
    ...(until !== null && { until }),
  }
}

async function eventTable(entries: readonly Entry[], { address, desk, now }: View): Promise<Html> {
  const [names, named] = await Promise.all([namesOf(entries, desk), withShipmentNames(toldIn(entries), desk.store)])
  const by = (name: string, value: string, shown: Content): Html => filterBy(address, { name, value }, shown)
  return table({
    caption: 'Events, the newest first',
    rows: entries,
    key: (entry) => ('event' in entry ? entry.event.id : `reading-${entry.reading.newest.id}`),
    columns: [
      { name: 'What happened', kind: 'wide', cell: (entry) => whatHappened(entry, { names, named }) },
      {
        name: 'Type',
        beside: true,
        cell: (entry) =>
          someOf(distinct(entry, ({ type }) => type).map((event) => by('type', event.type, typeBadge(event)))),
      },
      {
        name: 'Subject',
        cell: (entry) =>
          someOf(
            distinct(entry, ({ subject }) => subject.id).map(({ subject }) =>
              by('subject', subject.id, text(subject.id, 60)),
            ),
          ),
      },
      { name: 'Account', beside: true, cell: (entry) => accountCell(newestOf(entry), by) },
      { name: 'Number', kind: 'number', beside: true, cell: numbersOf },
      { name: 'Rang', kind: 'number', cell: (entry) => ago(newestOf(entry).timestamp, now) },
    ],
    below: (entry) =>
      'event' in entry ? null : readingEvents(entry.reading, (event) => eventItem(named(event), { more: null, now })),
    empty: emptyLog(address),
  })
}

function toldIn(entries: readonly Entry[]): readonly LoggedEvent[] {
  return entries.flatMap((entry) => ('event' in entry ? [entry.event] : entry.reading.events))
}

interface Names {
  readonly names: ReadonlyMap<Reading, string>
  readonly named: (event: LoggedEvent) => LoggedEvent
}

/** The sentence of an event; of several of one reading what they come to, below the name of their shipment. */
function whatHappened(entry: Entry, { named, names }: Names): Html {
  if ('event' in entry) return eventSentence(named(entry.event))
  const { reading } = entry
  return html`${whoseOf(reading, names)} ${readingLines(reading)}`
}

function whoseOf(reading: Reading, names: ReadonlyMap<Reading, string>): Html | null {
  const { account, id, name, resource } = reading.entry
  if (resource !== 'shipment' || account === null) return null
  const called = name ?? names.get(reading) ?? id
  return html`<p class="whose"><a href="${recordPath({ account, resource, id })}">${text(called, 120)}</a></p>`
}

/** What shipments are called of which no event says it, such as those of orders. */
async function namesOf(
  entries: readonly Entry[],
  { store }: Pick<View['desk'], 'store'>,
): Promise<ReadonlyMap<Reading, string>> {
  const nameless = entries.flatMap((entry) => {
    if (!('reading' in entry)) return []
    const { reading } = entry
    const { account, id, name, resource } = reading.entry
    return resource === 'shipment' && name === null && account !== null ? [{ reading, account, id }] : []
  })
  const nameOf = await shipmentNames(nameless, store)
  return new Map(nameless.map((each) => [each.reading, nameOf(each) ?? each.id]))
}

function newestOf(entry: Entry): LoggedEvent {
  return 'event' in entry ? entry.event : entry.reading.newest
}

/** The newest event of an entry for each value. */
function distinct(entry: Entry, valueIn: (event: LoggedEvent) => string): readonly LoggedEvent[] {
  if ('event' in entry) return [entry.event]
  return [...Map.groupBy(entry.reading.events, valueIn).values()].flatMap((own) => own.slice(0, 1))
}

/** How many values of one entry stand in a cell. */
const IN_CELL = 3

function someOf(values: readonly Html[]): Html {
  const [only, ...others] = values
  if (only !== undefined && others.length === 0) return only
  return html`<ul class="values">
    ${values.slice(0, IN_CELL).map((value) => html`<li>${value}</li>`)}
    ${values.length > IN_CELL ? html`<li class="dim small">${say('{n} more', { n: values.length - IN_CELL })}</li>` : null}
  </ul>`
}

function accountCell({ account }: LoggedEvent, by: (name: string, value: string, shown: Content) => Html): Html {
  return account === null ? DASH : by('account', account, account)
}

/** `#12`, or from the first to the last of several. */
function numbersOf(entry: Entry): string {
  if ('event' in entry) return `#${entry.event.sequence}`
  const numbers = entry.reading.events.map(({ sequence }) => sequence)
  return `#${Math.min(...numbers)}–${Math.max(...numbers)}`
}

function emptyLog(address: Address): Html {
  const isFiltered = FILTERS.some((name) => valueOf(address, name) !== null)
  return isFiltered
    ? html`${say('No event fits these filters. Take one out, or look further back.')}`
    : html`${say('Nothing has rung yet. The first pass over a list is learnt in silence; every change after it appears here.')}`
}
