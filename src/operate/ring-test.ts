import { ShipbellError } from '../errors.ts'
import { NO_ACCOUNT } from '../model/account.ts'
import { keptForFeed, type Subscription } from '../model/subscription.ts'
import type { EventDraft } from '../model/event.ts'
import { route } from '../route/route.ts'
import { testEvent } from '../route/test-event.ts'
import type { PollStore } from '../store/ports/store.ts'
import type { LogQueryStore } from '../store/ports/log-query-port.ts'

export interface TestRing {
  /** The one that is tested. */
  readonly name: string
  readonly subscriptions: readonly Subscription[]
  readonly at: number
}

export interface RungTest {
  readonly event: EventDraft
  /** How many rows the event has. */
  readonly deliveries: number
  /** The id of the row that is the test. */
  readonly row: string
}

/**
 * Rings `shipbell.test`, the next event about a subscription, with a row for it whatever its `events`, and for others that match
 * this type by name.
 */
export async function ringTest(store: PollStore & LogQueryStore, ring: TestRing): Promise<RungTest> {
  const rung = await ringEvent(store, ring)
  const [row] = (await store.deliveryPage({ eventId: rung.event.id, subscription: ring.name, limit: 1 })).items
  if (row === undefined) throw new ShipbellError('internal', `The test of ${ring.name} has no row.`)
  return { ...rung, row: row.id }
}

async function ringEvent(store: PollStore, { name, subscriptions, at }: TestRing): Promise<Omit<RungTest, 'row'>> {
  for (;;) {
    const before = (await store.records(null, 'subscription', [name])).get(name) ?? null
    const { event, state } = testEvent({ subscription: name, state: before, at })
    const others = subscriptions.filter((each) => each.name !== name && keptForFeed(each.channel) === null)
    const deliveries = [{ eventId: event.id, subscription: name }, ...route([event], others).deliveries]
    try {
      await store.commit({
        account: NO_ACCOUNT,
        records: [{ state, contentHash: null, before }],
        events: [event],
        deliveries,
        dates: [],
        changes: [],
      })
      return { event, deliveries: deliveries.length }
    } catch (error) {
      // Another test of it rang in between: this one comes after it.
      if (!(error instanceof ShipbellError && error.code === 'store_conflict')) throw error
    }
  }
}
