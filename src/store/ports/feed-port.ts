import type { FeedEnding } from '../../ledger/feeds.ts'
import type { DeliveryState } from '../../model/delivery.ts'
import type { LoggedEvent } from '../../model/event.ts'

/** What a subscription is to receive, in the order of its numbers. */
export interface FeedStore {
  /** A part of a feed, oldest first; null where the subscription is unknown. */
  feedPart(query: FeedQuery): Promise<FeedPart | null>

  /**
   * Ends open rows of a feed from the oldest on, as `ending` has it; some at a time: call it until it is done. What is taken is delivered, what
   * was kept too long is exhausted.
   */
  endFeed(ending: EndingFeed): Promise<EndedFeed>
}

export interface FeedQuery {
  readonly subscription: string
  /** The number behind which it begins. */
  readonly after: number
  readonly limit: number
}

export interface FeedPart {
  readonly series: string
  /** The oldest number that is kept; null: none is. */
  readonly first: number | null
  /** The newest number that was given; 0: none was. */
  readonly head: number
  readonly items: readonly FeedItem[]
}

export interface FeedItem {
  readonly position: number
  readonly state: DeliveryState
  readonly event: LoggedEvent
}

export interface EndingFeed {
  readonly subscription: string
  readonly ending: FeedEnding
  readonly at: number
  /** How many rows are looked at. */
  readonly most: number
}

export interface EndedFeed {
  readonly ended: number
  readonly isDone: boolean
}
