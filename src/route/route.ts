import type { DeliveryDraft } from '../model/delivery.ts'
import type { EventDraft } from '../model/event.ts'
import type { Subscription } from '../model/subscription.ts'
import { hearsAsAlert, hearsByName } from './hears.ts'

/** One delivery for every pair of an event and a subscription that wants it, in the order of the events. */
export function route(events: readonly EventDraft[], subscriptions: readonly Subscription[]): readonly DeliveryDraft[] {
  return events.flatMap((event) =>
    subscriptions
      .filter((subscription) => hearsByName(subscription, event) || hearsAsAlert(subscription, event))
      .map((subscription) => ({ eventId: event.id, subscription: subscription.name })),
  )
}
