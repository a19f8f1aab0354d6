import type { LoggedEvent } from '../../model/event.ts'
import { isJsonObject, type JsonObject } from '../../model/json.ts'
import { withoutOmitted } from '../../model/omit.ts'
import { payloadBytes } from '../../model/payload.ts'
import { feedShape } from '../../report/feed.ts'
import type { Subscription } from '../../model/subscription.ts'

/** The payload of an event as a subscription is given it. What travels in headers beside it stands in it: it is shown whole. */
export function givenPayload(event: LoggedEvent, subscription: Subscription | undefined): JsonObject {
  const shape = feedShape(subscription)
  const payload: unknown = JSON.parse(payloadBytes(withoutOmitted(event, shape.omit), shape).bytes.toString())
  if (!isPayload(payload)) return {}
  return event.expiredAt === null ? payload : { ...payload, expired: true }
}

function isPayload(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The changes that a payload tells; null: it tells none. */
export function changesIn({ data }: JsonObject): JsonObject[] | null {
  if (!isJsonObject(data)) return null
  const { changes } = data
  return Array.isArray(changes) ? changes.filter(isPayload) : null
}
