import type { Store } from '../app.ts'
import type { Attempt, Delivery } from '../model/delivery.ts'
import type { EventStory } from '../model/event-story.ts'

/** What explains an event, and who was told of it. */
export interface ToldStory {
  readonly story: EventStory
  readonly told: readonly Told[]
}

export interface Told {
  readonly delivery: Delivery
  readonly attempts: readonly Attempt[]
}

const EVERY_ROW = 2 ** 31 - 1

/** null where there is no such event. */
export async function toldStory(store: Store, id: string): Promise<ToldStory | null> {
  const story = await store.story(id)
  if (story === null) return null
  const deliveries = await store.deliveries({ id, limit: EVERY_ROW })
  const told = deliveries.map(async (delivery) => ({ delivery, attempts: await store.attempts(delivery.id) }))
  return { story, told: await Promise.all(told) }
}
