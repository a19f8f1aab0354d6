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
/** How much more of a range is fetched each time. */
const GROWTH = 4

/** One statement asks all ranges of which more is wanted, as each costs a round trip. */
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
  /** What was fetched and is not sure yet, in order. */
  readonly rows: readonly Place<K>[]
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
  /** How many rows of each range are fetched next, unless fewer are wanted. */
  #most: number
  /** The place up to which all rows were handed out, or are sure. */
  #beyond: Place<K>
  /** What was fetched of which no other comes before it. */
  #sure: readonly Place<K>[] = []

  constructor({ each, from, order }: RangesAsked<K>, fetch: Fetch<K>) {
    const sign = order === 'newest' ? -1 : 1
    this.#fetch = fetch
    this.#compare = (one, other) => sign * comparePlaces(one, other)
    this.#ranges = each.map((columnsOf) => ({ columnsOf, rows: [], hasMore: true }))
    this.#most = Math.max(Math.ceil(FIRST_FETCH / Math.max(each.length, 1)), LEAST_FETCH)
    this.#beyond = from
  }

  *next(most: number, least = most): Lookup<readonly Place<K>[]> {
    const missing = (of: number): number => of - this.#sure.length
    while (missing(least) > 0 && (yield* this.#more(missing(least), missing(most))));
    const next = this.#sure.slice(0, most)
    this.#sure = this.#sure.slice(most)
    return next
  }

  /** Fetches what is missing of the next `wanted` rows, or of `most`: what is there of a range that is asked comes once more. */
  *#more(wanted: number, most: number): Lookup<boolean> {
    const asked = this.#asked(wanted)
    if (asked.length === 0) return false
    const known = Math.max(...asked.map(({ rows }) => rows.length))
    const share = Math.max(Math.min(this.#most, Math.ceil(LARGEST_FETCH / asked.length)), known + LEAST_FETCH)
    // No range has more of the next ones than all of them; one more says whether others follow.
    const size = Math.min(share, most + 1)
    this.#most *= GROWTH
    const found = Map.groupBy(yield* this.#fetch(asked, this.#beyond, size), ({ nth }) => nth)
    const fetched = new Map(asked.map((range, place) => [range, found.get(place + 1) ?? []]))
    this.#hold(
      this.#ranges.map((range) => {
        const rows = fetched.get(range)?.toSorted(this.#compare)
        return rows === undefined ? range : { ...range, rows, hasMore: rows.length === size }
      }),
    )
    return true
  }

  /** The ranges of which more may be among the next `wanted` rows: those that were cut off before the last of these that are known. */
  #asked(wanted: number): readonly Range<K>[] {
    const open = this.#ranges.filter(({ hasMore }) => hasMore)
    const last = this.#ranges.flatMap(({ rows }) => rows).toSorted(this.#compare)[wanted - 1]
    if (last === undefined) return open
    return open.filter(({ rows }) => {
      const end = rows.at(-1)
      return end === undefined || this.#compare(end, last) < 0
    })
  }

  /** Holds what was fetched: more of a range that was cut off may come before what lies behind its end. */
  #hold(ranges: readonly Range<K>[]): void {
    const ends = ranges.flatMap(({ hasMore, rows }) => (hasMore ? (rows.at(-1) ?? []) : []))
    const end = ends.toSorted(this.#compare)[0] ?? null
    const isSure = (place: Place<K>): boolean => end === null || this.#compare(place, end) <= 0
    this.#sure = [...this.#sure, ...ranges.flatMap(({ rows }) => rows.filter(isSure)).sort(this.#compare)]
    this.#ranges = ranges.map((range) => ({ ...range, rows: range.rows.filter((place) => !isSure(place)) }))
    this.#beyond = end ?? this.#beyond
  }
}
