import type { AccountSettings } from '../model/account.ts'
import { RequestWindow } from '../plan/request-window.ts'
import { interfaceFields } from '../platform/interface-fields.ts'
import { AccountPoller, type AccountPollerOptions } from '../poll/account-poller.ts'
import type { FleetMember } from './account-fleet.ts'
import { connectPlatform } from './connect-platform.ts'

export type AccountSurroundings = Pick<
  AccountPollerOptions,
  'committer' | 'clock' | 'log' | 'random' | 'progress' | 'patience'
>

/** Opens accounts for polling. What one spent of its budget counts when it is opened again with other settings. */
export function accountOpener(surroundings: AccountSurroundings): (account: AccountSettings) => FleetMember {
  const windows = new Map<string, RequestWindow>()
  return (account) => {
    const window = windows.get(account.name)?.under(account.budget) ?? new RequestWindow(account.budget)
    windows.set(account.name, window)
    const platform = connectPlatform(surroundings, account)
    const poller = new AccountPoller({ ...surroundings, account, window, platform, fields: interfaceFields() })
    return { poller, [Symbol.asyncDispose]: async () => platform[Symbol.asyncDispose]() }
  }
}
