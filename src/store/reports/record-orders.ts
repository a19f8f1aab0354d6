import { endingsOf, UNLISTED } from '../../model/record-listing.ts'
import { NEWEST_FIRST, type RecordOrder, type RecordSort } from '../../model/record-order.ts'
import { dayNumber, outlinedText } from '../../model/record-outline.ts'
import type { Page } from '../../model/page.ts'
import { accountsAsked } from '../../model/scope.ts'
import type { RecordQuery, RecordSummary } from '../ports/record-query-port.ts'
import { accountNames, type Ask, type Dialect, first, inBothOrders, type RangesInOrder } from './dialect.ts'
import { atHand, type Lookup } from './lookup.ts'
import { nameOfList, OrderedPage, readPartPlace } from './ordered-page.ts'
import { FIRST, type Key, LAST, type MergedRanges } from './ranges.ts'
import { type Access, amountText, commonValues, rowsText, type Section, sectionsOf } from './record-access.ts'
import { foundAmong } from './record-search.ts'
import { isAskedRecord, loadSummaries } from './record-summaries.ts'

/** How many rows may be sorted as they are read. */
const MOST_SORTED = 5_000

/** Accesses that are taken only where they lead to few rows. */
type Few = Parameters<typeof amountText>[1]

interface Statements<Source> {
  readonly rows: Readonly<Record<Access, Readonly<Record<RecordSort, RangesInOrder<Source, Key>>>>>
  readonly amounts: Readonly<Record<Few, Ask<Source, { readonly amount: number }>>>
}

function statements<Source>(dialect: Dialect<Source>): Statements<Source> {
  const bySort = (access: Access) => {
    const sorted = (by: RecordSort) =>
      inBothOrders<Source, Key>(dialect, (order) => rowsText(dialect, access, { by, order }))
    return { eta: sorted('eta'), drift: sorted('drift'), name: sorted('name'), last_event: sorted('last_event') }
  }
  const amount = (few: Few) => dialect.all<{ readonly amount: number }>(amountText(dialect, few))
  return {
    rows: {
      walked: bySort('walked'),
      ofStatus: bySort('ofStatus'),
      ofLane: bySort('ofLane'),
      ofCarrier: bySort('ofCarrier'),
      arriving: bySort('arriving'),
    },
    amounts: { ofLane: amount('ofLane'), ofCarrier: amount('ofCarrier'), arriving: amount('arriving') },
  }
}

/** Rows of a list that come by one statement. */
interface Part extends Section {
  readonly access: Access
  readonly by: RecordSort
  /** The endings of its rows; null: the access does not tell them apart. */
  readonly endings: readonly number[] | null
}

/** Records in an order, those that are not found by `q` left out: `RecordQueryStore.recordPage`, inside the caller's transaction. */
export function orderedRecords<Source>(
  dialect: Dialect<Source>,
): (source: Source, query: RecordQuery) => Lookup<Page<RecordSummary>> {
  const [names, summaries, found] = [accountNames(dialect), loadSummaries(dialect), foundAmong(dialect)]
  const { amounts, rows } = statements(dialect)
  return function* (source, query) {
    const { limit, order = NEWEST_FIRST, q = '', resource } = query
    const load = function* (refs: readonly number[]): Lookup<ReadonlyMap<number, RecordSummary>> {
      return yield* summaries(source, q === '' ? refs : [...(yield* found(source, q, refs))])
    }
    const accounts = yield* names(source, accountsAsked(query))
    const values = { ...commonValues(query), resource }
    const amountOf = (few: Few) => amounts[few](source, { ...values, accounts, most: MOST_SORTED + 1 })
    const parts = partsOf(order, yield* accessOf(order, query, amountOf), query)
    const list = nameOfList(resource, order)
    const start = readPartPlace(query.cursor, list, order.by)
    const page = new OrderedPage<RecordSummary>({ limit, list, isNarrowed: isNarrowed(query) })
    for (const [nth, part] of parts.entries()) {
      if (nth < (start?.part ?? 0)) continue
      const from = nth === start?.part ? start : part.from
      const each = rangesOf(accounts, part, query)
      const asked = { from, order: part.order, each, values: () => atHand(values) }
      const ranges = rows[part.access][part.by][part.order](source, asked)
      if (yield* fill(page, nth, { ranges, query, load })) break
    }
    return page.end()
  }
}

interface Filling {
  readonly ranges: MergedRanges<Key>
  readonly query: RecordQuery
  readonly load: (refs: readonly number[]) => Lookup<ReadonlyMap<number, RecordSummary>>
}

/** Adds the rows of a part to a page. Returns whether the page is over. */
function* fill(page: OrderedPage<RecordSummary>, part: number, { load, query, ranges }: Filling): Lookup<boolean> {
  while (!page.isOver) {
    const places = yield* ranges.next(page.wanted, Math.min(page.room + 1, page.wanted))
    if (places.length === 0) return false
    const fitting = places.filter(({ fits }) => fits !== 0).map(({ ref }) => ref)
    let found = NOTHING
    let loaded = 0
    for (const place of places) {
      if (place.ref === fitting[loaded] && !page.isFull) {
        // The page has room for few of many that fit: no others are loaded, unless a text is searched for, which may find few of them.
        const next = fitting.slice(loaded, query.q === undefined ? loaded + page.room : undefined)
        found = yield* load(next)
        loaded += next.length
      }
      const item = found.get(place.ref)
      page.add(part, place, item !== undefined && isAskedRecord(item, query) ? item : null)
    }
  }
  return true
}

const NOTHING: ReadonlyMap<number, RecordSummary> = new Map()

function isNarrowed({ arrives, carrier, due, lane, mode, open, q, status }: RecordQuery): boolean {
  return [arrives, carrier, due, lane, mode, open, q, status].some((each) => each !== undefined)
}

type AmountOf = (few: Few) => Lookup<readonly { readonly amount: number }[]>

/** How the rows of a query are come by: by what it names, where that leads to few, or else in the order of an index. */
function* accessOf({ by }: RecordOrder, query: RecordQuery, amountOf: AmountOf): Lookup<Access> {
  const { arrives, carrier, lane, status } = query
  const named: readonly (readonly [Few, boolean])[] = [
    ['ofLane', lane !== undefined],
    ['ofCarrier', carrier !== undefined],
    ['arriving', arrives !== undefined && by !== 'eta'],
  ]
  for (const [few, isNamed] of named) {
    if (isNamed && ((yield* first(amountOf(few)))?.amount ?? 0) <= MOST_SORTED) return few
  }
  return status !== undefined && by === 'last_event' ? 'ofStatus' : 'walked'
}

function partsOf(order: RecordOrder, access: Access, query: RecordQuery): readonly Part[] {
  const { by } = order
  const isDated = by === 'eta' || by === 'drift' || access === 'arriving'
  const listed = endingsOf(query.resource, query)
  const endings = access === 'walked' || access === 'arriving' ? [...listed, ...(isDated ? [] : [UNLISTED])] : null
  const parts = sectionsOf(order, query).map((section) => ({ ...section, access, by, endings }))
  return isDated ? [...parts, NOT_LISTED] : parts
}

/** Rows of earlier versions whose dates were not derived yet stand behind all others. */
const NOT_LISTED: Part = { order: 'newest', from: LAST, access: 'walked', by: 'last_event', endings: [UNLISTED] }

function rangesOf(accounts: readonly string[], { endings }: Part, query: RecordQuery) {
  const { due, resource } = query
  const status = query.status === undefined ? null : outlinedText(query.status)
  return accounts.flatMap((account) => {
    const { from = null, to = null } = due?.(account) ?? {}
    const dues = {
      due_from: due === undefined ? null : from === null ? FIRST.key : dayNumber(from),
      due_last: to === null ? LAST.key : dayNumber(to),
    }
    return (endings ?? [null]).map((ending) => () => ({ account, resource, status, ending, ...dues }))
  })
}
