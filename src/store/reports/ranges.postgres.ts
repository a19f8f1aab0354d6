import { Query } from '../server/query.ts'
import type { Transaction } from '../server/database.ts'
import { answerOf, type Lookup } from './lookup.ts'
import { comparePlaces, type Key, type MergedRanges, type Place, type RangesAsked, type RangeText } from './ranges.ts'

interface Source {
  readonly tx: Pick<Transaction, 'all'>
}

/** A row of one of several ranges of an index. */
interface RangePlace<K extends Key> extends Place<K> {
  /** The number of its range, from 1. */
  readonly nth: number
}

/** Rows that all ranges fetch together the first time: few of many ranges, as most of them end on a later page. */
const FIRST_FETCH = 256
const LARGEST_FETCH = 4_096

/** One statement asks all ranges, as each costs a round trip: a range is asked again although its rows were not used up. */
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
    new Merged(asked, function* (beyond, most) {
      const each = asked.each.map((columnsOf) => columnsOf(beyond))
      const lists = names.map((name) => [`asked_${name}`, each.map((of) => of[name] ?? null)] as const)
      const common = asked.values === undefined ? {} : yield* asked.values(beyond)
      const values = { ...common, ...Object.fromEntries(lists), ...beyond, most }
      return yield* answerOf(tx.all(query, values))
    })
}

class Merged<K extends Key> implements MergedRanges<K> {
  readonly #asked: RangesAsked<K>
  readonly #fetch: (beyond: Place<K>, most: number) => Lookup<readonly RangePlace<K>[]>
  #most: number
  /** From where on the ranges are asked next; null: all were read to their ends. */
  #beyond: Place<K> | null
  /** What was fetched of which no other comes before it. */
  #sure: readonly Place<K>[] = []

  constructor(asked: RangesAsked<K>, fetch: (beyond: Place<K>, most: number) => Lookup<readonly RangePlace<K>[]>) {
    this.#asked = asked
    this.#fetch = fetch
    this.#most = Math.max(Math.ceil(FIRST_FETCH / Math.max(asked.each.length, 1)), 4)
    this.#beyond = asked.each.length === 0 ? null : asked.from
  }

  *next(most: number): Lookup<readonly Place<K>[]> {
    if (this.#sure.length === 0 && this.#beyond !== null) yield* this.#more(this.#beyond)
    const next = this.#sure.slice(0, most)
    this.#sure = this.#sure.slice(most)
    return next
  }

  *#more(beyond: Place<K>): Lookup<void> {
    const { each, order } = this.#asked
    const sign = order === 'newest' ? -1 : 1
    const found = yield* this.#fetch(beyond, this.#most)
    const sorted = found.toSorted((one, other) => sign * comparePlaces(one, other))
    // What lies behind the end of a range that was cut off may come behind more of it.
    const end = firstEnd(sorted, this.#most)
    this.#sure = end === null ? sorted : sorted.slice(0, sorted.indexOf(end) + 1)
    this.#beyond = end === null ? null : { key: end.key, ref: end.ref }
    this.#most = Math.min(this.#most * 2, Math.max(Math.ceil(LARGEST_FETCH / each.length), this.#most))
  }
}

/** The last row of the range that comes first to as many rows as were asked for; null: none shows as many. */
function firstEnd<K extends Key>(sorted: readonly RangePlace<K>[], most: number): RangePlace<K> | null {
  const amounts = new Map<number, number>()
  for (const place of sorted) {
    const amount = (amounts.get(place.nth) ?? 0) + 1
    if (amount === most) return place
    amounts.set(place.nth, amount)
  }
  return null
}
