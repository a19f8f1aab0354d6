import { Query } from '../server/query.ts'
import type { Transaction } from '../server/database.ts'
import { answerOf, type Lookup } from './lookup.ts'
import { comparePlaces, type Key, type MergedRanges, type Place, type RangesAsked, type RangeText } from './ranges.ts'

interface Source {
  readonly tx: Pick<Transaction, 'all'>
}

/** A row of one of several ranges of an index. */
interface RangePlace<K extends Key> extends Place<K> {
  /** The number of its range among those that were asked, from 1. */
  readonly nth: number
}

/** Rows that all ranges fetch together the first time: few of many ranges, as most of them end on a later page. */
const FIRST_FETCH = 256
const LARGEST_FETCH = 4_096
/** How many rows of one range are fetched at least, however many there are. */
const LEAST_FETCH = 4
/** How much more of a range is fetched each time that it was used up. */
const GROWTH = 4

/** One statement asks all ranges that were used up, as each costs a round trip. */
export function rangesOf<K extends Key = number>({
  columns,
  rows,
}: RangeText): (source: Source, asked: RangesAsked<K>) => MergedRanges<K> {
  const names = Object.keys(columns)
  const query = new Query<RangePlace<K>>(
    names.length === 0
      ? `SELECT 1 AS nth, place.* FROM (${rows({})}) AS place`
      : `
        SELECT asked.nth, place.*
        FROM unnest(${Object.entries(columns)
          .map(([name, type]) => `:asked_${name}::${type}[]`)
          .join(', ')}) WITH ORDINALITY AS asked(${names.join(', ')}, nth)
          CROSS JOIN LATERAL (${rows(Object.fromEntries(names.map((name) => [name, `asked.${name}`])))}) AS place`,
  )
  return ({ tx }, asked) =>
    new Merged(asked, function* (ranges, beyond, most) {
      const each = ranges.map(({ columnsOf }) => columnsOf(beyond))
      const lists = names.map((name) => [`asked_${name}`, each.map((of) => of[name] ?? null)] as const)
      const common = asked.values === undefined ? {} : yield* asked.values(beyond)
      const values = { ...common, ...Object.fromEntries(lists), ...beyond, most }
      return yield* answerOf(tx.all(query, values))
    })
}

interface Range<K extends Key> {
  readonly columnsOf: RangesAsked<K>['each'][number]
  /** What was fetched and not handed out yet, in order. */
  readonly rows: readonly Place<K>[]
  /** How many were fetched the last time. */
  readonly fetched: number
  readonly hasMore: boolean
}

type Fetch<K extends Key> = (
  ranges: readonly Range<K>[],
  beyond: Place<K>,
  most: number,
) => Lookup<readonly RangePlace<K>[]>

class Merged<K extends Key> implements MergedRanges<K> {
  readonly #fetch: Fetch<K>
  readonly #compare: (one: Place<K>, other: Place<K>) => number
  #ranges: readonly Range<K>[]
  /** How many rows of each range are fetched next. */
  #most: number
  /** The place up to which all rows were handed out, or are sure. */
  #beyond: Place<K>
  /** What was fetched of which no other comes before it. */
  #sure: readonly Place<K>[] = []

  constructor({ each, from, order }: RangesAsked<K>, fetch: Fetch<K>) {
    const sign = order === 'newest' ? -1 : 1
    this.#fetch = fetch
    this.#compare = (one, other) => sign * comparePlaces(one, other)
    this.#ranges = each.map((columnsOf) => ({ columnsOf, rows: [], fetched: 0, hasMore: true }))
    this.#most = Math.max(Math.ceil(FIRST_FETCH / Math.max(each.length, 1)), LEAST_FETCH)
    this.#beyond = from
  }

  *next(most: number): Lookup<readonly Place<K>[]> {
    if (this.#sure.length === 0) yield* this.#more()
    const next = this.#sure.slice(0, most)
    this.#sure = this.#sure.slice(most)
    return next
  }

  /** Fetches more of the ranges that are used up or soon will be: what is left of them comes once more. */
  *#more(): Lookup<void> {
    const asked = this.#ranges.filter(({ fetched, hasMore, rows }) => hasMore && rows.length <= fetched / 2)
    if (asked.length === 0) return
    const most = Math.max(Math.min(this.#most, Math.ceil(LARGEST_FETCH / asked.length)), LEAST_FETCH)
    this.#most = most * GROWTH
    const found = Map.groupBy(yield* this.#fetch(asked, this.#beyond, most), ({ nth }) => nth)
    const fetched = new Map(asked.map((range, place) => [range, found.get(place + 1) ?? []]))
    this.#hold(
      this.#ranges.map((range) => {
        const rows = fetched.get(range)?.toSorted(this.#compare)
        return rows === undefined ? range : { ...range, rows, fetched: most, hasMore: rows.length === most }
      }),
    )
  }

  /** Holds what was fetched: more of a range that was cut off may come before what lies behind its end. */
  #hold(ranges: readonly Range<K>[]): void {
    const ends = ranges.flatMap(({ hasMore, rows }) => (hasMore ? (rows.at(-1) ?? []) : []))
    const end = ends.toSorted(this.#compare)[0] ?? null
    const isSure = (place: Place<K>): boolean => end === null || this.#compare(place, end) <= 0
    this.#sure = ranges.flatMap(({ rows }) => rows.filter(isSure)).sort(this.#compare)
    this.#ranges = ranges.map((range) => ({ ...range, rows: range.rows.filter((place) => !isSure(place)) }))
    this.#beyond = end ?? this.#beyond
  }
}
