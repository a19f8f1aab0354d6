import { html } from 'hono/html'
import { RESOURCES } from '../../../model/resource.ts'
import { markedParts } from '../../../model/search-matches.ts'
import { readSearch, type SearchText } from '../../../model/search-text.ts'
import type { SearchedField, SearchedText } from '../../../model/searched-texts.ts'
import { visible } from '../../../printable.ts'
import { type FoundRecord, matchedRecords } from '../../../report/search.ts'
import { say, sayAround } from '../languages/say.ts'
import { recordPath, valueOf } from '../parts/address.ts'
import { badge, stateBadge } from '../parts/badge.ts'
import { filterForm, type FilterField } from '../parts/filters.ts'
import type { Page } from '../parts/layout.ts'
import type { Html } from '../parts/markup.ts'
import { pager } from '../parts/pager.ts'
import { accountOf } from '../parts/query.ts'
import { panel } from '../parts/panel.ts'
import { table, type Column } from '../parts/table.ts'
import { DASH, text } from '../parts/text.ts'
import { ago } from '../parts/time.ts'
import { besideOf, leadOf } from '../records/record-lead.ts'
import type { View } from '../show-page.ts'

const ROWS = 50
const NOTHING = { items: [], next: null }

/** `/search`: records of every kind by what people know of them. */
export async function searchPage(view: View): Promise<Page> {
  const { address, desk } = view
  const q = valueOf(address, 'q') ?? ''
  const [account, cursor] = [accountOf(address), valueOf(address, 'cursor')]
  const asked = { q, limit: ROWS, ...(account !== null && { account }), ...(cursor !== null && { cursor }) }
  const search = readSearch(q)
  const page = search === null ? NOTHING : await desk.store.recordPage(asked)
  const rows = search === null ? [] : await matchedRecords(desk.store, page.items, q)
  const body = html`<div class="head"><h1>${say('Search')}</h1></div>
    ${filterForm(address, fieldsFor(view))}
    ${
      search === null
        ? html`<p class="dim">${say(HINT)}</p>`
        : panel({
            id: 'found',
            title: 'Found',
            body: html`${table({
              caption: 'Found records',
              columns: columnsOf(search, view),
              rows,
              key: ({ record: { account: of, id, resource } }) => JSON.stringify([of, resource, id]),
              empty: emptyState(page.next !== null),
            })}
            ${pager(address, page.next)}`,
          })
    }`
  return { title: say('Search'), under: null, body }
}

const HINT =
  'Ids, names, orders, containers, bills, references, carriers, vessels and ports. All words have to be found; three characters of one are enough, wherever they stand in it.'

const NOTHING_FOUND =
  'Nothing has all of these words. Try fewer of them, or a part of one: three characters of an id, a name, an order, a container, a bill, a carrier, a vessel or a port are enough. Two or one are looked for only where one of these begins.'

function emptyState(hasMore: boolean): Html {
  if (hasMore)
    return sayAround('None of the records that were looked at so far. {next} looks on.', {
      next: html`<em>${say('Next')}</em>`,
    })
  return html`${say(NOTHING_FOUND)}`
}

function fieldsFor({ desk }: View): readonly FilterField[] {
  const accounts = desk.accounts().map(({ name }) => ({ value: name, label: name }))
  return [
    { kind: 'search', name: 'q', label: 'Text', hint: 'Shanghai Maersk, PO-77, MSCU…' },
    ...(accounts.length > 1 ? [{ kind: 'choice', name: 'account', label: 'Account', choices: accounts } as const] : []),
  ]
}

function columnsOf(search: SearchText, { desk, now }: View): readonly Column<FoundRecord>[] {
  const hasSeveral = desk.accounts().length > 1
  return [
    { name: 'Record', kind: 'wide', cell: ({ record }) => recordCell(record) },
    { name: 'Found by', kind: 'wide', cell: ({ matched }) => matchedCell(matched, search) },
    {
      name: 'Status',
      cell: ({ record: { removedAt, status } }) =>
        removedAt !== null ? badge(say('removed'), 'dim') : status === null ? DASH : stateBadge(status),
    },
    ...(hasSeveral ? [{ name: 'Account', cell: ({ record }: FoundRecord) => text(record.account) } as const] : []),
    {
      name: 'Last event',
      beside: true,
      cell: ({ record: { lastEventAt } }) => (lastEventAt === null ? DASH : ago(lastEventAt, now)),
    },
  ]
}

function recordCell(record: FoundRecord['record']): Html {
  const beside = besideOf(record)
  return html`<a href="${recordPath(record)}">${text(leadOf(record))}</a>
    <div class="small dim">
      ${say(RESOURCES[record.resource].labels.one)}${beside === null ? null : html` ${text(beside, 60)}`}
    </div>`
}

function matchedCell(matched: readonly SearchedText[], search: SearchText): Html {
  if (matched.length === 0) return DASH
  return html`<ul class="matched">
    ${matched.map((each) => html`<li><span class="dim small">${say(FIELDS[each.field])}</span> ${marked(each.text, search)}</li>`)}
  </ul>`
}

/** A text longer than this is cut, and at most `BEFORE` characters of it stand before what is marked. */
const LONGEST = 160
const BEFORE = 40

function marked(whole: string, search: SearchText): Html {
  const parts = markedParts(search, whole)
  const [first = { text: '', isMarked: true }, ...others] = parts
  const begin =
    first.isMarked || first.text.length <= BEFORE ? first : { ...first, text: `…${first.text.slice(-BEFORE)}` }
  let left = LONGEST
  const shown = [begin, ...others].flatMap((part) => {
    const kept = part.text.length > left ? `${part.text.slice(0, left)}…` : part.text
    const isShown = left > 0
    left -= part.text.length
    return isShown ? [{ ...part, text: visible(kept.toWellFormed()) }] : []
  })
  return html`<bdi>${shown.map((part) => (part.isMarked ? html`<mark>${part.text}</mark>` : part.text))}</bdi>`
}

const FIELDS: Readonly<Record<SearchedField, string>> = {
  id: 'Id',
  name: 'Name',
  number: 'Number',
  reference: 'Reference',
  shipment: 'Shipment',
  order: 'Order',
  container: 'Container',
  master_bill: 'Master bill',
  house_bill: 'House bill',
  booking: 'Booking',
  invoice: 'Invoice',
  quote: 'Quote',
  supplier: 'Supplier',
  company: 'Company',
  carrier: 'Carrier',
  vessel: 'Vessel',
  origin_port: 'From|port',
  destination_port: 'To|port',
}
