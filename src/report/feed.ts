import { type AccountSettings, zoneOfAccount } from '../model/account.ts'
import type { DeliveryState } from '../model/delivery.ts'
import { withoutOmitted } from '../model/omit.ts'
import { type PayloadShape, type ShownDelivery, subscriberPayload, withBodyOfItsOwn } from '../model/payload.ts'
import { bodyOf } from '../model/request-body.ts'
import type { Subscription } from '../model/subscription.ts'
import type { FeedItem, FeedPart, FeedStore } from '../store/ports/feed-port.ts'

/** Rows that are read at once: few enough that the largest payloads of all of them fit into memory. */
const AT_ONCE = 25
const MOST_BYTES = 8_000_000
/** What an entry takes beside its payload, at most. */
const BESIDE_BYTES = 256

const FULL: PayloadShape = { payload: 'full', format: 'standard' }

export interface FeedAsked {
  readonly subscription: string
  readonly after: number
  readonly limit: number
  readonly shape: PayloadShape
  /** What the subscription is sent in place of payloads, null where that cannot be made; left out or null: payloads. */
  readonly bodyOf?: ((delivery: ShownDelivery) => string | null) | null
}

/** A page of a feed. */
export interface Feed extends Omit<FeedPart, 'items' | 'endedTo'> {
  readonly items: readonly FeedEntry[]
  /** The `after` of the next page; null: nothing follows. */
  readonly next: number | null
}

export interface FeedEntry {
  readonly position: number
  readonly eventId: string
  readonly type: string
  readonly state: DeliveryState
  /** The payload as JSON in UTF-8, as the subscription gets it; null: it has expired, was discarded, or is a body that cannot be made. */
  readonly payload: Uint8Array | null
}

/** How a subscription gets its payloads, as a feed shows them; as most do where nothing is known of it. */
export function feedShape(subscription: Pick<Subscription, 'channel'> | undefined): PayloadShape {
  if (subscription === undefined) return FULL
  const { channel } = subscription
  if ('format' in channel) return withBodyOfItsOwn(channel)
  return channel.omit === undefined ? FULL : { ...FULL, omit: channel.omit }
}

/**
 * What a subscription is sent in place of payloads, as a feed shows it: `shown` takes secrets of its template out. Null: it is sent
 * payloads.
 */
export function feedBody(
  subscription: Pick<Subscription, 'channel'> | undefined,
  { accounts, shown }: FeedSurroundings,
): NonNullable<FeedAsked['bodyOf']> | null {
  const channel = subscription?.channel
  if (channel === undefined || !('body' in channel) || channel.body === undefined) return null
  const { body, hidden } = channel
  return (delivery) => {
    const made = bodyOf(body, delivery, zoneOfAccount(delivery.event.account, accounts))
    return made.kind === 'body' ? shown(made.text, hidden) : null
  }
}

interface FeedSurroundings {
  readonly accounts: readonly Pick<AccountSettings, 'name' | 'timeZone'>[]
  /** A text without these secrets. */
  readonly shown: (text: string, secrets: readonly string[]) => string
}

/** The position that digits name; one that is too large for any is beyond all. */
export function positionOf(digits: string): number {
  return Math.min(Number(digits), Number.MAX_SAFE_INTEGER)
}

/** A page of a feed, which ends early where it becomes too large; null where the subscription is unknown. */
export async function readFeed(store: Pick<FeedStore, 'feedPart'>, asked: FeedAsked): Promise<Feed | null> {
  const { limit, subscription } = asked
  const items: FeedEntry[] = []
  let bytes = 0
  for (let after = asked.after; ;) {
    const most = Math.min(AT_ONCE, limit - items.length)
    const part = await store.feedPart({ subscription, after, limit: most })
    if (part === null) return null
    for (const item of part.items) {
      const entry = entryOf(item, { ...asked, series: part.series })
      bytes += (entry.payload?.length ?? 0) + BESIDE_BYTES
      if (bytes > MOST_BYTES && items.length > 0) return pageOf(part, items)
      items.push(entry)
      after = item.position
    }
    if (part.items.length < most || items.length >= limit) return pageOf(part, items)
  }
}

function entryOf(
  { event, position, state }: FeedItem,
  { bodyOf: textOf = null, series, shape, subscription }: FeedAsked & Pick<FeedPart, 'series'>,
): FeedEntry {
  const isGone = state === 'discarded' || event.expiredAt !== null
  const { id: eventId, type } = event
  const entry = { position, eventId, type, state }
  if (isGone) return { ...entry, payload: null }
  return {
    ...entry,
    payload: payloadGiven({ event, subscription, place: { series, position } }, { shape, bodyOf: textOf }),
  }
}

/** What a subscription gets of a delivery, as JSON in UTF-8, a body of its own as text; null: that cannot be made. */
export function payloadGiven(
  { event, ...where }: ShownDelivery,
  { bodyOf: textOf = null, shape }: Pick<FeedAsked, 'bodyOf' | 'shape'>,
): Uint8Array | null {
  const delivery = { ...where, event: withoutOmitted(event, shape.omit) }
  if (textOf === null) return subscriberPayload(delivery, shape).bytes
  const text = textOf(delivery)
  return text === null ? null : Buffer.from(JSON.stringify(text))
}

function pageOf({ first, head, series }: FeedPart, items: readonly FeedEntry[]): Feed {
  const last = items.at(-1)?.position ?? head
  return { series, items, first, next: last < head ? last : null, head }
}

/** A page as JSON in UTF-8: payloads are put in as they are. */
export function feedBytes({ first, head, items, next, series }: Feed): Buffer<ArrayBuffer> {
  const parts = items.flatMap(({ eventId, payload, position, state }, nth) => {
    const before = JSON.stringify({ position, event_id: eventId, state }).slice(0, -1)
    return [Buffer.from(`${nth === 0 ? '' : ','}${before},"payload":`), payload ?? NULL, CLOSE]
  })
  const ends = JSON.stringify({ first, next, head }).slice(1)
  return Buffer.concat([
    Buffer.from(`{"series":${JSON.stringify(series)},"items":[`),
    ...parts,
    Buffer.from(`],${ends}`),
  ])
}

const NULL = Buffer.from('null')
const CLOSE = Buffer.from('}')
