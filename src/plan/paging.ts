/** Where a pass over a paged list stands (contract section 3.7). */
export interface Paging {
  readonly skip: number
  /** The largest page that this list ever gave, `TAKE` at most: a platform may also ignore what it is asked for. */
  readonly largestPage: number
  /** Fingerprints of the pages so far. */
  readonly seen: ReadonlySet<string>
}

export interface PageSeen {
  /** Rows received, good or bad. */
  readonly rows: number
  /** The same for two pages of the same rows. */
  readonly fingerprint: string
}

/** The platform gives at most 100 rows a page (interface, Limits). */
export const TAKE = 100

/** More pages than any list has: a platform that never ends its list must not fill the disk. */
export const MOST_PAGES = 20_000

export function firstPage(largestPage: number): Paging {
  return { skip: 0, largestPage, seen: new Set() }
}

export function afterPage(paging: Paging, page: PageSeen): Paging {
  return {
    skip: paging.skip + page.rows,
    largestPage: Math.max(paging.largestPage, Math.min(page.rows, TAKE)),
    seen: new Set([...paging.seen, page.fingerprint]),
  }
}

/**
 * Whether the list ends with this page: it is empty, repeats one of this pass, or is shorter than the largest one ever
 * seen. A short page ends the list only if every known item was met: a platform may give less than it was asked for.
 */
export function endsList(before: Paging, page: PageSeen): 'yes' | 'no' | 'unless_items_are_unmet' {
  if (page.rows === 0 || before.seen.has(page.fingerprint)) return 'yes'
  return page.rows < before.largestPage ? 'unless_items_are_unmet' : 'no'
}
