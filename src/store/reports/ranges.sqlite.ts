import type { Connection } from '../file/connection.ts'
import { Query, type Value } from '../file/query.ts'
import { atHand, atOnce, type Values } from './lookup.ts'
import { comparePlaces, type Key, type MergedRanges, type Place, type RangesAsked, type RangeText } from './ranges.ts'

/** The next rows, at most `most`, of one range of an index beyond a place. */
type Range<K extends Key> = (from: Place<K>, most: number) => readonly Place<K>[]

/** Rows that all ranges fetch together the first time: few of many ranges, as most of them end on a later page. */
const FIRST_FETCH = 128
const LARGEST_FETCH = 256

/** Each range is a statement of its own, asked only when its rows are used up: SQLite has no LATERAL, and answers at once. */
export function rangesOf<K extends Key = number>({
  columns,
  rows,
}: RangeText): (db: Connection, asked: RangesAsked<K>) => MergedRanges<K> {
  // A value whose type is known keeps the statement prepared whatever it is.
  const named = Object.entries(columns).map(([name, type]) => [name, `CAST(:${name} AS ${type})`])
  const query = new Query<Place<K>>(rows(Object.fromEntries(named)))
  return (db, asked) => {
    const ranges = asked.each.map(
      (columnsOf): Range<K> =>
        (beyond, most) =>
          db.all(query, { ...valuesOf(asked, beyond), ...beyond, ...columnsOf(beyond), most }),
    )
    const places = mergedPlaces(ranges, asked)
    return { next: (most) => atHand(nextOf(places, most)) }
  }
}

function valuesOf<K extends Key>({ values }: RangesAsked<K>, beyond: Place<K>): Readonly<Record<string, Value>> {
  return values === undefined ? {} : boundValues(atOnce(values(beyond)))
}

function nextOf<K extends Key>(places: Generator<Place<K>, void>, most: number): readonly Place<K>[] {
  const next: Place<K>[] = []
  while (next.length < most) {
    const step = places.next()
    if (step.done === true) break
    next.push(step.value)
  }
  return next
}

function* mergedPlaces<K extends Key>(
  ranges: readonly Range<K>[],
  { from, order }: RangesAsked<K>,
): Generator<Place<K>, void> {
  const sign = order === 'newest' ? 1 : -1
  const size = Math.max(Math.floor(FIRST_FETCH / Math.max(ranges.length, 1)), 1)
  // The range whose place comes next stands last.
  const heads = ranges
    .flatMap((range) => headOf({ range, from, size, fetched: [], at: 0, isLast: false }) ?? [])
    .sort((one, other) => sign * comparePlaces(one.head, other.head))
  for (let first = heads.pop(); first !== undefined; first = heads.pop()) {
    yield first.head
    const next = headOf(first)
    if (next !== null) heads.splice(placeAmong(heads, next.head, sign), 0, next)
  }
}

interface Reading<K extends Key> {
  readonly range: Range<K>
  readonly from: Place<K>
  /** How many rows the next fetch asks for. */
  readonly size: number
  readonly fetched: readonly Place<K>[]
  /** The next one among `fetched`. */
  readonly at: number
  /** Whether nothing follows what was fetched. */
  readonly isLast: boolean
}

function headOf<K extends Key>(reading: Reading<K>): (Reading<K> & { readonly head: Place<K> }) | null {
  const { at, fetched, from, isLast, size, range } = reading
  const head = fetched[at]
  if (head !== undefined) return { ...reading, from: head, at: at + 1, head }
  const more = isLast ? [] : range(from, size)
  const [first] = more
  if (first === undefined) return null
  const next = { size: Math.min(size * 2, LARGEST_FETCH), isLast: more.length < size }
  return { range, from: first, fetched: more, at: 1, head: first, ...next }
}

function placeAmong<K extends Key>(
  heads: readonly { readonly head: Place<K> }[],
  place: Place<K>,
  sign: number,
): number {
  let [low, high] = [0, heads.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const other = heads[middle]
    if (other !== undefined && sign * comparePlaces(other.head, place) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** Lists as JSON: SQLite has no arrays. */
export function boundValues(values: Values): Readonly<Record<string, Value>> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
    ]),
  )
}
