import type { Clock } from '../clock.ts'
import type { Config } from '../config/config.ts'
import { watchedIn, type AccountSettings } from '../model/account.ts'
import type { LearnedCeiling } from '../model/account-limits.ts'
import { isListed, LISTS, RECORD_OF } from '../model/resource.ts'
import { AUDIT_SHARE } from '../plan/audit-share.ts'
import { forecast, neededFor, smallestBudget, type ResourceForecast } from '../plan/forecast.ts'
import { KeyBudget } from '../plan/key-budget.ts'
import { credentialKeyOf, keptOf } from '../poll/requests/tenant.ts'
import { covers, fairShare } from '../plan/refresh-targets.ts'
import type { AccountPlan } from '../report/plan.ts'
import type { Store } from '../store/ports/store.ts'
import { UnitsByAccount } from './account-units.ts'
import { openIfMade } from './open-storage.ts'
import { replayAccount } from './replay-account.ts'

export interface PlanOptions {
  /** All that are configured: some may share a key. */
  readonly accounts: readonly AccountSettings[]
  /** The store; null: nothing was read yet. */
  readonly store: Store | null
  readonly now: number
  /** By the same store and instant; shared by the plans that are made together. */
  readonly units: UnitsByAccount
  /** What if the budgets of the key were so many requests, each for its own `per`; left out: as they are. */
  readonly suppose?: number
}

const HOUR_MS = 3_600_000

/** What an account reads how often with its budget, and whether that keeps its refresh targets. */
export async function planAccount(account: AccountSettings, options: PlanOptions): Promise<AccountPlan> {
  const { now, store, suppose } = options
  const tenants = tenantsOf(account, options.accounts)
  const ceiling = store === null || suppose !== undefined ? null : await keyCeiling(tenants, store, now)
  const record = (await store?.records(account.name, 'account', [account.name]))?.get(account.name)
  const refused = record?.memory.refused ?? {}
  const { known, past, units } = await options.units.of(account)
  const part = { needed: neededFor(units), others: await neededByOthers(account, tenants, options.units) }
  const allowedOf = (budget: Parameters<typeof rateOf>[1]): number =>
    fairShare({ ...part, total: rateOf(tenants, budget) })
  const allowed = allowedOf({ suppose, fraction: ceiling?.fraction ?? 1 })
  const { needed, requests, resources, stretch } = forecast(units, allowed)
  const fits = covers(allowed, needed)
  const auditable = rateOf(tenants, { suppose, fraction: ceiling?.fraction ?? 1 }) / tenants.length
  const lack = fits ? 1 : needed / allowed
  const replay =
    store === null || suppose === undefined
      ? null
      : await replayAccount(account, {
          store,
          now,
          units: past,
          asIs: allowedOf({ fraction: 1 }),
          supposed: allowed,
        })
  return {
    account: account.name,
    budget: suppose === undefined ? account.budget : { ...account.budget, requests: suppose },
    tenants: tenants.length,
    ceiling,
    isKnown: known.size > 0,
    resources: watchedIn(account.watch).map(([watch, { everyMs, weight = 1 }]) => {
      const resource = RECORD_OF[watch]
      const foreseen = resources.find((each) => each.resource === resource)
      return {
        watch,
        each: isListed(resource) ? ('page' as const) : ('item' as const),
        isKnown: known.has(resource),
        refused: refused[watch]?.reason ?? null,
        weight,
        everyMs,
        keptEveryMs: everyMs * stretch,
        bearableEveryMs: everyMs * lack,
        ...readingOf(foreseen),
      }
    }),
    allowedPerHour: allowed * HOUR_MS,
    requestsPerHour: requests * HOUR_MS,
    neededPerHour: needed * HOUR_MS,
    auditedPerHour: fits && isAudited(account) ? AUDIT_SHARE * auditable * HOUR_MS : 0,
    fits,
    smallestBudget: smallestBudget(needed, (each) => allowedOf({ suppose: each, fraction: 1 })),
    replay,
  }
}

/** Whether lists are compared with fetches by id: what has no list is not. */
function isAudited({ audit = false, watch }: AccountSettings): boolean {
  return audit && LISTS.some((name) => watch[name] !== undefined)
}

function readingOf(foreseen: ResourceForecast | undefined) {
  if (foreseen === undefined)
    return { requests: 0, requestsPerHour: 0, targetPerHour: 0, readEveryMs: null, delay: null }
  const { announcedReads, delay, endReads, targetReads, reads, units } = foreseen
  return {
    requests: units,
    requestsPerHour: (reads + announcedReads + endReads) * HOUR_MS,
    targetPerHour: (targetReads + endReads) * HOUR_MS,
    readEveryMs: units / (reads + announcedReads),
    delay,
  }
}

/** What the refresh targets of the accounts with the same key take. */
async function neededByOthers(
  account: AccountSettings,
  tenants: readonly AccountSettings[],
  units: UnitsByAccount,
): Promise<readonly number[]> {
  const others = tenants.filter(({ name }) => name !== account.name)
  return Promise.all(others.map(async (other) => neededFor((await units.of(other)).units)))
}

/** Requests in a millisecond that the accounts of a key may send. */
function rateOf(
  tenants: readonly AccountSettings[],
  { fraction, suppose }: { readonly fraction: number; readonly suppose?: number | undefined },
): number {
  const budgets = tenants.map(({ budget }) => (suppose === undefined ? budget : { ...budget, requests: suppose }))
  const key = new KeyBudget(budgets)
  key.limit(fraction, 0)
  return key.flow.requests / key.flow.perMs
}

/** The accounts that ask with the key of one of them, itself among them. */
export function tenantsOf(account: AccountSettings, accounts: readonly AccountSettings[]): readonly AccountSettings[] {
  return accounts.filter((each) => credentialKeyOf(each) === credentialKeyOf(account))
}

/**
 * What the key of `tenants` bears of its budget: the least that any of them has learnt. One that was learnt of another key, or
 * address, binds nobody. null: nothing is known against the whole budget.
 */
async function keyCeiling(
  tenants: readonly AccountSettings[],
  store: Store,
  now: number,
): Promise<LearnedCeiling | null> {
  const ceilings = await Promise.all(
    tenants.map(async (tenant) =>
      keptOf(credentialKeyOf(tenant), (await store.restraint(tenant.name, { since: now, now })).ceiling),
    ),
  )
  return ceilings.reduce(
    (least, ceiling) => (ceiling !== null && ceiling.fraction < (least?.fraction ?? 1) ? ceiling : least),
    null,
  )
}

export interface PlanRequest {
  /** The account that is planned for; left out: all. */
  readonly account?: string
  /** See `PlanOptions.suppose`. */
  readonly suppose?: number
  readonly now: number
  /** Called between small steps. Left out: nobody waits. */
  readonly letOthers?: (() => Promise<void>) | undefined
}

/** The plans of what is configured, by what its store knows; where there is none yet, by the configuration alone. */
export async function planConfigured(
  config: Config,
  { clock, ...request }: Omit<PlanRequest, 'now'> & { readonly clock: Clock },
): Promise<readonly AccountPlan[]> {
  const { accounts, storage } = config
  await using store = await openIfMade(storage, { access: 'read', clock })
  return await planAccounts(accounts, store, { ...request, now: clock.now() })
}

/** The plans of these accounts, by what a store knows; null: nothing yet. */
export async function planAccounts(
  accounts: readonly AccountSettings[],
  store: Store | null,
  { account, letOthers, now, suppose }: PlanRequest,
): Promise<readonly AccountPlan[]> {
  const units = new UnitsByAccount({ store, now, letOthers })
  const options = { accounts, store, now, units, ...(suppose === undefined ? {} : { suppose }) }
  const plans: AccountPlan[] = []
  for (const each of accounts) {
    if (account === undefined || each.name === account) plans.push(await planAccount(each, options))
    await letOthers?.()
  }
  return plans
}
