import type { DeliveryDraft } from '../model/delivery.ts'
import type { EventDraft } from '../model/event.ts'
import type { Subscription } from '../model/subscription.ts'
import { matchesPatterns } from './event-pattern.ts'

/** One delivery for every pair of an event and a subscription that wants it, in the order of the events. */
export function route(events: readonly EventDraft[], subscriptions: readonly Subscription[]): readonly DeliveryDraft[] {
  return events.flatMap((event) =>
    subscriptions
      .filter((subscription) => wants(subscription, event))
      .map((subscription) => ({ eventId: event.id, subscription: subscription.name })),
  )
}

function wants(subscription: Subscription, event: EventDraft): boolean {
  const hears =
    event.account === null || subscription.accounts === null || subscription.accounts.includes(event.account)
  return hears && matchesPatterns(subscription.events, event.type)
}
