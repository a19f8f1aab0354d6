import type { Clock } from '../clock.ts'
import type { AccountSettings } from '../model/account.ts'
import type { RecordState } from '../model/record-state.ts'
import type { ListState } from '../store/list-state.ts'
import type { PollStore } from '../store/ports.ts'
import type { AboutItem, ItemSource, QueuedItem } from './item-source.ts'

export interface OrderPreparationItemsOptions {
  readonly account: AccountSettings
  readonly store: PollStore
  readonly clock: Clock
}

/** The order preparations whose references are configured. */
export class OrderPreparationItems implements ItemSource {
  readonly watch = 'order_preparations'
  readonly noun = 'order preparations'
  readonly hasRounds = true
  readonly #options: OrderPreparationItemsOptions

  constructor(options: OrderPreparationItemsOptions) {
    this.#options = options
  }

  async queue(readBefore: number, limit: number): Promise<readonly QueuedItem[]> {
    const { account, clock, store } = this.#options
    const now = clock.now()
    const references = account.watch.order_preparations?.references ?? []
    const known = await store.known(account.name, 'order_preparation', references)
    return references
      .map((id) => ({ id, lastSentAt: known.get(id)?.lastRead.sentAt ?? null }))
      .filter(({ lastSentAt }) => lastSentAt === null || lastSentAt < readBefore || lastSentAt > now)
      .sort((left, right) => (left.lastSentAt ?? -1) - (right.lastSentAt ?? -1))
      .slice(0, limit)
  }

  /** One that is configured later has no part in the baseline. */
  async about(id: string, { baselinedAt }: ListState): Promise<AboutItem> {
    const target = { kind: 'item', resource: 'order_preparation', id } as const
    return {
      isBaseline: baselinedAt === null,
      isGone: false,
      shipment: null,
      facts: { target, phase: null, endsAt: null },
    }
  }

  async existing(): Promise<readonly RecordState[]> {
    const { account, store } = this.#options
    const references = account.watch.order_preparations?.references ?? []
    const states = [...(await store.records(account.name, 'order_preparation', references)).values()]
    return states.filter(({ seen, removedAt }) => seen !== null && removedAt === null)
  }

  async isBaselineRead(isGivenUp: (id: string) => boolean): Promise<boolean> {
    const all = await this.queue(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
    return all.every(({ id, lastSentAt }) => lastSentAt !== null || isGivenUp(id))
  }
}
