import { newSnapshotRun, type SnapshotRun } from '../../model/snapshot-run.ts'
import type { Connection } from '../file/connection.ts'
import type { SnapshotEnd } from '../ports/snapshot-port.ts'
import { DROP_PARTS, END, endValues, runRow, SAVE_RUN } from './snapshot-rows.ts'

// Each runs inside the caller's write transaction, and holds nothing, because SQLite has one writer at a time.

/** Has a run in the place of the last one of its subscription. */
export function saveRun(db: Connection, run: SnapshotRun): void {
  db.run(DROP_PARTS, { subscription: run.subscription })
  db.run(SAVE_RUN, { ...runRow(run) })
}

/** Begins runs of subscriptions that are new. */
export function beginRuns(db: Connection, subscriptions: readonly string[], at: number): void {
  for (const subscription of subscriptions) saveRun(db, newSnapshotRun(subscription, at))
}

/** Ends a run that is under way; returns whether it was. */
export function endRun(db: Connection, end: SnapshotEnd): boolean {
  return db.run(END, endValues(end)) > 0
}
