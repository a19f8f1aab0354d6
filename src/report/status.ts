import { parseInstant } from '../model/instant.ts'
import type { JsonObject } from '../model/json.ts'
import type { SnapshotStanding } from '../model/snapshot-run.ts'
import type { AccountOverview, EndpointOverview } from '../store/ports/query-port.ts'
import { accountJson } from './account.ts'
import type { AuditLine } from './audit.ts'
import { configurationJson, type ConfigurationOverview } from './configuration.ts'
import { endpointJson, totalsJson } from './endpoint.ts'
import type { Freshness } from './freshness.ts'
import type { Need } from './need.ts'
import { needJson } from './needs.ts'
import type { ReadAge } from './read-age.ts'
import { snapshotsByName } from './snapshot-run.ts'
import { workerJson, type WorkerOverview } from './workers.ts'

/** The process that polls and delivers. */
export interface Daemon {
  readonly pid: number
  /** What was started: `run`, `once` or `demo`. */
  readonly command: string
  /** ISO date-time. */
  readonly since: string
  readonly host: string
  /** What of the daemon's work does not come through in the store, in one sentence; null or left out: all does. */
  readonly stalled?: string | null
}

export interface Status {
  readonly now: number
  readonly daemon: Daemon | null
  /** The workers that share the store and live; none where it cannot be shared. */
  readonly workers: readonly WorkerOverview[]
  /** What of the configurations of processes that live needs a person. */
  readonly configuration: readonly ConfigurationOverview[]
  /** The gravest first. */
  readonly needs: readonly Need[]
  readonly accounts: readonly AccountOverview[]
  /** The freshness of the accounts, in their order. */
  readonly fresh: readonly Freshness[]
  readonly ages: readonly ReadAge[]
  /** What samples of the lists came to. */
  readonly audits: readonly AuditLine[]
  readonly endpoints: readonly EndpointOverview[]
  /** The last run of each subscription that had one. */
  readonly runs: readonly SnapshotStanding[]
  /** Rows that only wait for the hour of their digest, or for the end of `quiet`. */
  readonly waiting: number
}

/** What `status --json` prints; docs/reference/json-output.md lists the names. */
export function statusJson(status: Status): JsonObject {
  const { accounts, configuration, daemon, endpoints, fresh, needs, now, runs, waiting, workers } = status
  const runOf = snapshotsByName(runs)
  return {
    daemon: daemonJson(daemon),
    workers: workers.map(workerJson),
    configuration: configuration.map(configurationJson),
    needs: needs.map(needJson),
    accounts: accounts.map((account, nth) => accountJson(account, { now, fresh: fresh[nth] })),
    subscriptions: endpoints.map((endpoint) => endpointJson(endpoint, now, runOf.get(endpoint.subscription))),
    totals: totalsJson(endpoints, now, waiting),
  }
}

function daemonJson(daemon: Daemon | null): JsonObject {
  return {
    running: daemon !== null,
    pid: daemon?.pid ?? null,
    command: daemon?.command ?? null,
    since: daemon?.since ?? null,
    host: daemon?.host ?? null,
  }
}

/** How long a daemon has been running; null where it does not say. */
export function runningForMs({ since }: Daemon, now: number): number | null {
  const at = parseInstant(since)
  return at === null ? null : Math.max(now - at, 0)
}
