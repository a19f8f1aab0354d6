import { html } from 'hono/html'
import { SHIPMENT_STATUSES } from '../../../model/shipment.ts'
import type { Page as ListPart } from '../../../model/page.ts'
import { watchedIn } from '../../../model/account.ts'
import { RECORD_OF, watchedAs, type RecordResource } from '../../../model/resource.ts'
import type { RecordSummary } from '../../../store/record-query-port.ts'
import { link, recordPath, valueOf, type Address } from '../parts/address.ts'
import { badge, stateBadge } from '../parts/badge.ts'
import { choicesOf, filterBy, filterForm, filtersInForce, type FilterField } from '../parts/filters.ts'
import type { Page } from '../parts/layout.ts'
import type { Html } from '../parts/markup.ts'
import { pager } from '../parts/pager.ts'
import { panel } from '../parts/panel.ts'
import { table, type Column } from '../parts/table.ts'
import { DASH, text } from '../parts/text.ts'
import { ago } from '../parts/time.ts'
import type { View } from '../show-page.ts'
import { ownColumns } from './own-columns.ts'
import { recordTabs } from './record-tabs.ts'
import { RESOURCE_NAMES } from './resource-names.ts'

const ROWS = 50
const FILTERS = ['q', 'account', 'status'] as const

/** The platform's words for how a record stands (its interface, "States and transitions"). */
const STATUSES: Readonly<Partial<Record<RecordResource, readonly string[]>>> = {
  shipment: [...SHIPMENT_STATUSES, 'cancelled'],
  invoice: ['new', 'available', 'due', 'partially_paid', 'paid', 'in_modification', 'litigious', 'write_off'],
}

/** `/records/RESOURCE`: the newest change first, or what a text finds. */
export async function recordListPage(resource: RecordResource, view: View): Promise<Page> {
  const { address, desk } = view
  const asked = FILTERS.flatMap((name) => {
    const value = valueOf(address, name)
    return value === null ? [] : [[name, value] as const]
  })
  const cursor = valueOf(address, 'cursor')
  const query = { resource, limit: ROWS, ...Object.fromEntries(asked), ...(cursor === null ? {} : { cursor }) }
  const part = await desk.store.recordPage(query)
  const { many } = RESOURCE_NAMES[resource]
  const body = html`<div class="head">
      <h1>${many}</h1>
      ${recordTabs(resource)}
    </div>
    ${filterForm(address, fieldsFor(resource, view))} ${filtersInForce(address, FILTERS)}
    ${panel({ id: 'records', title: valueOf(address, 'q') === null ? 'Newest change first' : 'Exact finds first', live: 'event', aside: asideOf(resource), body: await recordTable(part, resource, view) })}`
  return { title: many, under: resource === 'invoice' ? 'Invoices' : 'Shipments', body }
}

const HINTS: Readonly<Partial<Record<RecordResource, string>>> = {
  shipment: 'Id, name, order, container, bill, reference',
  invoice: 'Reference, number, shipment',
}

function fieldsFor(resource: RecordResource, { desk }: View): readonly FilterField[] {
  const accounts = desk.accounts().map(({ name }) => name)
  const statuses = STATUSES[resource]
  return [
    { kind: 'search', name: 'q', label: 'Search', hint: HINTS[resource] ?? 'Id, name, shipment' },
    ...(accounts.length > 1 ? [choice('account', 'Account', accounts)] : []),
    ...(statuses === undefined ? [] : [choice('status', 'Status', statuses)]),
  ]
}

function choice(name: string, label: string, values: readonly string[]): FilterField {
  return {
    kind: 'choice',
    name,
    label,
    choices: name === 'account' ? values.map((value) => ({ value, label: value })) : choicesOf(values),
  }
}

async function recordTable(part: ListPart<RecordSummary>, resource: RecordResource, view: View): Promise<Html> {
  const { address } = view
  const own = await ownColumns(resource, part.items, view)
  return html`${table({
    caption: RESOURCE_NAMES[resource].many,
    columns: columnsOf(part.items, own, view),
    rows: part.items,
    key: ({ account, id }) => `${account}/${id}`,
    empty: part.next === null ? emptyState(resource, view) : html`Nothing here matches: go on with <em>Next</em>.`,
  })}
  ${pager(address, part.next)}`
}

function columnsOf(
  rows: readonly RecordSummary[],
  own: readonly Column<RecordSummary>[],
  { address, desk, now }: View,
): readonly Column<RecordSummary>[] {
  const hasStatus = rows.some(({ removedAt, status }) => status !== null || removedAt !== null)
  return [
    { name: 'Name', kind: 'wide', cell: nameOf },
    ...(hasStatus ? [{ name: 'Status', cell: (record: RecordSummary) => statusOf(record, address) }] : []),
    ...own,
    ...(desk.accounts().length > 1 || valueOf(address, 'account') !== null ? [accountColumn(address)] : []),
    { name: 'Last event', cell: ({ lastEventAt }) => (lastEventAt === null ? DASH : ago(lastEventAt, now)) },
    { name: 'Last read', cell: ({ lastReadAt }) => ago(lastReadAt, now) },
  ]
}

function accountColumn(address: Address): Column<RecordSummary> {
  return {
    name: 'Account',
    cell: ({ account }) => filterBy(address, { name: 'account', value: account }, text(account)),
  }
}

function nameOf(record: RecordSummary): Html {
  const { id, name } = record
  const path = recordPath(record)
  if (name === null || name === id) return html`<a href="${path}">${text(id)}</a>`
  return html`<a href="${path}">${text(name)}</a> <span class="dim small">${text(id)}</span>`
}

function statusOf({ removedAt, status }: RecordSummary, address: Address): Html {
  const shown = status === null ? DASH : filterBy(address, { name: 'status', value: status }, stateBadge(status))
  return removedAt === null ? shown : html`${shown} ${badge('removed', 'dim')}`
}

/** The list is in the order of changes: what is late rang, and stands in the log. */
function asideOf(resource: RecordResource): Html | null {
  if (resource !== 'invoice') return null
  return html`<a href="/events?type=invoice.overdue">What rang as overdue</a>`
}

/** Why there is nothing, and what to do. */
function emptyState(resource: RecordResource, { address, desk }: View): Html {
  const isFiltered = FILTERS.some((name) => valueOf(address, name) !== null)
  if (isFiltered)
    return html`Nothing matches these filters. <a href="${link({ path: address.path, query: {} })}">Show all</a>.`
  const isWatched = desk.accounts().some(({ watch }) => watchedIn(watch).some(([name]) => RECORD_OF[name] === resource))
  const watch = watchedAs(resource)
  return isWatched
    ? html`Nothing was read yet. The first pass over the list fills this page.`
    : html`No account watches these: add <code>${watch}</code> under <code>watch</code> in the configuration.`
}
