import type { Store } from '../app.ts'
import type { Attempt, Delivery } from '../model/delivery.ts'
import type { EventStory } from '../model/event-story.ts'

/** What explains an event, and who was told of it. */
export interface EventTrace {
  readonly story: EventStory
  readonly deliveries: readonly TracedDelivery[]
}

export interface TracedDelivery {
  readonly delivery: Delivery
  readonly attempts: readonly Attempt[]
}

const EVERY_ROW = 2 ** 31 - 1

/** null where there is no such event. */
export async function eventTrace(store: Store, id: string): Promise<EventTrace | null> {
  const story = await store.story(id)
  if (story === null) return null
  const rows = await store.deliveries({ id, limit: EVERY_ROW })
  const deliveries = rows.map(async (delivery) => ({ delivery, attempts: await store.attempts(delivery.id) }))
  return { story, deliveries: await Promise.all(deliveries) }
}
