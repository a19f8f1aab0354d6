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

  /**
   * Claims the watermark of a subscription that is due at most once in `everyMs`, whoever asks. None is due of an endpoint that is shut, or
   * fails. Instants are those of the wall clock; of a store that several processes share, of its own.
   */
  claimWatermark(claim: WatermarkClaim): Promise<ClaimedWatermark>
}

export interface FeedQuery {
  readonly subscription: string
  /** The number behind which it begins. */
  readonly after: number
  readonly limit: number
}

export interface FeedPart {
  readonly series: string
  /** Every row up to this number has ended, as far as was found out. */
  readonly endedTo: number
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
  /** Null: open rows stay so, and it is only found out how far all have ended. */
  readonly ending: FeedEnding | null
  readonly at: number
  /** How many rows are looked at. */
  readonly most: number
}

export interface WatermarkClaim {
  readonly subscription: string
  readonly everyMs: number
  readonly now: number
}

export interface ClaimedWatermark {
  readonly isDue: boolean
  /** After how long it is worth while to ask again. */
  readonly waitMs: number
}

export interface EndedFeed {
  readonly ended: number
  readonly isDone: boolean
}
