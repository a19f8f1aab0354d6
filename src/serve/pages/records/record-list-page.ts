import { html } from 'hono/html'
import type { Page as ListPart } from '../../../model/page.ts'
import { watchedIn } from '../../../model/account.ts'
import { RECORD_OF, RESOURCES, watchedAs, type RecordResource } from '../../../model/resource.ts'
import type { RecordSummary } from '../../../store/ports/record-query-port.ts'
import { dueAt } from '../../due-at.ts'
import { link, PLACE, recordPath, valueOf, type Address } from '../parts/address.ts'
import { badge, stateBadge } from '../parts/badge.ts'
import { filterBy, filterForm, filtersInForce } from '../parts/filters.ts'
import type { Page } from '../parts/layout.ts'
import type { Html } from '../parts/markup.ts'
import { pager } from '../parts/pager.ts'
import { panel } from '../parts/panel.ts'
import { table, type Column } from '../parts/table.ts'
import { DASH, text } from '../parts/text.ts'
import { ago } from '../parts/time.ts'
import type { View } from '../show-page.ts'
import { ownColumns } from './own-columns.ts'
import { dueChoiceOf, fieldsFor, orderOf } from './record-filters.ts'
import { besideOf, leadOf } from './record-lead.ts'
import { recordTabs } from './record-tabs.ts'

const ROWS = 50
const FILTERS = ['q', 'account', 'status', 'due'] as const
/** The filters that the store takes as they are written. */
const PLAIN = ['q', 'account', 'status'] as const

/** `/records/RESOURCE`: the newest change first, or what a text finds. */
export async function recordListPage(resource: RecordResource, view: View): Promise<Page> {
  const { address, desk } = view
  const asked = PLAIN.flatMap((name) => {
    const value = valueOf(address, name)
    return value === null ? [] : [[name, value] as const]
  })
  const cursor = valueOf(address, 'cursor')
  const due = dueChoiceOf(address)
  const part = await desk.store.recordPage({
    resource,
    limit: ROWS,
    ...Object.fromEntries(asked),
    ...(cursor !== null && { cursor }),
    ...(due !== null && { due: dueAt(due, desk) }),
  })
  const { many } = RESOURCES[resource].labels
  const body = html`<div class="head">
      <h1>${many}</h1>
      ${recordTabs(resource)}
    </div>
    ${filterForm(address, fieldsFor(resource, view))} ${filtersInForce(address, FILTERS)}
    ${panel({ id: 'records', title: orderOf(address), live: 'event', aside: asideOf(resource, address), body: await recordTable(part, resource, view) })}`
  return { title: many, under: resource === 'invoice' ? 'Invoices' : 'Shipments', body }
}

async function recordTable(part: ListPart<RecordSummary>, resource: RecordResource, view: View): Promise<Html> {
  const { address } = view
  const own = await ownColumns(resource, part.items, view)
  return html`${table({
    caption: RESOURCES[resource].labels.many,
    columns: columnsOf(part.items, { own, resource, view }),
    rows: part.items,
    key: ({ account, id }) => `${account}/${id}`,
    empty: part.next === null ? emptyState(resource, view) : html`Nothing here matches: go on with <em>Next</em>.`,
  })}
  ${pager(address, part.next)}`
}

interface ListColumns {
  /** The columns of one resource alone. */
  readonly own: readonly Column<RecordSummary>[]
  readonly resource: RecordResource
  readonly view: View
}

function columnsOf(
  rows: readonly RecordSummary[],
  { own, resource, view: { address, desk, now } }: ListColumns,
): readonly Column<RecordSummary>[] {
  const hasStatus = rows.some(({ removedAt, status }) => status !== null || removedAt !== null)
  return [
    { name: resource === 'purchase_order' ? 'Number' : 'Name', kind: 'wide', cell: nameOf },
    ...(hasStatus ? [{ name: 'Status', cell: (record: RecordSummary) => statusOf(record, address) }] : []),
    ...own,
    ...(desk.accounts().length > 1 || valueOf(address, 'account') !== null ? [accountColumn(address)] : []),
    { name: 'Last event', cell: ({ lastEventAt }) => (lastEventAt === null ? DASH : ago(lastEventAt, now)) },
    { name: 'Last read', beside: true, cell: ({ lastReadAt }) => ago(lastReadAt, now) },
  ]
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
  return html`<a href="${recordPath(record)}">${text(leadOf(record))}</a>
    ${beside === null ? null : html`<span class="dim small">${text(beside)}</span>`}`
}

function statusOf({ removedAt, status }: RecordSummary, address: Address): Html {
  const shown = status === null ? DASH : filterBy(address, { name: 'status', value: status }, stateBadge(status))
  return removedAt === null ? shown : html`${shown} ${badge('removed', 'dim')}`
}

/** What finance asks first. */
function asideOf(resource: RecordResource, address: Address): Html | null {
  if (resource !== 'invoice') return null
  const asked = { overdue: 'Overdue', '7d': 'Due in 7 days' }
  return html`${Object.entries(asked).map(
      ([due, label]) => html`<a href="${link(address, { ...PLACE, due })}">${label}</a> `,
    )}<a href="/events?type=invoice.overdue">What rang as overdue</a>`
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
