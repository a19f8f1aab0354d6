import type { Page } from '../../model/page.ts'
import { comparePlaces, FilledPage, type Order, type PageLimits, type Place } from './place.ts'

/** A row of one of several ranges of an index. */
export interface StreamPlace extends Place {
  /** The number of its range, from 1. */
  readonly nth: number
}

/** Ranges of an index that have the same order. No two of them show the same row. */
export interface Streams {
  readonly amount: number
  /** The next rows of each range beyond a place, at most `most` of each: one statement. */
  fetch(from: Place, most: number): Promise<readonly StreamPlace[]>
}

export const NO_STREAMS: Streams = { amount: 0, fetch: async () => [] }

/** Rows that all streams fetch together the first time: few of many streams, as most of them end on a later page. */
const FIRST_FETCH = 256
const LARGEST_FETCH = 4_096

/** The rows of all streams in one order, fetched as they are asked for. */
async function* mergedPlaces(
  streams: Streams,
  { from, order }: { readonly from: Place; readonly order: Order },
): AsyncGenerator<readonly Place[], void> {
  const { amount } = streams
  if (amount === 0) return
  const sign = order === 'newest' ? -1 : 1
  let most = Math.max(Math.ceil(FIRST_FETCH / amount), 4)
  for (let place = from; ;) {
    const found = await streams.fetch(place, most)
    const sorted = found.toSorted((one, other) => sign * comparePlaces(one, other))
    // What lies behind the end of a stream that was cut off may come behind more of it.
    const end = firstEnd(sorted, most)
    const sure = end === null ? sorted : sorted.slice(0, sorted.indexOf(end) + 1)
    yield sure
    if (end === null) return
    place = { key: end.key, ref: end.ref }
    most = Math.min(most * 2, Math.max(Math.ceil(LARGEST_FETCH / amount), most))
  }
}

/** Of the streams that show as many rows as were asked for, the last row of the one that comes to it first. */
function firstEnd(sorted: readonly StreamPlace[], most: number): StreamPlace | null {
  const amounts = new Map<number, number>()
  for (const place of sorted) {
    const amount = (amounts.get(place.nth) ?? 0) + 1
    if (amount === most) return place
    amounts.set(place.nth, amount)
  }
  return null
}

interface PageReading<T> extends PageLimits {
  readonly from: Place
  readonly order: Order
  /** Of rows those that match, by `ref`: one statement for many. */
  readonly load: (refs: readonly number[]) => Promise<ReadonlyMap<number, T>>
}

/** A page of what `load` finds of the rows of all streams. */
export async function pageOf<T>(streams: Streams, { from, load, order, ...limits }: PageReading<T>): Promise<Page<T>> {
  const page = new FilledPage<T>(limits)
  let size = limits.limit
  for await (const places of mergedPlaces(streams, { from, order })) {
    for (let at = 0; at < places.length;) {
      if (page.isFull) return page.end(true)
      const next = places.slice(at, at + size)
      const items = await load(next.map(({ ref }) => ref))
      for (const place of next) {
        if (page.isFull) return page.end(true)
        page.add(place, items.get(place.ref) ?? null)
      }
      at += next.length
      // Few match: the page is filled by many.
      size = Math.min(size * 2, limits.most)
    }
  }
  return page.end(false)
}
