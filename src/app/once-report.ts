import type { OncePass } from '../poll/account-poller.ts'

/** What one full pass came to. */
export interface OnceReport {
  readonly passes: readonly (OncePass & { readonly account: string })[]
  /** Ledger rows that are pending, held or exhausted; a test is none, nor is what waits for a digest. */
  readonly undelivered: number
  /** Rows that wait for the hour of their digest. */
  readonly waiting: number
}
