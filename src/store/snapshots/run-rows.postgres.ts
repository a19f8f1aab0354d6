import { newSnapshotRun, type SnapshotRun } from '../../model/snapshot-run.ts'
import type { SnapshotEnd } from '../ports/snapshot-port.ts'
import type { Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'
import { DROP_PARTS, END, endValues, runRow, SAVE_RUN } from './snapshot-rows.ts'

const SAVE = new Query(SAVE_RUN)
const DROP = new Query(DROP_PARTS)
const END_RUN = new Query(END)

/** Has a run in the place of the last one of its subscription, whose endpoint is held, because others may begin one at the same time. */
export async function saveRun(tx: Transaction, run: SnapshotRun): Promise<void> {
  await tx.run(DROP, { subscription: run.subscription })
  await tx.run(SAVE, { ...runRow(run) })
}

/** Begins runs of subscriptions that are new; their endpoints are held. */
export async function beginRuns(tx: Transaction, subscriptions: readonly string[], at: number): Promise<void> {
  for (const subscription of subscriptions) await saveRun(tx, newSnapshotRun(subscription, at))
}

/** Ends a run that is under way; returns whether it was. */
export async function endRun(tx: Transaction, end: SnapshotEnd): Promise<boolean> {
  return (await tx.run(END_RUN, endValues(end))) > 0
}
