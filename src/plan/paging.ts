/** Where a pass over a paged list stands (contract section 3.7). */
export interface Paging {
  readonly skip: number
  /** The largest page that this list ever gave. */
  readonly largestPage: number
  /** Fingerprint of the page before. */
  readonly previous: string | null
  readonly pages: number
}

export interface PageSeen {
  /** Rows received, good or bad. */
  readonly rows: number
  /** The same for two pages of the same rows. */
  readonly fingerprint: string
}

/** More pages than any list has: a platform that never ends its list must not fill the disk. */
export const MOST_PAGES = 20_000

export function firstPage(largestPage: number): Paging {
  return { skip: 0, largestPage, previous: null, pages: 0 }
}

export function afterPage(paging: Paging, page: PageSeen): Paging {
  return {
    skip: paging.skip + page.rows,
    largestPage: Math.max(paging.largestPage, page.rows),
    previous: page.fingerprint,
    pages: paging.pages + 1,
  }
}

/**
 * Whether the list ends with this page: it is empty, repeats the one before, or is shorter than the largest one ever
 * seen. A short page ends the list only if every known item was met: a platform may give less than it was asked for.
 */
export function endsList(before: Paging, page: PageSeen): 'yes' | 'no' | 'unless_items_are_unmet' {
  if (page.rows === 0 || page.fingerprint === before.previous) return 'yes'
  return page.rows < Math.max(before.largestPage, page.rows) ? 'unless_items_are_unmet' : 'no'
}
