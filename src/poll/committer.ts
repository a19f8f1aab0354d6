import { ShipbellError } from '../errors.ts'
import type { EventDraft } from '../model/event.ts'
import type { RecordState } from '../model/record-state.ts'
import type { Subscription } from '../model/subscription.ts'
import { route } from '../route/route.ts'
import type { PollStore, ReadBatch } from '../store/ports.ts'

export interface CommitterOptions {
  readonly store: PollStore
  /** The subscriptions as of now; a reload may change them. */
  readonly subscriptions: () => readonly Subscription[]
  /** Called after a commit that wrote deliveries. */
  readonly onDeliveries: () => void
}

/** Another commit may slip in between reading a state and writing its successor; then the successor is derived again. */
const MOST_TRIES = 5

/** The only door from polling into the store: events are routed and everything one answer taught is committed at once. */
export class Committer {
  readonly store: PollStore
  readonly #options: CommitterOptions

  constructor(options: CommitterOptions) {
    this.store = options.store
    this.#options = options
  }

  /** Derives a batch from the store's present state and commits it; derived again when that state changed meanwhile. */
  async commit(derive: () => Promise<Omit<ReadBatch, 'deliveries'>>): Promise<readonly EventDraft[]> {
    for (let tries = 1; ; tries += 1) {
      const batch = await derive()
      const deliveries = route(batch.events, this.#options.subscriptions())
      try {
        await this.store.commit({ ...batch, deliveries })
      } catch (error) {
        if (isConflict(error) && tries < MOST_TRIES) continue
        throw error
      }
      if (deliveries.length > 0) this.#options.onDeliveries()
      return batch.events
    }
  }

  /** Commits an event about the account itself, together with what it changes of a list. */
  async commitAccountEvent(
    account: string,
    derive: (before: RecordState | null) => { readonly state: RecordState; readonly event: EventDraft },
    list?: ReadBatch['list'],
  ): Promise<void> {
    await this.commit(async () => {
      const before = (await this.store.records(account, 'account', [account])).get(account) ?? null
      const { state, event } = derive(before)
      const record = { state, fingerprint: null, expectedVersion: before?.version ?? null }
      return { account, records: [record], events: [event], ...(list === undefined ? {} : { list }) }
    })
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof ShipbellError && error.code === 'store_conflict'
}
