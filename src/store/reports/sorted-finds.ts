import { ShipbellError } from '../../errors.ts'
import type { Page } from '../../model/page.ts'
import { comparePlaced, orderText, placed, type Placed, type RecordOrder } from '../../model/record-order.ts'
import type { RecordQuery, RecordSummary } from '../ports/record-query-port.ts'
import type { Lookup } from './lookup.ts'
import { readCursor, writeCursor } from './ranges.ts'

/** How many finds are sorted at most: they are not found in that order. */
const MOST_FOUND = 2_000
const AT_ONCE = 200

type FoundQuery = RecordQuery & { readonly q: string }
type Search<Source> = (source: Source, query: FoundQuery) => Lookup<Page<RecordSummary>>

/** What a text finds, in an order: all of it is found first. Throws `usage` where that is too much. */
export function sortedFinds<Source>(
  search: Search<Source>,
): (source: Source, query: FoundQuery & { readonly order: RecordOrder }) => Lookup<Page<RecordSummary>> {
  return function* (source, { cursor, limit, order, ...query }) {
    const list = `found ${orderText(order)}`
    const after = readCursor(cursor, list, readPlaced)
    const found: RecordSummary[] = []
    for (let next: string | null | undefined; next !== null && found.length <= MOST_FOUND;) {
      const page: Page<RecordSummary> = yield* search(source, {
        ...query,
        limit: AT_ONCE,
        ...(next !== undefined && { cursor: next }),
      })
      found.push(...page.items)
      next = page.next
    }
    if (found.length > MOST_FOUND)
      throw new ShipbellError(
        'usage',
        `\`q\` finds more than ${MOST_FOUND} records, which cannot be sorted: add to it.`,
      )
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
