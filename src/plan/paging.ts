/** Where a pass over a paged list stands (contract section 3.7). */
export interface Paging {
  readonly skip: number
  /** The largest page that this list ever gave, `TAKE` at most: a platform may also ignore what it is asked for. */
  readonly largestPage: number
  /** How many pages in a row, up to the last, had been seen before. */
  readonly repeats: number
  readonly pages: number
}

export interface PageSeen {
  /** Rows received, good or bad. */
  readonly rows: number
  /** Whether the pass saw a page of the same rows before. */
  readonly isRepeat: boolean
}

/** The platform gives at most 100 rows a page (interface, Limits). */
export const TAKE = 100

/** More pages than any list has: a platform that never ends its list must not fill the disk. */
export const MOST_PAGES = 20_000

export function firstPage(largestPage: number): Paging {
  return { skip: 0, largestPage, repeats: 0, pages: 0 }
}

export function afterPage(paging: Paging, page: PageSeen): Paging {
  return {
    skip: paging.skip + page.rows,
    largestPage: Math.max(paging.largestPage, Math.min(page.rows, TAKE)),
    repeats: page.isRepeat ? paging.repeats + 1 : 0,
    pages: paging.pages + 1,
  }
}

/**
 * Requests of a pass that show nothing but the list's end, after a last page of so many rows; 0: it has none. `largestPage`:
 * see `Paging`.
 */
export function requestsAtEnd(rows: number, largestPage: number): 0 | 1 {
  return rows > 0 && rows < largestPage ? 0 : 1
}

/**
 * Whether the list ends with this page: it is empty, repeats one of this pass, or is shorter than the largest one ever
 * seen. While a known item is unmet, a short page is no end, for a platform may give less than it was asked for, nor is one
 * that repeats, for as many rows as it holds may have moved ahead meanwhile; two of those in a row are.
 */
export function endsList(before: Paging, page: PageSeen): 'yes' | 'no' | 'unless_items_are_unmet' {
  if (page.rows === 0) return 'yes'
  if (page.isRepeat) return before.repeats > 0 ? 'yes' : 'unless_items_are_unmet'
  return page.rows < before.largestPage ? 'unless_items_are_unmet' : 'no'
}
