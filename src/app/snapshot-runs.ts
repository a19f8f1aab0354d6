import type { LiveConfig } from '../config/live-config.ts'
import { SnapshotLoop, type SnapshotLoopDeps } from '../poll/snapshots/snapshot-loop.ts'
import type { AccountSupervisor } from './account-supervisor.ts'
import type { OpenedWork } from './opened-work.ts'

export interface SnapshotRunsOptions extends Pick<SnapshotLoopDeps, 'clock' | 'log'> {
  readonly live: LiveConfig
}

/** Sends what runs are to send of the accounts that this process polls. */
export function snapshotRuns(
  { clock, live, log }: SnapshotRunsOptions,
  { share, store }: Pick<OpenedWork, 'share' | 'store'>,
  accounts: () => AccountSupervisor,
): SnapshotLoop {
  return new SnapshotLoop({
    store,
    clock,
    log,
    subscriptions: () => live.config.subscriptions,
    accounts: () => live.config.accounts,
    polled: () => accounts().pollers.map(({ snapshots }) => snapshots),
    isInForce: () => share.isInForce,
    processes: () => share.processes,
  })
}
