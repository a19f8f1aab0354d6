import { compareTexts } from '../../model/text-order.ts'
import { ShipbellError } from '../../errors.ts'
import type { Page } from '../../model/page.ts'
import type { Lookup, Values } from './lookup.ts'

/** What a cursor holds: the key of the last row that was looked at. */
type CursorParts = readonly (string | number)[]

const LONGEST = 4_096

/** A place in a list as opaque text; `list` keeps it from being taken for a place in another one. */
export function writeCursor(list: string, parts: CursorParts): string {
  return Buffer.from(JSON.stringify([list, ...parts])).toString('base64url')
}

/**
 * The place that a cursor stands for; undefined where none was given. `read` says what its parts mean, or null where they can
 * be no place of the list. Throws `bad_cursor`.
 */
export function readCursor<Place>(
  cursor: string | undefined,
  list: string,
  read: (parts: readonly unknown[]) => Place | null,
): Place | undefined {
  if (cursor === undefined) return undefined
  const [of, ...parts] = partsOf(cursor)
  const place = of === list ? read(parts) : null
  if (place === null) throw badCursor()
  return place
}

export function badCursor(): ShipbellError {
  return new ShipbellError('bad_cursor', 'The cursor is none of this list: take `next` of its last page, or none.')
}

/** Whether a cursor is one of a list. */
export function isCursorOf(cursor: string | undefined, list: string): boolean {
  return cursor !== undefined && partsOf(cursor)[0] === list
}

function partsOf(cursor: string): readonly unknown[] {
  if (cursor.length > LONGEST || !/^[\w-]+$/.test(cursor)) return []
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(parts) ? parts : []
  } catch {
    return []
  }
}

export function isPlaceNumber(part: unknown): part is number {
  return typeof part === 'number' && Number.isSafeInteger(part)
}

/** What rows stand in order by: all of one list are numbers, or all are texts. */
export type Key = number | string

/** Where a row stands in a list: by its key, then by its `ref`. */
export interface Place<K extends Key = number> {
  readonly key: K
  readonly ref: number
  /** 0 where the row at the place does not match; left out: that is not known yet. */
  readonly fits?: number
}

export const FIRST: Place = { key: Number.MIN_SAFE_INTEGER, ref: Number.MIN_SAFE_INTEGER }
export const LAST: Place = { key: Number.MAX_SAFE_INTEGER, ref: Number.MAX_SAFE_INTEGER }

/** Oldest first, or newest first. */
export type Order = 'oldest' | 'newest'

export function comparePlaces<K extends Key>(one: Place<K>, other: Place<K>): number {
  return compareKeys(one.key, other.key) || one.ref - other.ref
}

/** Compares keys as stores do: texts by their code points. */
function compareKeys(one: Key, other: Key): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  return compareTexts(String(one), String(other))
}

export function readPlace(cursor: string | undefined, list: string): Place | undefined {
  return readCursor(cursor, list, ([key, ref, ...others]) =>
    isPlaceNumber(key) && isPlaceNumber(ref) && others.length === 0 ? { key, ref } : null,
  )
}

interface PageLimits {
  readonly limit: number
  /** The name of the list in its cursors. */
  readonly list: string
  /** Places that are looked at: no page takes long where few match. */
  readonly most: number
}

/** A page that is made of what stands at places, one after the other in their order. */
class FilledPage<T> {
  readonly #limits: PageLimits
  readonly #items: T[] = []
  #looked = 0
  #last: Place | null = null

  constructor(limits: PageLimits) {
    this.#limits = limits
  }

  /** Whether it takes no further place. */
  get isFull(): boolean {
    return this.#items.length >= this.#limits.limit || this.#looked >= this.#limits.most
  }

  /** How many more places may be looked at. */
  get left(): number {
    return this.#limits.most - this.#looked
  }

  /** Adds what stands at a place; null: that does not match. */
  add(place: Place, item: T | null): void {
    if (item !== null) this.#items.push(item)
    this.#looked += 1
    this.#last = place
  }

  /** `more`: whether a place follows those that were added. */
  end(more: boolean): { readonly items: readonly T[]; readonly next: string | null } {
    const last = more ? this.#last : null
    return { items: this.#items, next: last && writeCursor(this.#limits.list, [last.key, last.ref]) }
  }
}

/** The columns that tell ranges apart, with their types. */
export type RangeColumns = Readonly<Record<string, 'text' | 'bigint'>>

/** Ranges of an index in which rows stand in the same order. */
export interface RangeText {
  readonly columns: RangeColumns
  /**
   * `SELECT … AS key, ref … ORDER BY … LIMIT` of one range: at most `:most` rows beyond the place `:key`, `:ref`, with `fits` where that
   * is known. `of` are the columns' values.
   */
  readonly rows: (of: Readonly<Record<string, string>>) => string
}

/** Which ranges are read, and from where. No two of them show the same row. */
export interface RangesAsked<K extends Key = number> {
  readonly from: Place<K>
  readonly order: Order
  /** The columns of each, where its rows beyond a place are asked for. */
  readonly each: readonly ((beyond: Place<K>) => Readonly<Record<string, string | number | null>>)[]
  /** What they have in common. */
  readonly values?: (beyond: Place<K>) => Lookup<Values>
}

/** The rows of all ranges in one order, fetched as they are asked for. */
export interface MergedRanges<K extends Key = number> {
  /** The next ones, at most `most`, and as many as `least` if there are; left out: as `most`. None: there are no more. */
  next(most: number, least?: number): Lookup<readonly Place<K>[]>
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
