import type { BadPlace, ListGaps } from '../model/list-gaps.ts'
import { TAKE } from './paging.ts'

/** The most requests more that a pass sends for what cannot be read. */
export const MOST_EXTRA_REQUESTS = 30

const LEAST_WAIT_MS = 1_000
const MOST_WAIT_MS = 6 * 60 * 60_000

/** Rows of a list, by where they are in it. */
export interface Span {
  readonly skip: number
  readonly rows: number
}

export function endOf({ skip, rows }: Span): number {
  return skip + rows
}

/** The place that a row is in; null where it can be read, as far as is known. */
export function placeAt(places: readonly BadPlace[], skip: number): BadPlace | null {
  return places.find((place) => place.skip <= skip && skip < endOf(place)) ?? null
}

/** How many rows to ask for, so that none of them is in a bad place. */
export function rowsUntilPlace(places: readonly BadPlace[], skip: number): number {
  const next = places.find((place) => place.skip > skip)
  return next === undefined ? TAKE : Math.min(TAKE, next.skip - skip)
}

/** How many rows in a row, up to one, cannot be read. */
export function rowsLeftOutBefore(places: readonly BadPlace[], skip: number): number {
  let from = skip
  for (const place of places.toReversed()) if (endOf(place) === from) from = place.skip
  return skip - from
}

/** Whether so many rows in a row cannot be read that the pass ends there: a whole page of them. */
export function endsAt(places: readonly BadPlace[], skip: number): boolean {
  return rowsLeftOutBefore(places, skip) >= TAKE
}

/** Whether a place is tried again now. A clock that was set back makes no wait longer than it was. */
export function isDue({ nextAt }: BadPlace, now: number): boolean {
  return nextAt <= now || nextAt - now > MOST_WAIT_MS
}

/** A place, and those behind it without a gap that are due with it, a page of them at most. */
export function dueTogether(places: readonly BadPlace[], first: BadPlace, now: number): readonly BadPlace[] {
  const together = [first]
  let end = endOf(first)
  for (const place of places) {
    if (place.skip !== end || !isDue(place, now) || endOf(place) - first.skip > TAKE) continue
    together.push(place)
    end = endOf(place)
  }
  return together
}

/**
 * A place that was found, as it is to be remembered: the one that the baseline left out may have moved here. `after`: the row
 * before it, as this pass has shown it; where it showed none, since the page there is unchanged, what is remembered holds.
 */
export function remembered(
  place: BadPlace,
  { after, before, isBaseline }: { after: string | null; before: readonly BadPlace[]; isBaseline: boolean },
): BadPlace {
  const isSame = (other: BadPlace): boolean => other.ofBaseline && after !== null && other.after === after
  const rowBefore = after ?? before.findLast(({ skip }) => skip === place.skip)?.after ?? null
  return { ...place, after: rowBefore, ofBaseline: isBaseline || place.ofBaseline || before.some(isSame) }
}

/** Rows in the order of their page; `before`: the row before the first, null where it is not known. */
interface PageRows {
  readonly skip: number
  readonly ids: readonly (string | null)[]
  readonly before: string | null
}

/** The ids of those rows that the baseline left out, by their place or by the row before them. */
export function leftOutAtBaseline({ places, unreadFrom }: ListGaps, page: PageRows): ReadonlySet<string> {
  const ofBaseline = places.filter((place) => place.ofBaseline)
  const leftOut = new Set<string>()
  if (ofBaseline.length === 0 && unreadFrom === null) return leftOut
  const following = new Map(ofBaseline.flatMap(({ after, rows }) => (after === null ? [] : [[after, rows] as const])))
  let [last, follow] = [page.before, 0]
  for (const [nth, id] of page.ids.entries()) {
    follow = Math.max(follow - 1, last === null ? 0 : (following.get(last) ?? 0))
    const at = page.skip + nth
    const isThere = follow > 0 || placeAt(ofBaseline, at) !== null || (unreadFrom !== null && at >= unreadFrom)
    if (isThere && id !== null) leftOut.add(id)
    last = id
  }
  return leftOut
}

/** The first rows of a list that a pass could not read, and why, for people; null: it could read all. */
export function firstUnread({ places }: ListGaps): { readonly skip: number; readonly reason: string } | null {
  const [first] = places
  if (first === undefined) return null
  const rows = places.reduce((sum, place) => sum + place.rows, 0)
  const what = rows === 1 ? '1 row cannot be read' : `${rows} rows cannot be read`
  const where = rows === 1 ? `behind ${first.skip} others` : `the first behind ${first.skip} others`
  return { skip: first.skip, reason: `${what}, ${where}: ${first.reason}` }
}

/** How long a place is left alone that failed so often when it was tried again. */
export function waitOf(tries: number, everyMs: number): number {
  const firstMs = Math.max(2 * everyMs, LEAST_WAIT_MS)
  return Math.min(firstMs * 2 ** Math.min(tries, 30), MOST_WAIT_MS)
}

/** The places once a span was looked at in which nothing is bad but what was `found`. */
export function replaced(places: readonly BadPlace[], span: Span, found: readonly BadPlace[]): readonly BadPlace[] {
  const others = places.flatMap((place) => outside(place, span))
  return merged([...others, ...found].toSorted((one, other) => one.skip - other.skip))
}

/** The places of a list that ends at a row. */
export function upTo(places: readonly BadPlace[], end: number): readonly BadPlace[] {
  return replaced(places, { skip: end, rows: Number.POSITIVE_INFINITY }, [])
}

function outside(place: BadPlace, span: Span): readonly BadPlace[] {
  const before = { ...place, rows: Math.min(place.rows, span.skip - place.skip) }
  const from = Math.max(place.skip, endOf(span))
  const after = { ...place, skip: from, rows: endOf(place) - from }
  return [before, after].filter(({ rows }) => rows > 0)
}

/** Neighbours of which the same is known are one place. */
function merged(places: readonly BadPlace[]): readonly BadPlace[] {
  const runs: BadPlace[] = []
  for (const place of places) {
    const last = runs.at(-1)
    if (last !== undefined && belongTogether(last, place)) {
      runs[runs.length - 1] = { ...last, rows: last.rows + place.rows, nextAt: Math.min(last.nextAt, place.nextAt) }
    } else runs.push(place)
  }
  return runs
}

function belongTogether(one: BadPlace, other: BadPlace): boolean {
  const isSame = one.isSplit === other.isSplit && one.tries === other.tries && one.ofBaseline === other.ofBaseline
  return isSame && one.isSplit && endOf(one) === other.skip
}

/** Halves of a span, of which neither is empty where it has more than one row. */
export function halves({ skip, rows }: Span): readonly Span[] {
  const first = Math.ceil(rows / 2)
  return [
    { skip, rows: first },
    { skip: skip + first, rows: rows - first },
  ].filter((half) => half.rows > 0)
}

/** Pieces of a span that one request can ask for. */
export function pieces({ skip, rows }: Span): readonly Span[] {
  const count = Math.ceil(rows / TAKE)
  return Array.from({ length: count }, (_, nth) => ({
    skip: skip + nth * TAKE,
    rows: Math.min(TAKE, rows - nth * TAKE),
  }))
}

/** How many passes after its baseline, and for how long, what a list without total order shows for the first time is silent. */
const MOST_PASSES = 5
const LONGEST_MS = 86_400_000

interface Baselined {
  readonly gaps: Pick<ListGaps, 'catchingUp'>
  readonly baselinedAt: number | null
}

/** Whether records that are not known yet count as known at the baseline. */
export function isCatchingUp({ baselinedAt, gaps }: Baselined, now: number): boolean {
  return gaps.catchingUp !== null && baselinedAt !== null && now - baselinedAt <= LONGEST_MS
}

/** What is left to catch up with after a pass; `found`: the records that it showed for the first time. */
export function afterCatchingUp(list: Baselined, found: number, now: number): ListGaps['catchingUp'] {
  const passes = (list.gaps.catchingUp?.passes ?? 0) + 1
  return isCatchingUp(list, now) && found > 0 && passes < MOST_PASSES ? { passes } : null
}
