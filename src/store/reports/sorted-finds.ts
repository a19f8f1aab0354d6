import type { Page } from '../../model/page.ts'
import { comparePlaced, placed, type Placed, type RecordOrder } from '../../model/record-order.ts'
import type { RecordQuery, RecordSummary } from '../ports/record-query-port.ts'
import type { Lookup } from './lookup.ts'
import { nameOfList } from './ordered-page.ts'
import { badCursor, isCursorOf, readCursor, writeCursor } from './ranges.ts'

/** How many finds are sorted at most: they are not found in that order. */
const MOST_FOUND = 1_000
/** Meanwhile there may be more of them; of still more, the cursor is of another search. */
const MOST_GROWN = 3_000
const AT_ONCE = 200

type FoundQuery = RecordQuery & { readonly q: string }
type OrderedQuery = FoundQuery & { readonly order: RecordOrder }
type Search<Source, Query> = (source: Source, query: Query) => Lookup<Page<RecordSummary>>

/** What lists of finds in an order are made by. */
export interface FindParts<Source> {
  readonly search: Search<Source, FoundQuery>
  /** How many records may be found at most, counted up to so many. */
  readonly reach: (source: Source, query: FoundQuery, most: number) => Lookup<number>
  /** Walks through records in the order, and shows those that are found. */
  readonly walk: Search<Source, OrderedQuery>
}

/** What a text finds, in an order: few finds are sorted; many are met by whoever walks through all records in that order. */
export function sortedFinds<Source>({ reach, search, walk }: FindParts<Source>): Search<Source, OrderedQuery> {
  return function* (source, query) {
    const { cursor, limit, order, ...others } = query
    const walked = nameOfList(query.resource, order)
    const list = `found ${walked}`
    const isWalked = isCursorOf(cursor, walked)
    if (isWalked || (cursor === undefined && (yield* reach(source, query, MOST_FOUND + 1)) > MOST_FOUND))
      return yield* walk(source, query)
    const after = readCursor(cursor, list, readPlaced)
    const found: RecordSummary[] = []
    for (let next: string | null | undefined; next !== null;) {
      const page: Page<RecordSummary> = yield* search(source, {
        ...others,
        limit: AT_ONCE,
        ...(next !== undefined && { cursor: next }),
      })
      found.push(...page.items)
      next = page.next
      // What waits for the index is in nobody's count.
      if (after === undefined && found.length > MOST_FOUND) return yield* walk(source, query)
      if (found.length > MOST_GROWN) throw badCursor()
    }
    const compare = comparePlaced(order)
    const all = found.map((record) => ({ record, place: placed(record, order) }))
    const rest = all.filter(({ place }) => after === undefined || compare(place, after) > 0)
    const part = rest.toSorted((one, other) => compare(one.place, other.place)).slice(0, limit)
    const last = part.at(-1)?.place
    const next = last === undefined || part.length === rest.length ? null : writeCursor(list, writtenPlace(last))
    return { items: part.map(({ record }) => record), next }
  }
}

function writtenPlace({ account, id, value }: Placed): readonly (string | number)[] {
  return value === null ? [account, id] : [account, id, value]
}

function readPlaced([account, id, value = null, ...others]: readonly unknown[]): Placed | null {
  if (typeof account !== 'string' || typeof id !== 'string' || others.length > 0) return null
  return value === null || typeof value === 'string' || typeof value === 'number' ? { account, id, value } : null
}
