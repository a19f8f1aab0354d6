import type { Page } from '../../model/page.ts'
import type { Lookup, Values } from './lookup.ts'
import { FilledPage, type Order, type PageLimits, type Place } from './place.ts'

/** The columns that tell ranges apart, with their types. */
export type RangeColumns = Readonly<Record<string, 'text' | 'bigint'>>

/** Ranges of an index in which rows stand in the same order. */
export interface RangeText {
  readonly columns: RangeColumns
  /**
   * `SELECT … AS key, ref … ORDER BY … LIMIT` of one range: at most `:most` rows beyond the place `:key`, `:ref`. `of` are the
   * columns' values.
   */
  readonly rows: (of: Readonly<Record<string, string>>) => string
}

/** Which ranges are read, and from where. No two of them show the same row. */
export interface RangesAsked {
  readonly from: Place
  readonly order: Order
  /** The columns of each, where its rows beyond a place are asked for. */
  readonly each: readonly ((beyond: Place) => Readonly<Record<string, string | number | null>>)[]
  /** What they have in common. */
  readonly values?: (beyond: Place) => Lookup<Values>
}

/** The rows of all ranges in one order, fetched as they are asked for. */
export interface MergedRanges {
  /** The next ones, at most `most`; none: there are no more. */
  next(most: number): Lookup<readonly Place[]>
}

interface PageReading<T> extends PageLimits {
  /** The items of those rows that match, by `ref`. */
  readonly load: (refs: readonly number[]) => Lookup<ReadonlyMap<number, T>>
}

/** A page of what `load` finds of the rows of all ranges. */
export function* pageOf<T>(ranges: MergedRanges, { load, ...limits }: PageReading<T>): Lookup<Page<T>> {
  const page = new FilledPage<T>(limits)
  for (let size = limits.limit; ; size = Math.min(size * 2, page.left)) {
    // Few match: the page is filled by many.
    const places = yield* ranges.next(Math.min(size, page.left))
    if (places.length === 0) return page.end(false)
    const items = yield* load(places.map(({ ref }) => ref))
    for (const place of places) {
      if (page.isFull) return page.end(true)
      page.add(place, items.get(place.ref) ?? null)
    }
    if (page.isFull) return page.end((yield* ranges.next(1)).length > 0)
  }
}
