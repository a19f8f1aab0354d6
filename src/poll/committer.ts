import type { Clock } from '../clock.ts'
import { ShipbellError } from '../errors.ts'
import { NO_ACCOUNT } from '../model/account.ts'
import type { ServiceEvent } from '../model/service-event.ts'
import type { EventDraft } from '../model/event.ts'
import type { RecordState } from '../model/record-state.ts'
import type { Provenance } from '../model/provenance.ts'
import type { Subscription } from '../model/subscription.ts'
import type { PollStore, ReadBatch } from '../store/ports.ts'
import { routeBatch, type Unrouted } from './route-batch.ts'

export interface CommitterOptions {
  readonly store: PollStore
  readonly clock: Pick<Clock, 'now'>
  /** The subscriptions as of now; a reload may change them. */
  readonly subscriptions: () => readonly Subscription[]
  /** Called after a commit that wrote deliveries. */
  readonly onDeliveries: () => void
}

export interface AccountCommit {
  readonly account: string
  readonly derive: (before: RecordState | null) => ServiceEvent | null
  readonly list?: ReadBatch['list']
  readonly provenance: Provenance
}

/** Another commit may slip in between reading a state and writing its successor; then the successor is derived again. */
const MOST_TRIES = 5

/** The only door into the store for whoever rings: events are routed and everything one answer taught is committed at once. */
export class Committer {
  readonly store: PollStore
  readonly #options: CommitterOptions
  /** One after the other: a list's pass and the calendar write the same records, also without a new version. */
  #turn: Promise<unknown> = Promise.resolve()

  constructor(options: CommitterOptions) {
    this.store = options.store
    this.#options = options
  }

  /** Derives a batch from the store's present state and commits it; derived again when that state changed meanwhile. */
  async commit(derive: () => Promise<Unrouted>): Promise<readonly EventDraft[]> {
    const turn = this.#turn.then(async () => this.#commit(derive))
    this.#turn = turn.catch(() => undefined)
    return turn
  }

  async #commit(derive: () => Promise<Unrouted>): Promise<readonly EventDraft[]> {
    for (let tries = 1; ; tries += 1) {
      const batch = await derive()
      const routed = await routeBatch(batch, this.#options.subscriptions(), this.store)
      try {
        await this.store.commit({ ...routed, storedAt: this.#options.clock.now() })
      } catch (error) {
        if (isConflict(error) && tries < MOST_TRIES) continue
        throw error
      }
      if (routed.deliveries.length > 0) this.#options.onDeliveries()
      return batch.events
    }
  }

  /** Commits an event about the account itself, together with what it changes of a list; nothing where `derive` returns null. */
  async commitAccountEvent({ account, derive, list, provenance }: AccountCommit): Promise<void> {
    await this.commit(async () => {
      const before = (await this.store.records(account, 'account', [account])).get(account) ?? null
      const rung = derive(before)
      if (rung === null) return { account, records: [], events: [] }
      const { state, event } = rung
      const record = { state, contentHash: null, expectedVersion: before?.version ?? null }
      return { account, records: [record], events: [event], provenance, ...(list === undefined ? {} : { list }) }
    })
  }

  /** Commits an event about a subscription's endpoint; nothing where `derive` returns null. Resolves to the event. */
  async commitEndpointEvent(
    subscription: string,
    derive: (before: RecordState | null) => ServiceEvent | null,
  ): Promise<EventDraft | null> {
    const [event] = await this.commit(async () => {
      const before = (await this.store.records(null, 'subscription', [subscription])).get(subscription) ?? null
      const rung = derive(before)
      if (rung === null) return { account: NO_ACCOUNT, records: [], events: [] }
      const record = { state: rung.state, contentHash: null, expectedVersion: before?.version ?? null }
      return { account: NO_ACCOUNT, records: [record], events: [rung.event] }
    })
    return event ?? null
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof ShipbellError && error.code === 'store_conflict'
}
