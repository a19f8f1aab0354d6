import { previewParcel, tellsAsOne } from '../deliver/channels/channel-kinds.ts'
import type { Preview } from '../deliver/channels/preview.ts'
import type { Parcel } from '../deliver/parcels.ts'
import type { ShipbellEvent } from '../model/event.ts'
import type { TemplateFailure } from '../model/message-template.ts'
import type { Subscription } from '../model/subscription.ts'
import { heardTypes } from '../route/heard-types.ts'
import type { ClaimedDelivery } from '../store/ports.ts'

export interface PreviewedMessage extends Preview {
  /** Of the events that it tells, each once. */
  readonly types: readonly string[]
  /** Templates that gave way to the built-in message. */
  readonly failures: readonly TemplateFailure[]
}

/** Every type of event that can be previewed: what the subscription hears, and tests of it. */
export function previewableTypes(subscription: Subscription): readonly string[] {
  return [...new Set<string>([...heardTypes(subscription), 'shipbell.test'])]
}

/** What a subscription would be sent of these events: one message for each, or one of all where all is told as one. */
export function previewSubscription(
  subscription: Subscription,
  events: readonly ShipbellEvent[],
): readonly PreviewedMessage[] {
  return parcelsOf(subscription, events).map((parcel) => {
    const failures: TemplateFailure[] = []
    const preview = previewParcel(subscription.channel, parcel, { templateFailed: (failure) => failures.push(failure) })
    return { ...preview, types: [...new Set(parcel.map(({ event }) => event.type))], failures }
  })
}

function parcelsOf(subscription: Subscription, events: readonly ShipbellEvent[]): readonly Parcel[] {
  const { channel, name } = subscription
  const rows = events.map((event): ClaimedDelivery => ({
    id: 'preview',
    subscription: name,
    attempts: 0,
    dueAt: event.timestamp,
    rangAt: event.timestamp,
    event,
  }))
  const [first, ...rest] = rows
  if (first === undefined) return []
  return tellsAsOne(channel) ? [[first, ...rest]] : rows.map((row) => [row])
}
