/** Every matching (event, subscription) pair has exactly one row with one of these states (guarantee S5). */
export const DELIVERY_STATES = ['pending', 'delivered', 'exhausted', 'held', 'discarded'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** A delivery to create: the store makes it `pending`, or `held` where the endpoint is disabled. */
export interface DeliveryDraft {
  readonly eventId: string
  readonly subscription: string
  /** With `min_shift`, the date that was sent last, where that is not what the date changed from. Left out: it is. */
  readonly lastTold?: number
}

/** One attempt to deliver, as the ledger keeps it. */
export interface Attempt {
  readonly at: number
  readonly durationMs: number
  /** The status of the answer: HTTP's, or of a mail its SMTP reply code; null where none arrived. */
  readonly status: number | null
  /** Why the attempt failed, in one sentence; null on success. */
  readonly error: string | null
  /** The beginning of the answer's body, redacted; null where none arrived. */
  readonly answer: string | null
}

/** A row of the ledger. */
export interface Delivery {
  readonly id: string
  readonly eventId: string
  readonly type: string
  readonly account: string | null
  readonly subscription: string
  /** The number of the row among those of its subscription; null: it has none, as tests. */
  readonly position: number | null
  readonly state: DeliveryState
  readonly attempts: number
  /** Id of the row whose turn comes first, with `order: subject`; null: none. */
  readonly waitsFor: string | null
  /** When the next attempt is due; null unless pending. */
  readonly nextAttemptAt: number | null
  readonly lastStatus: number | null
  readonly lastError: string | null
  /** When the payload of the delivery's event expired, so that it cannot be sent again; null: not yet. */
  readonly payloadExpiredAt: number | null
}
