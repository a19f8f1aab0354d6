import type { DeliveryState } from '../model/delivery.ts'

/**
 * Turns in lanes, of endpoints whose events go in their order: `turn` is null for a row without a place in its lane, 1 for the one that
 * has the turn, and 0 for those that wait for it. A claim takes no row that waits for its turn, so it never looks through a backlog.
 */
export type Turn = 0 | 1 | null

/** A row keeps its place for as long as it is open, or under way: one that was discarded meanwhile keeps its lane waiting. */
export function keepsPlace({
  state,
  isClaimed,
}: {
  readonly state: DeliveryState
  readonly isClaimed: boolean
}): boolean {
  return state === 'pending' || state === 'held' || isClaimed
}

/** The turn of a row that is made, or opened again: where events go in their order it lines up. */
export function turnOfNew(ordered: number): Turn {
  return ordered === 1 ? 0 : null
}

/** The row of a lane that has the turn: the one under way, or else the oldest. `rows`: those with a place in it. */
export function firstInLane<Row extends { readonly event: number; readonly isClaimed: boolean }>(
  rows: readonly Row[],
): Row | undefined {
  return rows.toSorted((one, other) => Number(other.isClaimed) - Number(one.isClaimed) || one.event - other.event)[0]
}
