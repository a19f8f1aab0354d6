import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import type { AccountSettings } from '../model/account.ts'
import type { FieldTree } from '../model/field-tree.ts'
import type { RecordResource, Watchable } from '../model/resource.ts'
import type { Platform } from '../platform/platform.ts'
import type { Committer } from './committer.ts'
import type { CreatedWatch } from './items/created-preparations.ts'

/** A wall clock may be set, so no sleep is trusted for longer. */
export const LONGEST_SLEEP_MS = 30_000
/** How long a loop sleeps for which nothing waits: whatever makes something wait wakes it, and no clock matters to it. */
export const IDLE_SLEEP_MS = 3_600_000

/** What everything that polls one account works with. */
export interface AccountContext {
  readonly account: AccountSettings
  readonly platform: Platform
  readonly committer: Committer
  /** The clock of the account. Its calendar has reached what both this machine's clock and the platform's have. */
  readonly clock: Clock
  readonly random: () => number
  readonly log: Logger
  readonly progress: Progress
  /** What the interface names of each resource. */
  readonly fields: Readonly<Record<RecordResource, FieldTree>>
  /** Where the admin interface is reached, as configured now; left out: nowhere. */
  readonly publicUrl?: () => string | null
  /** Notices what commands create; left out: one of its own. */
  readonly created?: CreatedWatch
  /** How long a loop that waits for an instant sleeps at most; left out: `LONGEST_SLEEP_MS`. */
  readonly longestSleepMs?: number
}

/** How far a baseline is: `total` is null while it cannot be known. The baseline is over when `done` reaches it. */
export interface BaselineProgress {
  readonly account: string
  readonly watch: Watchable
  readonly done: number
  readonly total: number | null
}

export type Progress = (progress: BaselineProgress) => void
