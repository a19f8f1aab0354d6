import { parseInstant } from '../model/instant.ts'
import { instantOf, type DateText, type ToldDate } from '../model/told-dates.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/** What is kept of a date that moved. */
export interface SlipRow {
  readonly first: number
  readonly now: number
  readonly revisions: number
  readonly movedAt: number
  readonly day: number
  /** Minutes, later or earlier. */
  readonly size: number
}

/**
 * How far a date is from its first value; null: it has no row from now on. A date that did not move since it was first seen has
 * none, nor has one that went. A restored shipment tells its dates without saying how they came: only what had moved before goes on.
 */
export function slipAfter(
  old: Pick<SlipRow, 'first' | 'movedAt' | 'revisions'> | undefined,
  { drift, from, to }: ToldDate & { readonly from: DateText },
  movedAt: number,
): SlipRow | 'as it was' | null {
  const now = instantOf(to)
  const first = (drift === undefined ? null : parseInstant(drift.first)) ?? old?.first ?? null
  if (now === null) return null
  if (first === null) return 'as it was'
  const before = instantOf(from)
  const moved = before === null ? now !== first : before !== now
  if (old === undefined && !moved) return 'as it was'
  const at = moved || old === undefined ? movedAt : old.movedAt
  const size = Math.abs(Math.round((now - first) / MINUTE_MS))
  const revisions = drift?.revisions ?? old?.revisions ?? 1
  return { first, now, revisions, movedAt: at, day: dayOf(at), size }
}

/** Days since the Unix epoch. */
export function dayOf(at: number): number {
  return Math.floor(at / DAY_MS)
}

/** How much later a date is than its first value, in minutes; negative: how much earlier. */
export function driftOf({ first, now }: Pick<SlipRow, 'first' | 'now'>): number {
  return Math.round((now - first) / MINUTE_MS) + 0
}
