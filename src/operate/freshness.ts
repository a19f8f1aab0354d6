import type { Config } from '../config/config.ts'
import { RECORD_OF } from '../model/resource.ts'
import { delayOfGaps } from '../plan/forecast.ts'
import type { Freshness } from '../report/freshness.ts'
import type { Store } from '../store/ports/store.ts'
import { planAccount } from './account-plan.ts'
import { UnitsByAccount } from './account-units.ts'
import { seenChanges } from './replay-account.ts'

export interface FreshnessOptions {
  readonly store: Store
  /** The configuration; null: it cannot be read, a secret that is not set for example. */
  readonly config: Config | null
  readonly now: number
  /** Called between small steps. Left out: nobody waits. */
  readonly letOthers?: () => Promise<void>
}

const LOOKED_BACK_MS = 7 * 86_400_000
/** The most events that are looked at, within some milliseconds; they tell as much as all of a busy week. */
const MOST_EVENTS = 1_000

/**
 * The freshness of accounts that the store knows, in their order. A change may have happened at any time between the two reads
 * that bound it.
 */
export async function freshnessOf(names: readonly string[], options: FreshnessOptions): Promise<readonly Freshness[]> {
  const units = new UnitsByAccount(options)
  const found: Freshness[] = []
  for (const name of names) {
    found.push(await accountFreshness(name, options, units))
    await options.letOthers?.()
  }
  return found
}

async function accountFreshness(name: string, options: FreshnessOptions, units: UnitsByAccount): Promise<Freshness> {
  const { config, now, store } = options
  const seen = await seenChanges(store, name, { since: now - LOOKED_BACK_MS, most: MOST_EVENTS })
  await options.letOthers?.()
  const account = config?.accounts.find((each) => each.name === name)
  const plan =
    account === undefined || config === null
      ? null
      : await planAccount(account, { accounts: config.accounts, store, now, units })
  const expected = new Map(plan?.resources.map(({ delay, watch }) => [RECORD_OF[watch], delay]))
  const resources = Object.values(RECORD_OF).flatMap((resource) => {
    const gaps = seen
      .filter((change) => change.resource === resource)
      .map(({ notAfter, notBefore }) => ({ gapMs: notAfter - notBefore, changes: 1 }))
    const delays = { expected: expected.get(resource) ?? null, achieved: delayOfGaps(gaps) }
    return delays.expected === null && gaps.length === 0 ? [] : [{ resource, ...delays, changes: gaps.length }]
  })
  // As the account last learnt it where the configuration does not say what it asks with.
  const ceiling = plan === null ? (await store.restraint(name, { since: now, now })).ceiling : plan.ceiling
  return { account: name, ceiling, resources, ...(plan && { fits: plan.fits }) }
}
