import type { DeliveryDraft } from '../model/delivery.ts'
import type { EventDraft } from '../model/event.ts'
import { EXCEPTION_TYPES } from '../model/exception-types.ts'
import type { NewReminder } from '../model/reminder.ts'
import type { Subscription } from '../model/subscription.ts'

/** Which subscriptions are sent an event that opens an exception, and are to be told of that again. */
export function remindersOf(
  events: readonly EventDraft[],
  deliveries: readonly DeliveryDraft[],
  subscriptions: readonly Subscription[],
): readonly NewReminder[] {
  const opening = new Map(
    events.filter(({ type }) => EXCEPTION_TYPES[type] !== undefined).map((each) => [each.id, each]),
  )
  if (opening.size === 0) return []
  const reminded = new Map(
    subscriptions.flatMap(({ name, remind }) => (remind == null ? [] : [[name, remind] as const])),
  )
  if (reminded.size === 0) return []
  return deliveries.flatMap(({ eventId, subscription }) => {
    const [event, remind] = [opening.get(eventId), reminded.get(subscription)]
    if (event === undefined || remind?.of.includes(event.type) !== true) return []
    return [{ eventId, subscription, dueAt: event.timestamp + remind.everyMs }]
  })
}
