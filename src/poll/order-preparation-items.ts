import type { AccountSettings } from '../model/account.ts'
import { mostBelieved, recognisedAfter } from '../plan/removal.ts'
import type { PollStore } from '../store/ports.ts'
import type { AboutItem, ItemSource, QueuedItem, WatchStart } from './item-source.ts'

export interface OrderPreparationItemsOptions {
  readonly account: AccountSettings
  readonly store: PollStore
}

const LISTED = ['shipment', 'invoice', 'document', 'purchase_order', 'location'] as const

/** The order preparations whose references are configured. */
export class OrderPreparationItems implements ItemSource {
  readonly watch = 'order_preparations'
  readonly noun = 'order preparations'
  readonly #options: OrderPreparationItemsOptions

  constructor(options: OrderPreparationItemsOptions) {
    this.#options = options
  }

  async queue(readBefore: number, limit: number): Promise<readonly QueuedItem[]> {
    const { account, store } = this.#options
    const references = account.watch.order_preparations?.references ?? []
    const known = await store.known(account.name, 'order_preparation', references)
    return references
      .map((id) => ({ id, lastSentAt: known.get(id)?.lastRead.sentAt ?? null }))
      .filter(({ lastSentAt }) => lastSentAt === null || lastSentAt < readBefore)
      .sort((left, right) => (left.lastSentAt ?? -1) - (right.lastSentAt ?? -1))
      .slice(0, limit)
  }

  /** One that is configured later has no part in the baseline. */
  async about(_id: string, { baselinedAt }: WatchStart): Promise<AboutItem> {
    return { isBaseline: baselinedAt === null, isGone: false, shipment: null }
  }

  /** Not while a list of the account is held, nor when more are missing than a pass over a list may take away. */
  async believesAbsence(): Promise<boolean> {
    const { account, store } = this.#options
    const holds = await Promise.all(LISTED.map(async (resource) => store.hold(account.name, resource)))
    if (holds.some((hold) => hold !== null && hold.verdict !== 'accept')) return false
    const references = account.watch.order_preparations?.references ?? []
    const states = [...(await store.records(account.name, 'order_preparation', references)).values()]
    const known = states.filter(({ seen, removedAt }) => seen !== null && removedAt === null)
    const missing = known.filter(({ memory }) => memory.lastShown !== undefined).length
    return missing <= mostBelieved(known.length) && known.length - missing >= recognisedAfter(known.length)
  }

  async isBaselineRead(isGivenUp: (id: string) => boolean): Promise<boolean> {
    const all = await this.queue(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
    return all.every(({ id, lastSentAt }) => lastSentAt !== null || isGivenUp(id))
  }
}
