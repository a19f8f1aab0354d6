import { html } from 'hono/html'
import type { Page as ListPart } from '../../../model/page.ts'
import { watchedIn } from '../../../model/account.ts'
import { LIST_RULES, NEWEST_FIRST, orderText, type RecordSort } from '../../../model/record-order.ts'
import type { RecordState } from '../../../model/record-state.ts'
import { RECORD_OF, RESOURCES, watchedAs, type RecordResource } from '../../../model/resource.ts'
import type { RecordSummary } from '../../../store/ports/record-query-port.ts'
import { LIST_PARAMETERS, readList, type AskedList } from '../../lists/list-query.ts'
import { say, sayAround } from '../languages/say.ts'
import { link, PLACE, recordPath, valueOf, type Address } from '../parts/address.ts'
import { badge, stateBadge } from '../parts/badge.ts'
import { FieldProblem } from '../parts/field-problems.ts'
import { filterBy, filterForm, filtersInForce } from '../parts/filters.ts'
import type { Page } from '../parts/layout.ts'
import type { Html } from '../parts/markup.ts'
import { pager } from '../parts/pager.ts'
import { panel } from '../parts/panel.ts'
import { sortBy, type ColumnSort } from '../parts/sorting.ts'
import { table, type Column } from '../parts/table.ts'
import { DASH, text } from '../parts/text.ts'
import { ago } from '../parts/time.ts'
import type { View } from '../show-page.ts'
import { invoiceSums } from './invoice-sums.ts'
import { ownColumns, problemMarks, type OwnColumn } from './own-columns.ts'
import { fieldsFor, orderTitle } from './record-filters.ts'
import { besideOf, leadOf } from './record-lead.ts'
import { statesOf } from './record-objects.ts'
import { recordTabs } from './record-tabs.ts'

const ROWS = 50
/** How much of a name is shown: the page of the record has all of it. */
const LONGEST_NAME = 120
const FILTERS = LIST_PARAMETERS.filter((name) => name !== 'sort')

/** `/records/RESOURCE`: sorted and narrowed; else the newest change first, or what a text finds. Throws `FieldProblem`. */
export async function recordListPage(resource: RecordResource, view: View): Promise<Page> {
  const { address, desk } = view
  const { problems, query } = readList(resource, (name) => valueOf(address, name), desk)
  for (const { detail, name } of problems) throw new FieldProblem(name, `It ${detail.replaceAll('`', '')}.`)
  const cursor = valueOf(address, 'cursor')
  const part = await desk.store.recordPage({ ...query, limit: ROWS, ...(cursor !== null && { cursor }) })
  const many = say(RESOURCES[resource].labels.many)
  const sums = resource === 'invoice' ? await invoiceSums(query, { cursor, part }, view) : null
  const body = html`<div class="head">
      <h1>${many}</h1>
      ${recordTabs(resource)}
    </div>
    ${filterForm(address, fieldsFor(query, view))} ${filtersInForce(address, FILTERS)}
    ${panel({ id: 'records', title: orderTitle(query), live: 'event', aside: asideOf(resource, address), body: html`${sums}${await recordTable(part, query, view)}` })}`
  return { title: many, under: resource === 'invoice' ? 'Invoices' : 'Shipments', body }
}

async function recordTable(part: ListPart<RecordSummary>, query: AskedList['query'], view: View): Promise<Html> {
  const { address } = view
  const { resource } = query
  return html`${table({
    caption: RESOURCES[resource].labels.many,
    columns: columnsOf(part.items, { query, states: await statesOf(resource, part.items, view), view }),
    rows: part.items,
    key: ({ account, id }) => `${account}/${id}`,
    empty:
      part.next === null
        ? await emptyState(resource, view)
        : sayAround('Nothing here matches: go on with {next}.', { next: html`<em>${say('Next')}</em>` }),
  })}
  ${pager(address, part.next)}`
}

interface ListColumns {
  readonly query: AskedList['query']
  readonly states: ReadonlyMap<RecordSummary, RecordState>
  readonly view: View
}

function columnsOf(
  rows: readonly RecordSummary[],
  { query, states, view }: ListColumns,
): readonly Column<RecordSummary>[] {
  const { address, desk, now } = view
  const { resource } = query
  const isOrder = resource === 'purchase_order'
  const hasStatus = rows.some(({ removedAt, status }) => status !== null || removedAt !== null)
  const marks = (row: RecordSummary) => (resource === 'shipment' ? problemMarks(states.get(row)?.seen ?? null) : [])
  const columns: readonly OwnColumn[] = [
    isOrder
      ? { name: 'Number', cell: (row) => nameOf({ ...row, name: null }) }
      : {
          ...(resource === 'invoice' ? { name: 'Number' } : { name: 'Name', kind: 'wide' }),
          by: 'name',
          cell: (row) => html`${nameOf(row)} ${marks(row)}`,
        },
    ...(hasStatus ? [{ name: 'Status', cell: (record: RecordSummary) => statusOf(record, address) }] : []),
    ...ownColumns(resource, states, view),
    ...(desk.accounts().length > 1 || valueOf(address, 'account') !== null ? [accountColumn(address)] : []),
    {
      name: 'Last event',
      by: 'last_event',
      cell: ({ lastEventAt }) => (lastEventAt === null ? DASH : ago(lastEventAt, now)),
    },
    // A shipment shows much else: its page says when it was read.
    ...(resource === 'shipment' ? [] : [lastRead(now)]),
  ]
  return columns.map(({ by, ...column }) => {
    const sort = by === undefined ? null : sortOf(by, query, address)
    return sort === null ? column : { ...column, sort }
  })
}

function lastRead(now: number): OwnColumn {
  return { name: 'Last read', beside: true, cell: ({ lastReadAt }) => ago(lastReadAt, now) }
}

/** How the head of a column leads to the list in its order; null: this list cannot be. */
function sortOf(by: RecordSort, { due, q, resource }: AskedList['query'], address: Address): ColumnSort | null {
  if (!LIST_RULES[resource].sorts.includes(by)) return null
  // The next arrival, the largest drift, the first name and the newest event are looked for first.
  const isLargestFirst = by === 'drift' || by === 'last_event'
  return sortBy(address, by, {
    isLargestFirst,
    usual: q === undefined && due === undefined ? orderText(NEWEST_FIRST) : '',
  })
}

function accountColumn(address: Address): Column<RecordSummary> {
  return {
    name: 'Account',
    beside: true,
    cell: ({ account }) => filterBy(address, { name: 'account', value: account }, text(account)),
  }
}

function nameOf(record: RecordSummary): Html {
  const beside = besideOf(record)
  return html`<a href="${recordPath(record)}">${text(leadOf(record), LONGEST_NAME)}</a>
    ${beside === null ? null : html`<span class="dim small">${text(beside)}</span>`}`
}

function statusOf({ removedAt, status }: RecordSummary, address: Address): Html {
  const shown = status === null ? DASH : filterBy(address, { name: 'status', value: status }, stateBadge(status))
  return removedAt === null ? shown : html`${shown} ${badge(say('removed'), 'dim')}`
}

/** What is asked first of a list, and all of it as a table. */
function asideOf(resource: RecordResource, address: Address): Html {
  const asked = FIRST_ASKED[resource] ?? {}
  return html`${Object.entries(asked).map(
      ([label, changes]) => html`<a href="${link({ path: address.path, query: {} }, changes)}">${say(label)}</a> `,
    )}${resource === 'invoice' ? html`<a href="/events?type=invoice.overdue">${say('What rang as overdue')}</a> ` : null}<a
      href="${link(address, { ...PLACE, format: 'csv' })}"
      download
      >CSV</a
    >`
}

const FIRST_ASKED: Readonly<
  Partial<Record<RecordResource, Readonly<Record<string, Readonly<Record<string, string>>>>>>
> = {
  shipment: {
    'Next arrivals': { open: 'true', sort: 'eta' },
    'Latest against what was seen first': { open: 'true', sort: '-drift' },
  },
  invoice: { Overdue: { due: 'overdue' }, 'Due in 7 days': { due: '7d' } },
  purchase_order: { 'Latest against desired': { open: 'true', sort: '-drift' } },
}

/** Why there is nothing, and what to do. */
async function emptyState(resource: RecordResource, { address, desk }: View): Promise<Html> {
  const isFiltered = FILTERS.some((name) => valueOf(address, name) !== null)
  if (isFiltered)
    return html`${say('Nothing matches these filters.')}
      <a href="${link({ path: address.path, query: {} })}">${say('Show all')}</a>`
  const watching = desk
    .accounts()
    .filter(({ watch }) => watchedIn(watch).some(([name]) => RECORD_OF[name] === resource))
    .map(({ name }) => name)
  if (watching.length > 0) return html`${say(await noneOf(resource, watching, desk))}`
  const watch = watchedAs(resource)
  return sayAround('No account watches these: add {name} under {watch} in the configuration.', {
    name: html`<code>${watch}</code>`,
    watch: html`<code>watch</code>`,
  })
}

/** Whether the accounts that watch a list have read all of it, and the platform has none. */
async function noneOf(
  resource: RecordResource,
  watching: readonly string[],
  { reports }: View['desk'],
): Promise<string> {
  const read = (await reports.accounts()).filter(
    ({ account, lists }) =>
      watching.includes(account) && lists.some((list) => list.resource === resource && list.baselinedAt !== null),
  )
  return read.length === watching.length
    ? 'The platform has none. What it adds appears here at once.'
    : 'Nothing was read yet. The first pass over the list fills this page.'
}
