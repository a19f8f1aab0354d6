import type { Clock } from '../../clock.ts'
import type { AccountSettings } from '../../model/account.ts'
import type { Watchable } from '../../model/resource.ts'
import type { SnapshotStanding } from '../../model/snapshot-run.ts'
import type { Subscription } from '../../model/subscription.ts'
import { snapshotsByName } from '../../report/snapshot-run.ts'
import type { DeliveryStore } from '../../store/ports/delivery-port.ts'
import type { ExceptionCount, ExceptionStore } from '../../store/ports/exception-port.ts'
import type { QueryStore } from '../../store/ports/query-port.ts'
import type { SnapshotStore } from '../../store/ports/snapshot-port.ts'

/** Where the metrics come from that are looked up when somebody asks. */
export interface MetricsSource {
  readonly clock: Pick<Clock, 'now' | 'monotonic'>
  readonly version: string
  readonly store: Pick<QueryStore, 'accounts' | 'deferredRows' | 'endpoints' | 'holds'> &
    Pick<DeliveryStore, 'nextDueAt'> &
    Pick<ExceptionStore, 'exceptionCounts'> &
    Pick<SnapshotStore, 'snapshotRuns'>
  /** The accounts as configured now: a reload changes them, and what has left has no series any more. */
  readonly accounts: () => readonly AccountSettings[]
  readonly subscriptions: () => readonly Subscription[]
  /** The accounts that are polled. */
  readonly polled: () => readonly PolledAccount[]
  readonly storeBytes: () => Promise<number>
  /** What the process does as one of several workers, or alone. */
  readonly worker: () => WorkerCounts
  /** Whether the files of the configuration were changed and cannot be used. */
  readonly configRejected: () => boolean
}

interface WorkerCounts {
  readonly id: string
  readonly leases: number
  /** Since the start of the process. */
  readonly takeovers: number
}

/** What the process itself knows of an account. */
interface PolledAccount {
  readonly account: Pick<AccountSettings, 'name'>
  /** Requests that may be sent at once. */
  readonly client: { readonly budgetLeft: number }
  /** When what was read longest ago was read; null: there is nothing, as far as is known. */
  oldestReadAt(watch: Watchable): number | null
}

/** What the metrics of a moment are made of. */
export interface Snapshot {
  readonly now: number
  readonly accounts: readonly AccountSnapshot[]
  readonly endpoints: readonly EndpointSnapshot[]
  readonly holds: Awaited<ReturnType<QueryStore['holds']>>
  readonly exceptions: readonly ExceptionCount[]
  readonly storeBytes: number
  readonly configRejected: boolean
  readonly worker: WorkerCounts
}

export interface AccountSnapshot {
  readonly settings: AccountSettings
  /** What the store knows of the account; null: it was never asked. */
  readonly known: Awaited<ReturnType<QueryStore['accounts']>>[number] | null
  readonly polled: PolledAccount | null
}

export interface EndpointSnapshot {
  readonly subscription: Subscription
  /** What the store knows of the endpoint; null: nothing yet. */
  readonly known: Awaited<ReturnType<QueryStore['endpoints']>>[number] | null
  /** The last run that sent it every known record; null: there was none. */
  readonly run: SnapshotStanding | null
  /** Rows that wait to be sent together, for the hour of a digest for example. */
  readonly deferred: number
  /** When the first of what waits became due, or will be; null: nothing waits. */
  readonly dueAt: number | null
}

/** A few look-ups for each account and subscription, whatever the size of log and ledger. Throws `store_unusable`. */
export async function takeSnapshot(source: MetricsSource): Promise<Snapshot> {
  const { clock, store } = source
  const now = clock.now()
  const overviews = new Map((await store.accounts(now)).map((each) => [each.account, each]))
  const polled = new Map(source.polled().map((each) => [each.account.name, each]))
  const accounts = source.accounts().map((settings) => ({
    settings,
    known: overviews.get(settings.name) ?? null,
    polled: polled.get(settings.name) ?? null,
  }))
  const known = new Map((await store.endpoints()).map((each) => [each.subscription, each]))
  const runs = snapshotsByName(await store.snapshotRuns({ which: 'last' }))
  const endpoints = source.subscriptions().map(async (subscription) => ({
    subscription,
    run: runs.get(subscription.name) ?? null,
    known: known.get(subscription.name) ?? null,
    deferred: await store.deferredRows(now, subscription.name),
    dueAt: await store.nextDueAt([subscription.name]),
  }))
  return {
    now,
    accounts,
    endpoints: await Promise.all(endpoints),
    holds: await store.holds(),
    exceptions: await store.exceptionCounts(now),
    storeBytes: await source.storeBytes(),
    worker: source.worker(),
    configRejected: source.configRejected(),
  }
}
