import type { AccountSettings } from '../../model/account.ts'
import { credentialKeyOf } from '../../poll/requests/tenant.ts'
import type { Unit } from '../../store/ports/worker-port.ts'

/** What is done once for the whole store: rows are settled, what is kept long enough is dropped. */
export const HOUSEKEEPING = 'housekeeping'

/** Accounts of one key share its budget, and go together. */
export function unitOf(account: Pick<AccountSettings, 'baseUrl' | 'apiKey'>): string {
  return `key:${credentialKeyOf(account)}`
}

export function unitsOf(accounts: readonly AccountSettings[]): readonly Unit[] {
  return [...Map.groupBy(accounts, unitOf)].map(([unit, members]) => ({
    unit,
    accounts: members.map(({ name }) => name),
  }))
}
