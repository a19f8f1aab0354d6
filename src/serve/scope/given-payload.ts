import type { AccountSettings } from '../../model/account.ts'
import type { LoggedEvent } from '../../model/event.ts'
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts'
import type { Subscription } from '../../model/subscription.ts'
import { loggedPayloadBytes } from '../../model/payload.ts'
import { redact } from '../../redact.ts'
import { feedBody, feedShape, payloadGiven } from '../../report/feed.ts'
import type { SubscriptionStore } from './store-of-subscription.ts'

interface Given {
  readonly subscription: string
  /** How the subscription is configured; undefined: it is not. */
  readonly settings: Subscription | undefined
  readonly accounts: readonly AccountSettings[]
  readonly store: Pick<SubscriptionStore, 'feedPart' | 'positionOf'>
}

/**
 * The payloads of events as a subscription is given them, as JSON in UTF-8, with their numbers, in the order of the events. What travels
 * in headers beside a payload stands in it: it is shown whole. A body of its own is text, and null where it cannot be made.
 */
export async function givenPayloads(
  events: readonly LoggedEvent[],
  { accounts, settings, store, subscription }: Given,
): Promise<readonly Uint8Array[]> {
  const feed = events.length === 0 ? null : await store.feedPart({ subscription, after: 0, limit: 0 })
  const as = { shape: feedShape(settings), bodyOf: feedBody(settings, { accounts, shown: redact }) }
  const given = async (event: LoggedEvent): Promise<Uint8Array> => {
    // Nothing of the record is left.
    if (event.expiredAt !== null) return loggedPayloadBytes(event)
    const position = await store.positionOf(event)
    const place = feed === null || position === null ? null : { series: feed.series, position }
    return payloadGiven({ event, subscription, place }, as) ?? Buffer.from('null')
  }
  return await Promise.all(events.map(given))
}

/** The changes that a payload tells; null: it tells none. */
export function changesIn(payload: Json): JsonObject[] | null {
  if (!isJsonObject(payload)) return null
  const { data = null } = payload
  if (!isJsonObject(data)) return null
  const { changes } = data
  return Array.isArray(changes) ? changes.filter(isJsonObject) : null
}
