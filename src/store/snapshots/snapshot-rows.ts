import { isOrphaned } from '../../ledger/snapshots.ts'
import { ShipbellError } from '../../errors.ts'
import type { SnapshotProgress, SnapshotRun, SnapshotStanding } from '../../model/snapshot-run.ts'
import type { BatchChange } from '../ports/commit-port.ts'
import type { SnapshotEnd } from '../ports/snapshot-port.ts'
import type { RowOf } from '../tables/table.ts'
import { TABLES } from '../tables/tables.ts'

type RunRow = RowOf<typeof TABLES.snapshot_runs>
export type PartRow = RowOf<typeof TABLES.snapshot_parts>

/** A run with what its endpoint says; null: there is no endpoint. */
export interface StandingRow extends RunRow {
  readonly configured: number | null
  readonly enabled: number | null
}

const IS_UNDER_WAY = 'ended_at IS NULL AND cancelled_at IS NULL'

/** The values are `:underWay`, 1 where only runs under way are sought, and `:subscription`, null for all. */
export const STANDINGS = `
  SELECT ${TABLES.snapshot_runs.selected()}, endpoints.configured, endpoints.enabled
  FROM snapshot_runs LEFT JOIN endpoints ON endpoints.subscription = snapshot_runs.subscription
  WHERE (CAST(:underWay AS bigint) = 0 OR (${IS_UNDER_WAY}))
    AND (CAST(:subscription AS text) IS NULL OR snapshot_runs.subscription = CAST(:subscription AS text))
  ORDER BY snapshot_runs.subscription`

/** How far the parts of runs are; to be ended with which subscriptions are meant. */
export const PARTS = `SELECT ${TABLES.snapshot_parts.selected()} FROM snapshot_parts WHERE subscription`

/** The switches of an endpoint. */
export const SWITCHES = 'SELECT configured, enabled FROM endpoints WHERE subscription = :subscription'

/** The last run of a subscription. */
export const LAST = `SELECT ${TABLES.snapshot_runs.selected()} FROM snapshot_runs WHERE subscription = :subscription`

export const SAVE_RUN = TABLES.snapshot_runs.upsert
export const DROP_PARTS = 'DELETE FROM snapshot_parts WHERE subscription = :subscription'

/** Ends the run of a subscription that is under way; `:run` null: whichever it is. */
export const END = `
  UPDATE snapshot_runs SET ended_at = CAST(:endedAt AS bigint), cancelled_at = CAST(:cancelledAt AS bigint)
  WHERE subscription = :subscription AND (CAST(:run AS text) IS NULL OR run = CAST(:run AS text)) AND ${IS_UNDER_WAY}`

export function endValues({ at, how, run, subscription }: SnapshotEnd) {
  const isAtItsEnd = how === 'ended'
  return { subscription, run: run ?? null, endedAt: isAtItsEnd ? at : null, cancelledAt: isAtItsEnd ? null : at }
}

const PART = TABLES.snapshot_parts
/** Writes where a part stands, if its run is under way and nobody moved the part since `:before` was looked up. `isSame`: compares with null, too. */
export function movePart(isSame: 'IS' | 'IS NOT DISTINCT FROM'): string {
  return `
    INSERT INTO snapshot_parts (${PART.names})
    SELECT CAST(:subscription AS text), CAST(:account AS text), CAST(:resource AS text), CAST(:lastId AS text),
      CAST(:sent AS bigint), CAST(:leftOut AS bigint), CAST(:endedAt AS bigint)
    FROM snapshot_runs WHERE subscription = :subscription AND run = :run AND ${IS_UNDER_WAY}
    ${PART.instead()} WHERE snapshot_parts.ended_at IS NULL AND snapshot_parts.last_id ${isSame} CAST(:before AS text)`
}

export type MovedPart = Omit<Extract<BatchChange, { readonly kind: 'snapshot' }>, 'kind'>

export function movedValues({ after, before, run, subscription }: MovedPart) {
  return { ...partRow(subscription, after), run, before: before.after }
}

/** A slice moves its part, or is not committed at all. */
export function refuseMoved(moved: number, { after: { account, resource }, subscription }: MovedPart): void {
  if (moved > 0) return
  const what = `The run of ${subscription} over ${resource} of ${account}`
  throw new ShipbellError('store_conflict', `${what} is not where it was.`)
}

export function runRow({ only: resource, ...run }: SnapshotRun): RunRow {
  return { ...run, resource }
}

function partRow(subscription: string, { after: lastId, ...progress }: SnapshotProgress): PartRow {
  return { subscription, lastId, ...progress }
}

export function toStanding(
  { configured, enabled, resource: only, ...run }: StandingRow,
  parts: readonly PartRow[],
): SnapshotStanding {
  const endpoint = configured === null || enabled === null ? undefined : { configured, enabled }
  return { ...run, only, parts: parts.map(toProgress), isOrphaned: isOrphaned(endpoint) }
}

function toProgress({ account, endedAt, lastId: after, leftOut, resource, sent }: PartRow): SnapshotProgress {
  return { account, resource, after, sent, leftOut, endedAt }
}
