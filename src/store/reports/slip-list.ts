import type { Slip, SlipQuery } from '../ports/record-query-port.ts'
import type { Place } from './place.ts'
import { driftOf } from '../../ledger/dates.ts'

/** The name of the list in its cursors. */
export const SLIP_LIST = 'slips'
/** Rows that one page looks at. */
export const MOST_SLIPS_LOOKED_AT = 250
/** The days are merged, not the rows of all of them: of a longer time with many accounts, the newest. */
const MOST_DAYS = 2_000

export type SlipRow = Omit<Slip, 'driftMinutes'>

/** The largest of a day that comes behind a place. */
export interface SlipDay extends Place {
  readonly account: string
  readonly day: number
}

export interface SlipDaysAsked {
  readonly accounts: readonly string[]
  readonly since: number
  readonly before: Place
  /** How many days of each account. */
  readonly most: number
}

/** Days of each account that are looked at. */
export function slipDaysOfEach(accounts: number): number {
  return Math.max(Math.floor(MOST_DAYS / Math.max(accounts, 1)), 1)
}

/** The days of which the page may show a row: all rows but filtered ones, and those of an account's first day that moved before `since`. */
export function slipDaysInReach(
  days: readonly SlipDay[],
  { carrier, lane, limit }: SlipQuery,
  accounts: number,
): readonly SlipDay[] {
  const most = carrier === undefined && lane === undefined ? limit + accounts + 1 : MOST_SLIPS_LOOKED_AT + 1
  return days.toSorted((one, other) => other.key - one.key || other.ref - one.ref).slice(0, most)
}

/** The slip that a row is; null where it is not asked for. */
export function toSlip(row: SlipRow, query: SlipQuery): Slip | null {
  const { carrier, lane, movedAt } = row
  if (movedAt < query.since || (query.carrier ?? carrier) !== carrier || (query.lane ?? lane) !== lane) return null
  return { ...row, driftMinutes: driftOf(row) }
}
