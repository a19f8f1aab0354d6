import type { AccountPause, LearnedCeiling, Spending } from '../model/account-limits.ts'
import type { RequestCount } from './request-count.ts'

/** How long an account's platform is left alone (contract section 3.9), and how much is asked of it otherwise. */
export interface PauseStore {
  /** What the account's last batch that told of a pause said; null where there is none. */
  pause(account: string): Promise<AccountPause | null>

  /** What of its budget the account's key bears, as its last batch that told of it said; null: all, as far as is known. */
  ceiling(account: string): Promise<LearnedCeiling | null>

  /** Counts requests that are about to be sent: those that are under way when the process dies have been, too. */
  countRequests(account: string, count: RequestCount): Promise<void>

  /**
   * What was counted of its requests in the minutes that lie, if only partly, between two instants, earliest first: as if
   * all were sent at the end of their minute, or at `now`.
   */
  spent(account: string, span: { readonly since: number; readonly now: number }): Promise<readonly Spending[]>
}
