import type { Clock } from '../../clock.ts'
import type { Logger } from '../../log.ts'
import type { AccountSettings } from '../../model/account.ts'
import type { Status } from '../../report/status.ts'
import type { AdminActions, DeskStore } from '../admin-context.ts'
import type { JsonObject } from '../../model/json.ts'
import type { MadeSubscription } from '../api/subscribe-for.ts'
import type { AskedWrongly, RuntimeActions } from '../runtime-actions.ts'

/** What is done with callbacks of agents. */
export interface Callbacks extends Pick<RuntimeActions, 'unsubscribe'> {
  /** The hosts that may be named, as the file has them. */
  readonly hosts: readonly string[]
  readonly subscribe: (keys: JsonObject) => Promise<AskedWrongly | MadeSubscription>
}

/** What may be done by tools. */
export interface ToolActions extends Pick<AdminActions, 'acknowledge' | 'retry'> {
  /** Who says something of an exception. */
  readonly by: string
  /** Makes and ends subscriptions at run time; null: the file names no hosts for them, or nobody tends them here. */
  readonly callbacks: Callbacks | null
}

/** What tools see and do on behalf of whoever asks: what a token lets see, or all of a store that a process has opened. */
export interface ToolDesk {
  readonly clock: Clock
  readonly log: Logger
  readonly version: string
  readonly store: DeskStore
  readonly accounts: () => readonly Pick<AccountSettings, 'name' | 'timeZone'>[]
  /** Where the desk is reached; null: nobody said. */
  readonly publicUrl: () => string | null
  /** The JSON Schema of the configuration. */
  readonly configSchema: () => object
  readonly status: () => Promise<Status>
  /** Null: whoever asks may only look. */
  readonly actions: ToolActions | null
}
