import { comparePlaces, FilledPage, type Order, type PageLimits, type Place } from './place.ts'

/** The next rows, at most `most`, of one range of an index beyond a place. */
export type Stream = (from: Place, most: number) => readonly Place[]

/** Rows that all streams fetch together the first time: few of many streams, as most end on a later page. */
const FIRST_FETCH = 128
const LARGEST_FETCH = 256

/** The rows of all streams, which have the same order, in that order. No two streams may show the same row. */
export function* mergedPlaces(
  streams: readonly Stream[],
  { from, order }: { readonly from: Place; readonly order: Order },
): Generator<Place, void> {
  const sign = order === 'newest' ? 1 : -1
  const size = Math.max(Math.floor(FIRST_FETCH / Math.max(streams.length, 1)), 1)
  // Those that stand last come next.
  const heads = streams
    .flatMap((stream) => nextOf({ stream, from, size, fetched: [], at: 0, isLast: false }) ?? [])
    .sort((one, other) => sign * comparePlaces(one.head, other.head))
  for (let first = heads.pop(); first !== undefined; first = heads.pop()) {
    yield first.head
    const next = nextOf(first)
    if (next !== null) heads.splice(placeAmong(heads, next.head, sign), 0, next)
  }
}

interface Reading {
  readonly stream: Stream
  readonly from: Place
  /** Of the next fetch. */
  readonly size: number
  readonly fetched: readonly Place[]
  /** The next one among `fetched`. */
  readonly at: number
  /** Whether nothing follows what was fetched. */
  readonly isLast: boolean
}

function nextOf(reading: Reading): (Reading & { readonly head: Place }) | null {
  const { at, fetched, from, isLast, size, stream } = reading
  const head = fetched[at]
  if (head !== undefined) return { ...reading, from: head, at: at + 1, head }
  const more = isLast ? [] : stream(from, size)
  const [first] = more
  if (first === undefined) return null
  const next = { size: Math.min(size * 2, LARGEST_FETCH), isLast: more.length < size }
  return { stream, from: first, fetched: more, at: 1, head: first, ...next }
}

function placeAmong(heads: readonly { readonly head: Place }[], place: Place, sign: number): number {
  let [low, high] = [0, heads.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const other = heads[middle]
    if (other !== undefined && sign * comparePlaces(other.head, place) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** A page of what `load` finds at the places, which leaves out what does not match (null). */
export function pageOf<T>(
  places: Generator<Place, void>,
  { ahead, load, limit, ...limits }: PageReading<T>,
): { readonly items: readonly T[]; readonly next: string | null } {
  const page = new FilledPage<T>({ limit, ...limits })
  // One more than fits says whether anything follows.
  for (const place of ahead === undefined ? places : fetchedAhead(places, { ahead, size: limit + 1 })) {
    if (page.isFull) return page.end(true)
    page.add(place, load(place.ref))
  }
  return page.end(false)
}

function* fetchedAhead(
  places: Iterable<Place>,
  { ahead, size }: { readonly ahead: (refs: readonly number[]) => void; readonly size: number },
): Generator<Place, void> {
  let next: Place[] = []
  for (const place of places) {
    next.push(place)
    if (next.length < size) continue
    ahead(next.map(({ ref }) => ref))
    yield* next
    next = []
  }
  ahead(next.map(({ ref }) => ref))
  yield* next
}

interface PageReading<T> extends PageLimits {
  /** Told which ones are loaded next, where they are fetched together for less. */
  readonly ahead?: (refs: readonly number[]) => void
  readonly load: (ref: number) => T | null
}
