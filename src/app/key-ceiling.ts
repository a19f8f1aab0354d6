import type { AccountSettings } from '../model/account.ts'
import type { LearnedCeiling } from '../model/learned-ceiling.ts'
import { credentialKeyOf, keptOf } from '../poll/credential-key.ts'
import type { Store } from '../store/ports.ts'

/** The accounts that ask with the key of one of them, itself among them. */
export function tenantsOf(account: AccountSettings, accounts: readonly AccountSettings[]): readonly AccountSettings[] {
  return accounts.filter((each) => credentialKeyOf(each) === credentialKeyOf(account))
}

/**
 * What the key of `tenants` bears of its budget: the least that any of them has learnt. One that was learnt of another key, or
 * address, binds nobody. null: nothing is known against the whole budget.
 */
export async function keyCeiling(tenants: readonly AccountSettings[], store: Store): Promise<LearnedCeiling | null> {
  const ceilings = await Promise.all(
    tenants.map(async (tenant) => keptOf(credentialKeyOf(tenant), await store.ceiling(tenant.name))),
  )
  return ceilings.reduce(
    (least, ceiling) => (ceiling !== null && ceiling.fraction < (least?.fraction ?? 1) ? ceiling : least),
    null,
  )
}
