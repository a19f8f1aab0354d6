import type { LISTS } from '../model/resource.ts'
import type { AccountContext } from './account-context.ts'
import type { ChurnWatch } from './ingest/churn-watch.ts'
import type { AccountClient } from './requests/account-client.ts'
import type { ReadingPlan } from './schedule/reading-plan.ts'

/** What whoever asks the platform works with, and says what it read. */
export interface PollContext extends AccountContext {
  readonly accountClient: AccountClient
  readonly plan: ReadingPlan
}

/** What polling one list takes that is read page by page. */
export interface ListContext extends PollContext {
  readonly watch: (typeof LISTS)[number]
  readonly churn: ChurnWatch
}
