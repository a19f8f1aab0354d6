import { ShipbellError } from '../errors.ts'
import { NO_ACCOUNT } from '../model/account.ts'
import type { Subscription } from '../model/subscription.ts'
import { route } from '../route/route.ts'
import { testEvent } from '../route/test-event.ts'
import type { PollStore } from '../store/ports.ts'
import type { LogQueryStore } from '../store/log-query-port.ts'

export interface TestRing {
  /** The one that is tested. */
  readonly name: string
  readonly subscriptions: readonly Subscription[]
  readonly at: number
}

export interface RungTest {
  /** Ids of the event, and of the row that is the test. */
  readonly event: string
  readonly row: string
}

/**
 * Rings `shipbell.test`, the next event about a subscription, with a row for it whatever its `events`, and for others that match
 * this type by name.
 */
export async function ringTest(store: PollStore & LogQueryStore, ring: TestRing): Promise<RungTest> {
  const event = await ringEvent(store, ring)
  const [row] = (await store.deliveryPage({ eventId: event, subscription: ring.name, limit: 1 })).items
  if (row === undefined) throw new ShipbellError('internal', `The test of ${ring.name} has no row.`)
  return { event, row: row.id }
}

/** Resolves to its id. */
async function ringEvent(store: PollStore, { name, subscriptions, at }: TestRing): Promise<string> {
  for (;;) {
    const before = (await store.records(null, 'subscription', [name])).get(name) ?? null
    const { event, state } = testEvent({ subscription: name, state: before, at })
    const others = subscriptions.filter((each) => each.name !== name)
    try {
      await store.commit({
        account: NO_ACCOUNT,
        records: [{ state, contentHash: null, expectedVersion: before?.version ?? null }],
        events: [event],
        deliveries: [{ eventId: event.id, subscription: name }, ...route([event], others).deliveries],
        dates: [],
        changes: [],
      })
      return event.id
    } catch (error) {
      // Another test of it rang in between: this one comes after it.
      if (!(error instanceof ShipbellError && error.code === 'store_conflict')) throw error
    }
  }
}
