import type { AccountPause } from '../model/account-pause.ts'

/** How long an account's platform is left alone (contract section 3.9). */
export interface PauseStore {
  /** What the account's last batch that told of a pause said; null where there is none. */
  pause(account: string): Promise<AccountPause | null>
}
