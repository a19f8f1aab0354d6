import type { Config } from '../config/config.ts'
import type { AccountSettings } from '../model/account.ts'
import { CONFIGURATION } from '../model/configuration-state.ts'
import type { Freshness } from '../report/freshness.ts'
import { asStarted } from '../invocation.ts'
import { auditLines } from '../report/audit.ts'
import { needsOf } from '../report/needs.ts'
import { readAges } from '../report/read-age.ts'
import type { FailingRecords } from '../report/record-needs.ts'
import type { Daemon, Status } from '../report/status.ts'
import type { AccountOverview } from '../store/ports/query-port.ts'
import type { WorkerStore } from '../store/ports/worker-port.ts'
import { freshnessOf } from './freshness.ts'
import { withItemReads } from './item-reads.ts'
import type { OpenedStore } from './open-storage.ts'
import { begunAnewAt, configurationTroubles } from './configuration-troubles.ts'
import { limitTroubles, SENDING } from './limit-report.ts'
import { workerOverviews } from './worker-overviews.ts'

export interface StatusRequest {
  readonly now: number
  /** The configuration; null: it cannot be read, a secret that is not set for example. */
  readonly config: Config | null
  /** What is watched, as far as that can be read without secrets. */
  readonly watched: readonly Pick<AccountSettings, 'audit' | 'name' | 'watch'>[] | null
  /** The daemon that runs; null: none. */
  readonly daemon: Daemon | null
  /** What says which workers live; left out: the store does. */
  readonly workers?: Pick<WorkerStore, 'survey'>
  /** The freshness of accounts, in their order; left out: worked out now. */
  readonly freshness?: (accounts: readonly string[]) => Promise<readonly Freshness[]>
  /** Accounts with the oldest reads of what is still read one by one; left out: looked up now. */
  readonly itemReads?: (accounts: readonly AccountOverview[]) => Promise<readonly AccountOverview[]>
  /** Only this account, and what needs a person but is of none. */
  readonly account?: string
}

/** More are not counted. */
const MOST_QUARANTINED = 200
const MOST_FAILING = 20

/** How everything stands, from the store: what depends on nothing else is asked at once. */
export async function readStatus(store: OpenedStore, request: StatusRequest): Promise<Status> {
  const { account, daemon, now, workers: surveyed = store.workers } = request
  const isAsked = (name: string): boolean => account === undefined || name === account
  const settings = request.watched?.filter(({ name }) => isAsked(name)) ?? null
  const quarantine = { limit: MOST_QUARANTINED, ...(account !== undefined && { account }) }
  const [{ accounts, failing, fresh }, kept, endpoints, runs, holds, waiting, quarantined, workers] = await Promise.all(
    [
      statusOfAccounts(store, request),
      store.records(null, 'configuration', [CONFIGURATION, SENDING]),
      store.endpoints(),
      store.snapshotRuns({ which: 'last' }),
      store.holds(),
      store.deferredRows(now),
      store.quarantine(quarantine),
      workerOverviews(surveyed),
    ],
  )
  const memory = kept.get(CONFIGURATION)?.memory.configuration ?? null
  const configuration = configurationTroubles(memory, { daemon, workers })
  const plans = fresh.flatMap(({ account: name, fits }) => (fits === undefined ? [] : [{ account: name, fits }]))
  const asked = {
    holds: holds.filter((hold) => isAsked(hold.account)),
    running: daemon !== null,
    quarantined: quarantined.items,
    failing,
    workers,
    configuration,
    begunAnewAt: begunAnewAt(memory),
    stalled: daemon?.stalled ?? null,
    limits: limitTroubles(kept.get(SENDING)?.memory.limits, { daemon, workers }),
  }
  const found = needsOf({ ...asked, now, settings, accounts, endpoints, plans })
  const needs = found.map((need) => ({ ...need, remedy: asStarted(need.remedy) }))
  const ages = (settings ?? []).flatMap((each) =>
    readAges(
      each,
      accounts.find((overview) => overview.account === each.name),
      now,
    ),
  )
  const audits = auditLines(accounts, settings, now)
  return { now, daemon, workers, configuration, needs, accounts, fresh, ages, audits, endpoints, runs, waiting }
}

interface StatusOfAccounts extends Pick<Status, 'accounts' | 'fresh'> {
  readonly failing: readonly FailingRecords[]
}

/** What the status says of the accounts that are asked for. */
async function statusOfAccounts(store: OpenedStore, request: StatusRequest): Promise<StatusOfAccounts> {
  const { account, config, now, watched } = request
  const known = (await store.accounts(now)).filter((each) => account === undefined || each.account === account)
  const names = known.map((each) => each.account)
  const settingsOf = (name: string) => watched?.find((each) => each.name === name)
  const [accounts, fresh, failing] = await Promise.all([
    request.itemReads?.(known) ??
      Promise.all(known.map(async (each) => withItemReads(each, { store, now, settings: settingsOf(each.account) }))),
    request.freshness?.(names) ?? freshnessOf(names, { store, config, now }),
    failingRecords(
      store,
      names.filter((name) => mayExpect(config, name)),
    ),
  ])
  return { accounts, fresh, failing }
}

/** The first records of each account that a rule fails on. */
async function failingRecords(store: OpenedStore, accounts: readonly string[]): Promise<readonly FailingRecords[]> {
  const query = { which: 'failing', after: null, most: MOST_FAILING } as const
  return await Promise.all(
    accounts.map(async (account) => ({ account, records: await store.expectedRecords(account, query) })),
  )
}

function mayExpect(config: Config | null, account: string): boolean {
  return (
    config === null || config.accounts.some(({ expectations, name }) => name === account && expectations !== undefined)
  )
}
