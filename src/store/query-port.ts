import type { Attempt, Delivery, DeliveryState } from '../model/delivery.ts'
import type { EventStory } from '../model/event-rule.ts'
import type { LoggedEvent } from '../model/event.ts'
import type { HeldList } from '../model/hold.ts'
import type { HistoryStore } from './history-port.ts'
import type { AccountOverview, EndpointOverview } from './overviews.ts'

export interface QueryStore extends HistoryStore {
  /** Newest first; `limit` rows. */
  events(filter: EventFilter): Promise<readonly LoggedEvent[]>
  event(id: string): Promise<LoggedEvent | null>
  /** What explains an event; null where there is no such event. */
  story(id: string): Promise<EventStory | null>
  /** Newest first. */
  deliveries(filter: DeliveryFilter): Promise<readonly Delivery[]>
  /** In the order they were made. */
  attempts(deliveryId: string): Promise<readonly Attempt[]>
  accounts(now: number): Promise<readonly AccountOverview[]>
  endpoints(): Promise<readonly EndpointOverview[]>
  /** Rows, tests left out, that were put off until after `now` without an attempt: they wait to be told together. */
  deferredRows(now: number): Promise<number>
  /** Removals that are not believed and that nobody rejected, by account and resource. */
  holds(): Promise<readonly HeldList[]>
}

export interface EventFilter {
  readonly account?: string
  /** Exact types. */
  readonly types?: readonly string[]
  readonly subjectId?: string
  /** Rang at or after. */
  readonly since?: number
  readonly limit: number
}

export interface DeliveryFilter {
  /** A delivery's id, or an event's (all its rows). */
  readonly id?: string
  /** Exactly these deliveries. */
  readonly ids?: readonly string[]
  readonly subscription?: string
  readonly states?: readonly DeliveryState[]
  /** The event rang at or after. */
  readonly since?: number
  /** `false` leaves out those of test events, which nobody misses. */
  readonly tests?: boolean
  readonly limit: number
}
