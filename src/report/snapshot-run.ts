import { formatInstant, formatInstantOrNull } from '../model/instant.ts'
import type { JsonObject } from '../model/json.ts'
import { snapshotState, snapshotSums, type SnapshotStanding } from '../model/snapshot-run.ts'

/** The last run of a subscription, as JSON shows it; null: it had none. */
export function snapshotJson(run: SnapshotStanding | undefined): JsonObject | null {
  if (run === undefined) return null
  const { leftOut, sent } = snapshotSums(run)
  return {
    state: snapshotState(run),
    resource: run.only,
    begun_at: formatInstant(run.begunAt),
    ended_at: formatInstantOrNull(run.endedAt ?? run.cancelledAt),
    sent,
    left_out: leftOut,
  }
}

/** How far a run is that is under way, as the end of a sentence about its subscription; null: it is not. */
export function snapshotWords(run: SnapshotStanding): string | null {
  if (snapshotState(run) !== 'under_way') return null
  const { leftOut, sent } = snapshotSums(run)
  const of = run.only === null ? 'every known record' : `every known ${run.only.replaceAll('_', ' ')}`
  const left = leftOut === 0 ? '' : `, ${leftOut.toLocaleString('en')} left out by \`where\``
  return `is sent ${of} since ${formatInstant(run.begunAt)}: ${sent.toLocaleString('en')} so far${left}.`
}

/** Runs by the name of their subscription. */
export function snapshotsByName(runs: readonly SnapshotStanding[]): ReadonlyMap<string, SnapshotStanding> {
  return new Map(runs.map((run) => [run.subscription, run]))
}
