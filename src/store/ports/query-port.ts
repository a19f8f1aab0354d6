import type { AccountRestraint } from '../../model/account-limits.ts'
import type { Attempt, Delivery, DeliveryState } from '../../model/delivery.ts'
import type { EndpointFacts } from '../../model/endpoint.ts'
import type { EventStory } from '../../model/event-rule.ts'
import type { LoggedEvent } from '../../model/event.ts'
import type { HeldList } from '../../model/hold.ts'
import type { RecordState } from '../../model/record-state.ts'
import type { RecordResource } from '../../model/resource.ts'
import type { RuntimeDisabling } from '../../model/runtime-subscription.ts'
import type { KnownList, ListState } from './list-port.ts'

export interface QueryStore {
  event(id: string): Promise<LoggedEvent | null>
  /** What explains an event; null where there is no such event. */
  story(id: string): Promise<EventStory | null>
  /** The deliveries of `ids` that there are, newest event first. */
  deliveries(ids: readonly string[]): Promise<readonly Delivery[]>
  /** The attempts of a delivery in the order they were made. */
  attempts(deliveryId: string): Promise<readonly Attempt[]>
  accounts(now: number): Promise<readonly AccountOverview[]>
  /** But for those that were made at run time and ended. */
  endpoints(): Promise<readonly EndpointOverview[]>
  /** Rows, tests left out, that were put off until after `now` without an attempt: they wait to be sent together. Of all subscriptions, or of one. */
  deferredRows(now: number, subscription?: string): Promise<number>
  /** Removals that are not believed and that nobody rejected, by account and resource. */
  holds(): Promise<readonly HeldList[]>
  /**
   * The changes of events that rang since: one for each read of a record that showed any, in the order in which they were seen.
   * Left out are changes without a read before them, and those that took several reads (removals). Of more than `most` events of
   * the account only the newest are looked at.
   */
  changesSeen(account: string, query: SeenQuery): Promise<readonly SeenChange[]>
}

export interface SeenQuery {
  readonly since: number
  readonly most: number
}

export interface SeenChange {
  readonly resource: RecordResource
  readonly id: string
  /** When the last read with the old value was sent, and the first answer with the new one had arrived. */
  readonly notBefore: number
  readonly notAfter: number
  /** The page that the record is on now; null: on none. */
  readonly skip: number | null
}

export interface AccountOverview extends AccountRestraint {
  readonly account: string
  readonly lists: readonly ListOverview[]
  readonly lastSequence: number
  /** Requests sent in the last hour, and what the budget allows in one; null where none was sent. */
  readonly budgetUse: { readonly requests: number; readonly budgetPerHour: number } | null
  /** The account's own record: its health; null before the first failure or baseline. */
  readonly record: RecordState | null
}

export interface ListOverview extends ListState, Pick<KnownList, 'audit'> {
  readonly resource: RecordResource
  readonly records: number
  /** When the least and the most recently read record's last answer arrived. */
  readonly oldestReadAt: number | null
  readonly newestReadAt: number | null
}

export interface EndpointOverview extends Omit<EndpointFacts, 'held'> {
  readonly configured: boolean
  /** Whether the file enables it. */
  readonly enabled: boolean
  /** Tests are in none. */
  readonly counts: Readonly<Record<DeliveryState, number>>
  /** When the oldest event that is pending rang. */
  readonly oldestPendingAt: number | null
  /** Whether nothing is sent: its rows wait to be taken from its feed. */
  readonly isPulled: boolean
  /** The newest number of its rows; 0: none has one. */
  readonly position: number
  /** How it was made at run time; null: a file names it, or did. */
  readonly runtime: RuntimeFacts | null
}

/** What is known of a subscription that was made at run time beside how its endpoint fares. */
interface RuntimeFacts {
  /** The narrower token that made it; null: one that may do everything. */
  readonly owner: string | null
  /** The keys that are no secret, as JSON. */
  readonly settings: string
  readonly madeAt: number
  readonly renewedAt: number
  /** When a test was first answered at its address; null: none was yet. */
  readonly verifiedAt: number | null
  readonly disabled: (RuntimeDisabling & { readonly at: number }) | null
}
