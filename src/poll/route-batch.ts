import type { DeliveryDraft } from '../model/delivery.ts'
import type { EventDraft } from '../model/event.ts'
import type { RecordState } from '../model/record-state.ts'
import type { NotifiedDate } from '../model/routing.ts'
import type { Subscription } from '../model/subscription.ts'
import { filterFailures } from '../route/filter-failures.ts'
import { NOTHING_ROUTED, route, routingQuery, type FilterFailure, type Routed } from '../route/route.ts'
import type { PollStore } from '../store/ports/store.ts'
import type { ReadBatch, RecordWrite } from '../store/ports/commit-port.ts'

/** What a commit teaches, before it is routed. What is left out stays as it was. */
export type News = Partial<Pick<ReadBatch, 'records' | 'events' | 'changes' | 'provenance'>>

interface Audience {
  readonly subscriptions: readonly Subscription[]
  readonly store: PollStore
}

/** Routes the events of a commit, and the events about filters that failed on them. */
export async function routeBatch(account: string, news: News, { subscriptions, store }: Audience): Promise<ReadBatch> {
  const { changes = [], events = [], records = [], provenance } = news
  const about = records.filter(({ state }) => state.resource === 'subscription')
  const router = new BatchRouter(subscriptions, store, about)
  const { dates } = await router.route(account, events)
  return {
    account,
    events: [...events, ...router.events],
    records: [...records.filter((record) => !about.includes(record)), ...router.records],
    deliveries: router.deliveries,
    dates,
    changes,
    ...(provenance === undefined ? {} : { provenance }),
  }
}

class BatchRouter {
  readonly deliveries: DeliveryDraft[] = []
  /** The events about filters that failed. */
  readonly events: EventDraft[] = []
  readonly #subscriptions: readonly Subscription[]
  readonly #store: PollStore
  /** The subscriptions' own records as the store has them (version) and as the batch leaves them: one chain of events for each. */
  readonly #before = new Map<string, number>()
  readonly #after = new Map<string, RecordState>()

  constructor(subscriptions: readonly Subscription[], store: PollStore, about: readonly RecordWrite[]) {
    this.#subscriptions = subscriptions
    this.#store = store
    for (const { state, expectedVersion } of about) {
      this.#after.set(state.id, state)
      if (expectedVersion !== null) this.#before.set(state.id, expectedVersion)
    }
  }

  get records(): readonly RecordWrite[] {
    return [...this.#after.values()].map((state) => ({
      state,
      contentHash: null,
      expectedVersion: this.#before.get(state.id) ?? null,
    }))
  }

  async route(account: string | null, events: readonly EventDraft[]): Promise<{ dates: readonly NotifiedDate[] }> {
    const query = routingQuery(events, this.#subscriptions)
    const state = query === null ? NOTHING_ROUTED : await this.#store.routingState(account, query)
    const { deliveries, dates, failures }: Routed = route(events, this.#subscriptions, state)
    this.deliveries.push(...deliveries)
    if (failures.length > 0) await this.#report(failures)
    return { dates }
  }

  /** An event about a failed filter may fail the filters of others in turn. This ends, because each filter rings once. */
  async #report(failures: readonly FilterFailure[]): Promise<void> {
    const names = [...new Set(failures.map(({ subscription }) => subscription))].filter(
      (name) => !this.#after.has(name),
    )
    const read = await this.#store.records(null, 'subscription', names)
    for (const [name, state] of read) this.#before.set(name, state.version)
    const rung = filterFailures(failures, new Map([...read, ...this.#after]))
    for (const state of rung.states) this.#after.set(state.id, state)
    this.events.push(...rung.events)
    if (rung.events.length > 0) await this.route(null, rung.events)
  }
}
