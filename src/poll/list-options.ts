import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import type { AccountSettings } from '../model/account.ts'
import type { FieldTree } from '../model/field-tree.ts'
import type { LISTS, RecordResource } from '../model/resource.ts'
import type { Platform } from '../platform/platform.ts'
import type { ChurnWatch } from './churn-watch.ts'
import type { Committer } from './committer.ts'
import type { AccountClient } from './account-client.ts'
import type { Progress } from './progress.ts'
import type { ReadingPlan } from './reading-plan.ts'

/** What has a list that is read page by page, as named under `watch`. */
type ListedWatch = (typeof LISTS)[number]

/** What a pass over a list, and the judgement of what it missed, work with. */
export interface ListOptions {
  readonly account: AccountSettings
  readonly watch: ListedWatch
  readonly platform: Platform
  readonly accountClient: AccountClient
  readonly committer: Committer
  readonly clock: Clock
  readonly log: Logger
  readonly progress: Progress
  readonly churn: ChurnWatch
  readonly plan: ReadingPlan
  /** What the interface names. */
  readonly fields: Readonly<Record<RecordResource, FieldTree>>
}
