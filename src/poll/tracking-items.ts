import type { Clock } from '../clock.ts'
import type { AccountSettings } from '../model/account.ts'
import type { RecordState } from '../model/record-state.ts'
import { summariseShipment } from '../model/shipment.ts'
import type { ListState } from '../store/list-state.ts'
import type { PollStore } from '../store/ports.ts'
import { AFTER_CLOSED_MS, trackingFacts } from './tracking-facts.ts'
import type { AboutItem, ItemSource, QueuedItem } from './item-source.ts'

export interface TrackingItemsOptions {
  readonly account: AccountSettings
  readonly store: PollStore
  readonly clock: Clock
}

/** The tracking of every live shipment. */
export class TrackingItems implements ItemSource {
  readonly watch = 'tracking'
  readonly noun = "shipments' tracking"
  readonly hasRounds = false
  readonly #options: TrackingItemsOptions

  constructor(options: TrackingItemsOptions) {
    this.#options = options
  }

  async queue(readBefore: number, limit: number): Promise<readonly QueuedItem[]> {
    const { account, clock, store } = this.#options
    const now = clock.now()
    const query = { closedAfter: now - AFTER_CLOSED_MS, readBefore, now, limit }
    const items = await store.trackingQueue(account.name, query)
    return items.map(({ shipmentId, lastSentAt }) => ({ id: shipmentId, lastSentAt }))
  }

  async about(id: string, { passStartedAt }: ListState): Promise<AboutItem> {
    const { account, store } = this.#options
    const shipment = (await store.records(account.name, 'shipment', [id])).get(id)
    if (shipment === undefined) return { isBaseline: false, isGone: false, shipment: null, facts: null }
    const isKnown = shipment.atBaseline || (passStartedAt !== null && shipment.firstSeenAt < passStartedAt)
    return {
      isBaseline: isKnown,
      isGone: shipment.removedAt !== null,
      shipment: shipment.seen === null ? null : summariseShipment(id, shipment.seen),
      facts: trackingFacts(shipment),
    }
  }

  async existing(): Promise<readonly RecordState[]> {
    return []
  }

  /** No live shipment that has its own baseline is left unread. */
  async isBaselineRead(isGivenUp: (id: string) => boolean): Promise<boolean> {
    const { account, store } = this.#options
    const shipments = await store.listState(account.name, 'shipment')
    if (shipments.baselinedAt === null) return false
    // Asked after every batch of a baseline: not until the next one is given up do the others matter.
    const next = await this.#unread(1)
    if (!next.every(isGivenUp)) return false
    return next.length === 0 || (await this.#unread(Number.MAX_SAFE_INTEGER)).every(isGivenUp)
  }

  async #unread(limit: number): Promise<readonly string[]> {
    const items = await this.queue(Number.MIN_SAFE_INTEGER, limit)
    return items.filter(({ lastSentAt }) => lastSentAt === null).map(({ id }) => id)
  }
}
