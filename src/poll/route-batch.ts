import type { DeliveryDraft } from '../model/delivery.ts'
import type { EventDraft } from '../model/event.ts'
import type { RecordState } from '../model/record-state.ts'
import type { NotifiedDate } from '../model/routing.ts'
import type { Subscription } from '../model/subscription.ts'
import { filterFailures } from '../route/filter-failures.ts'
import { NOTHING_ROUTED, route, type FilterFailure, type Routed } from '../route/route.ts'
import { routingQuery } from '../route/routing-query.ts'
import type { PollStore, ReadBatch, RecordWrite } from '../store/ports.ts'

/** A batch whose events nobody hears yet. */
export type Unrouted = Omit<ReadBatch, 'deliveries' | 'dates'>

/** Routes the events of a batch, and those that tell of filters which failed on them. */
export async function routeBatch(
  batch: Unrouted,
  subscriptions: readonly Subscription[],
  store: PollStore,
): Promise<ReadBatch> {
  const router = new BatchRouter(subscriptions, store)
  const { dates } = await router.route(batch.account, batch.events)
  return {
    ...batch,
    events: [...batch.events, ...router.events],
    records: [...batch.records, ...router.records],
    deliveries: router.deliveries,
    dates,
  }
}

class BatchRouter {
  readonly deliveries: DeliveryDraft[] = []
  /** Of subscriptions whose filter failed. */
  readonly events: EventDraft[] = []
  readonly #subscriptions: readonly Subscription[]
  readonly #store: PollStore
  readonly #before = new Map<string, RecordState>()
  readonly #after = new Map<string, RecordState>()

  constructor(subscriptions: readonly Subscription[], store: PollStore) {
    this.#subscriptions = subscriptions
    this.#store = store
  }

  get records(): readonly RecordWrite[] {
    return [...this.#after.values()].map((state) => ({
      state,
      fingerprint: null,
      expectedVersion: this.#before.get(state.id)?.version ?? null,
    }))
  }

  async route(account: string | null, events: readonly EventDraft[]): Promise<{ dates: readonly NotifiedDate[] }> {
    const query = routingQuery(events, this.#subscriptions)
    const state = query === null ? NOTHING_ROUTED : await this.#store.routingState(account, query)
    const { deliveries, dates, failures }: Routed = route(events, this.#subscriptions, state)
    this.deliveries.push(...deliveries)
    if (failures.length > 0) await this.#tell(failures)
    return { dates }
  }

  /** Ends: what a failure rings may fail the filters of others, but each filter rings once. */
  async #tell(failures: readonly FilterFailure[]): Promise<void> {
    const names = [...new Set(failures.map(({ subscription }) => subscription))].filter(
      (name) => !this.#after.has(name),
    )
    const read = await this.#store.records(null, 'subscription', names)
    for (const [name, state] of read) this.#before.set(name, state)
    const rung = filterFailures(failures, new Map([...this.#before, ...this.#after]))
    for (const state of rung.states) this.#after.set(state.id, state)
    this.events.push(...rung.events)
    if (rung.events.length > 0) await this.route(null, rung.events)
  }
}
