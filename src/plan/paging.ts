import type { EndProbe } from '../model/end-probe.ts'

/** Where a pass over a paged list stands. */
export interface Paging {
  readonly skip: number
  /** The largest page of the passes before, as far as they count: see `largestAfter`. */
  readonly largest: number
  /** The smallest and the largest page of this pass, `TAKE` at most: a platform may also ignore what it is asked for. */
  readonly least: number
  readonly most: number
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

/** No list has more pages. A platform whose list never ends must not fill the disk. */
export const MOST_PAGES = 20_000

/** How long one probe beyond the end serves all passes. */
const PROBE_HOLDS_MS = 3_600_000

export function firstPage(largest: number): Paging {
  return { skip: 0, largest, least: TAKE, most: 0, repeats: 0, pages: 0 }
}

export function afterPage(paging: Paging, { isRepeat, rows }: PageSeen): Paging {
  const size = sizeOf(rows)
  return {
    skip: paging.skip + rows,
    largest: paging.largest,
    least: Math.min(paging.least, size),
    most: Math.max(paging.most, size),
    repeats: isRepeat ? paging.repeats + 1 : 0,
    pages: paging.pages + 1,
  }
}

/**
 * Up to where the list is known to go by the last probe beyond it; null where that is too old. A probe, or a pass, that lies
 * ahead was made before the clock was set back: nobody knows how long ago that is.
 */
export function provenEnd(probe: EndProbe | null, now: number, lastPassAt: number | null): number | null {
  if (probe === null || probe.at > now || (lastPassAt !== null && lastPassAt > now)) return null
  return now - probe.at <= PROBE_HOLDS_MS ? probe.skip : null
}

/**
 * Whether the list ends with this page: it is empty, repeats one of this pass, or is a short one, up to where a probe has
 * found the end (`proven`; null: none has, or not lately). While a known item is unmet a short page is no end, nor is one that
 * repeats, for as many rows as it holds may have moved ahead meanwhile; two of those in a row are.
 */
export function endsList(
  before: Paging,
  page: PageSeen,
  proven: number | null,
): 'yes' | 'no' | 'unless_items_are_unmet' {
  if (page.rows === 0) return 'yes'
  if (page.isRepeat) return before.repeats > 0 ? 'yes' : 'unless_items_are_unmet'
  const isProven = proven !== null && before.skip + page.rows <= proven
  return isProven && isShort(before, page.rows) ? 'unless_items_are_unmet' : 'no'
}

/** How often a list takes a request that shows nothing but its end: in each pass, once a probe no longer holds, or never. */
export type EndCost = 'each_pass' | 'probe' | 'none'

/**
 * What the end costs of a list whose pages hold so many rows, where they do not end with one that repeats. `largest`: see
 * `Paging`.
 */
export function endCost(rows: readonly number[], largest: number): EndCost {
  const first = firstPage(largest)
  const before = rows.slice(0, -1).reduce((at, each) => afterPage(at, { rows: each, isRepeat: false }), first)
  return isShort(before, rows.at(-1) ?? 0) ? 'probe' : 'each_pass'
}

/** How often that request is due where `everyMs` is the refresh target of a pass; null: never. */
export function endEveryMs(cost: EndCost, everyMs: number): number | null {
  switch (cost) {
    case 'each_pass':
      return everyMs
    case 'probe':
      return Math.max(everyMs, PROBE_HOLDS_MS)
    case 'none':
      return null
    default:
      return cost satisfies never
  }
}

/**
 * What passes go by from now on, after one whose pages held so many rows: a list of several pages shows how many the platform
 * gives now, a single page may be the whole list.
 */
export function largestAfter(rows: readonly number[], largest: number): number {
  const sizes = rows.map(sizeOf)
  return Math.max(sizes.length > 1 ? 0 : largest, ...sizes)
}

/**
 * Shorter than the pages before it, which are all of one size, or than the largest lately where it is the first. Where sizes
 * differ, so may that of any page: rows are left out after the cut, or the platform changes how many it gives.
 */
function isShort(before: Paging, rows: number): boolean {
  if (rows === 0) return false
  return before.pages === 0 ? rows < before.largest : before.least === before.most && rows < before.most
}

function sizeOf(rows: number): number {
  return Math.min(rows, TAKE)
}
