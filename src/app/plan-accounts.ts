import { existsSync } from 'node:fs'
import type { Config } from '../config/config.ts'
import { openStore } from '../store/sqlite/open-store.ts'
import { UnitsByAccount } from './account-units.ts'
import { planAccount, type AccountPlan } from './account-plan.ts'

export interface PlanRequest {
  /** Left out: all accounts. */
  readonly account?: string
  /** See `PlanOptions.suppose`. */
  readonly suppose?: number
  readonly now: number
}

/** The plans of what is configured, by what its store knows; where there is none yet, by the configuration alone. */
export async function planAccounts(config: Config, request: PlanRequest): Promise<readonly AccountPlan[]> {
  const { accounts, storage } = config
  const { account, now, suppose } = request
  await using store = existsSync(storage.path) ? openStore({ path: storage.path, readonly: true }) : null
  const units = new UnitsByAccount(store, now)
  const options = { accounts, store, now, units, ...(suppose === undefined ? {} : { suppose }) }
  const plans: AccountPlan[] = []
  for (const each of accounts) {
    if (account === undefined || each.name === account) plans.push(await planAccount(each, options))
  }
  return plans
}
