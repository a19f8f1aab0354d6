import type { ShipbellEvent } from './types.js'

export type * from './types.js'

/** Names in lower case, as Node has them, or `Headers`. */
export type HeadersLike =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined; readonly get?: never }

/** As it came: parsed and printed again it fits no signature. */
export type Body = string | Uint8Array | ArrayBuffer

/** What came was not signed with one of the secrets, or not lately. */
export declare class SignatureError extends Error {
  readonly name: 'SignatureError'
  readonly reason: 'missing_header' | 'malformed' | 'expired' | 'no_match'
  constructor(reason: SignatureError['reason'], message: string)
}

/**
 * Resolves to the event that was sent; throws a `SignatureError` where it was not signed with one of the secrets
 * (`whsec_…`, or the public key `whpk_…`) within `toleranceSeconds` (300) of now.
 */
export declare function verify(
  headers: HeadersLike,
  body: Body,
  secrets: string | readonly string[],
  options?: { readonly toleranceSeconds?: number },
): Promise<ShipbellEvent>

/** The headers of a request that verifies; `timestamp` in seconds. A `whsec_…` secret signs v1, a `whsk_…` key v1a. */
export declare function sign(
  secret: string,
  message: { readonly id: string; readonly timestamp: number; readonly body: Body },
): Promise<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>>

/** One row of a subscription's feed: `GET /api/v1/subscriptions/NAME/feed`. */
export interface FeedItem {
  readonly position: number
  readonly event_id: string
  readonly state: string
  /** The event as this subscription gets it; null where it was discarded or has expired. */
  readonly payload: unknown
}

/** A page of the feed. What is below `first` is no longer kept, nor is what is missing on a page that says its `after`. */
export interface FeedPage {
  /** What it was asked with: no answer has it, put it in. */
  readonly after?: number
  readonly series: string
  readonly items: readonly FeedItem[]
  readonly first: number | null
  readonly next: number | null
  readonly head: number
}

/** Which rows of one subscription came, told by what came alone. It keeps ranges, not positions. */
export interface Completeness {
  /**
   * Takes what came, in any order and as often as it comes: an event or watermark that `verify` gave, an item of the feed
   * or a page of it. What has no position, such as a test, is left alone.
   */
  seen(item: ShipbellEvent | FeedItem | FeedPage): void
  /**
   * The ranges of positions, both ends included, that should have come and never did: from the one behind `after`, else
   * from the first seen, up to the `complete_through` of the newest watermark. The feed has them.
   */
  missing(): [from: number, to: number][]
  /** Whether another series began since it was last asked: the positions of the one before mean nothing any more. */
  restarted(): boolean
  /** What to keep: parsed again it is the `state` that goes on from here. */
  toJSON(): CompletenessState
}

/** What `toJSON` gives. */
export interface CompletenessState {
  readonly version: 1
}

/**
 * Tells gaps among the positions of one subscription, without I/O and clock. With `after` (0: of everything) a series that
 * begins anew is looked at from its beginning. `state` (what was kept as JSON) goes on where it was, whatever `after` says;
 * throws a `TypeError` where it is damaged.
 */
export declare function completeness(options?: { readonly after?: number; readonly state?: unknown }): Completeness
