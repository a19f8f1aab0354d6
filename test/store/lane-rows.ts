import { firstInLane, keepsPlace } from '../../src/ledger/follow.ts'
import type { DeliveryState } from '../../src/model/delivery.ts'

/** What says who has the turn of a lane. A file has its claims in memory: `claimed` is 0 there, and nothing may be under way. */
export interface LaneRow {
  readonly subscription: string
  readonly lane: number
  readonly event: number
  readonly state: DeliveryState
  readonly turn: number | null
  readonly claimed: number
  readonly ordered: number
}

/** Of endpoints all of whose turns are given; `claimed`: an expression for whether a row is claimed. */
export function laneRows(claimed: string): string {
  return `SELECT deliveries.subscription, lane, deliveries.event, state, turn, ${claimed} AS claimed, ordered
    FROM deliveries JOIN endpoints ON endpoints.subscription = deliveries.subscription WHERE queued_to IS NULL AND unsettled = 0`
}

export const CLAIMED = `(SELECT count(*) FROM claims WHERE claims.subscription = deliveries.subscription AND claims.event = deliveries.event)`

/** Rows that have another turn than the rule gives them. */
export function misplaced(rows: readonly LaneRow[]): readonly LaneRow[] {
  const lanes = new Map<string, LaneRow[]>()
  for (const row of rows) {
    const key = `${row.subscription} ${row.lane}`
    lanes.set(key, [...(lanes.get(key) ?? []), row])
  }
  return [...lanes.values()].flatMap((lane) => {
    const first = firstInLane(lane.filter(isPlaced).map((row) => ({ ...row, isClaimed: row.claimed > 0 })))
    return lane.filter(
      (row) => !isLeft(row) && row.turn !== (isPlaced(row) ? Number(row.event === first?.event) : null),
    )
  })
}

function isPlaced(row: LaneRow): boolean {
  return row.ordered === 1 && keepsPlace({ state: row.state, isClaimed: row.claimed > 0 }) && !isLeft(row)
}

/** One that was discarded before turns were given has none, although it is under way yet. */
function isLeft({ claimed, state, turn }: LaneRow): boolean {
  return turn === null && claimed > 0 && state !== 'pending' && state !== 'held'
}
