import { isPlaceNumber, readCursor, writeCursor } from '../common/cursor.ts'

/** Where a row stands in a list: by its key, then by its `ref`. */
export interface Place {
  readonly key: number
  readonly ref: number
}

export const FIRST: Place = { key: Number.MIN_SAFE_INTEGER, ref: Number.MIN_SAFE_INTEGER }
export const LAST: Place = { key: Number.MAX_SAFE_INTEGER, ref: Number.MAX_SAFE_INTEGER }

/** Oldest first, or newest first. */
export type Order = 'oldest' | 'newest'

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

export function comparePlaces(one: Place, other: Place): number {
  return one.key - other.key || one.ref - other.ref
}

/** Of a list whose places are these. */
function placeCursor(list: string, { key, ref }: Place): string {
  return writeCursor(list, [key, ref])
}

export function readPlace(cursor: string | undefined, list: string): Place | undefined {
  return readCursor(cursor, list, ([key, ref, ...others]) =>
    isPlaceNumber(key) && isPlaceNumber(ref) && others.length === 0 ? { key, ref } : null,
  )
}

/**
 * A page of what `load` finds at the places, which leaves out what does not match (null). Looks at `most` places, so that no page
 * takes long where few match.
 */
export function pageOf<T>(
  places: Generator<Place, void>,
  { ahead, load, limit, list, most }: PageReading<T>,
): { readonly items: readonly T[]; readonly next: string | null } {
  const items: T[] = []
  let looked = 0
  let last: Place | null = null
  // One more than fits says whether anything follows.
  for (const place of ahead === undefined ? places : fetchedAhead(places, { ahead, size: limit + 1 })) {
    if (items.length >= limit || looked >= most) return { items, next: last && placeCursor(list, last) }
    const item = load(place.ref)
    if (item !== null) items.push(item)
    looked += 1
    last = place
  }
  return { items, next: null }
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

interface PageReading<T> {
  /** Told which ones are loaded next, where they are fetched together for less. */
  readonly ahead?: (refs: readonly number[]) => void
  readonly load: (ref: number) => T | null
  readonly limit: number
  /** The name of the list in its cursors. */
  readonly list: string
  readonly most: number
}
