import type { Page } from '../../model/page.ts'
import { orderText, type RecordOrder, type RecordSort } from '../../model/record-order.ts'
import type { RecordResource } from '../../model/resource.ts'
import { isPlaceNumber, type Key, type Place, readCursor, writeCursor } from './ranges.ts'

/** How many rows that do not match one page passes: no page takes long where few match. */
const MOST_PASSED = 3_000
/** How many rows are looked at together where some may not match. */
const AT_ONCE = 500

/** Where a row stands in a list that is made of several parts. */
export interface PartPlace extends Place<Key> {
  readonly part: number
}

/** The name of a list of one resource in an order, in its cursors. */
export function nameOfList(resource: RecordResource, order: RecordOrder): string {
  return `${resource} ${orderText(order)}`
}

/** The place that a cursor stands for; undefined where none was given. Throws `bad_cursor`. */
export function readPartPlace(cursor: string | undefined, list: string, by: RecordSort): PartPlace | undefined {
  const isKey = (key: unknown): key is Key => (by === 'name' ? typeof key === 'string' : isPlaceNumber(key))
  return readCursor(cursor, list, ([part, key, ref, ...others]) =>
    isPlaceNumber(part) && isKey(key) && isPlaceNumber(ref) && others.length === 0 ? { part, key, ref } : null,
  )
}

interface PageLimits {
  readonly limit: number
  /** The name of the list in its cursors. */
  readonly list: string
  /** Whether rows are passed that do not match. */
  readonly isNarrowed: boolean
}

/** A page of a list in parts. Once it is full it looks on for one row that matches: without one nothing follows. */
export class OrderedPage<T> {
  readonly #limits: PageLimits
  readonly #most: number
  readonly #items: T[] = []
  #looked = 0
  #last: PartPlace | null = null
  #hasMore = false

  constructor(limits: PageLimits) {
    this.#limits = limits
    this.#most = limits.isNarrowed ? Math.max(MOST_PASSED, 2 * limits.limit) : 2 * limits.limit + 1
  }

  get isFull(): boolean {
    return this.room === 0
  }

  /** How many more items it takes. */
  get room(): number {
    return Math.max(this.#limits.limit - this.#items.length, 0)
  }

  /** Whether it takes no further row. */
  get isOver(): boolean {
    return this.#hasMore || this.#looked >= this.#most
  }

  /** How many rows it looks at next. */
  get wanted(): number {
    const wanted = this.#limits.isNarrowed ? AT_ONCE : this.room + 1
    return Math.max(Math.min(wanted, this.#most - this.#looked), 1)
  }

  /** Adds what stands at a place; null: that does not match, or was not looked at because the page is full. */
  add(part: number, { fits, key, ref }: Place<Key>, item: T | null): void {
    if (this.isOver) return
    this.#looked += 1
    if (this.isFull) {
      this.#hasMore = fits !== 0
      return
    }
    if (item !== null) this.#items.push(item)
    this.#last = { part, key, ref }
  }

  end(): Page<T> {
    const last = this.isOver ? this.#last : null
    return { items: this.#items, next: last && writeCursor(this.#limits.list, [last.part, last.key, last.ref]) }
  }
}
