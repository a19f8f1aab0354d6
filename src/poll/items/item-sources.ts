import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../../clock.ts'
import type { AccountSettings } from '../../model/account.ts'
import type { RecordState } from '../../model/record-state.ts'
import type { ShipmentSummary } from '../../model/shipment.ts'
import type { ItemFacts } from '../../plan/target.ts'
import type { ListState } from '../../store/ports/list-port.ts'
import type { PollStore } from '../../store/ports/store.ts'
import type { TrackedPlace, TrackedSlice } from '../../store/ports/record-port.ts'
import { summaryOf } from '../ingest/record-facts.ts'
import { createdThroughShipbell, watchedPreparations } from './created-preparations.ts'
import { AFTER_CLOSED_MS, trackingFacts } from '../schedule/known-units.ts'

/** What is read item by item, because the platform has no list of it. */
export interface ItemSource {
  readonly watch: 'tracking' | 'order_preparations'
  /** For people: `3 <noun> not read`. */
  readonly noun: string
  /**
   * Whether items are removed: then each round, in which all are read once, is a pass, and its end is judged as that of a
   * list is (guarantee D6). Otherwise a 404 only shows nothing.
   */
  readonly hasRounds: boolean
  /** Items whose last read was sent before `readBefore`: those never read first, then the one that waited longest. */
  queue(readBefore: number, limit: number): Promise<readonly QueuedItem[]>
  /** The items that exist as far as was seen. */
  existing(): Promise<readonly RecordState[]>
  about(id: string, list: ListState): Promise<AboutItem>
  /** Whether every item of the baseline was read, without those given up. */
  isBaselineRead(isGivenUp: (id: string) => boolean): Promise<boolean>
}

export interface QueuedItem {
  readonly id: string
  /** When the last read was sent; null where there was none. */
  readonly lastSentAt: number | null
}

export interface AboutItem {
  /** Known at the baseline: its first read is silent (guarantee D1). */
  readonly isBaseline: boolean
  /** Whether what the item belongs to is removed: it rings nothing any more. */
  readonly isGone: boolean
  /** The shipment that the item belongs to, where it is known. */
  readonly shipment: ShipmentSummary | null
  /** What says how often the item changes; null where nothing is known of it. */
  readonly facts: ItemFacts | null
}

interface ItemSourceOptions {
  readonly account: AccountSettings
  readonly store: PollStore
  readonly clock: Clock
}

/** The tracking of every live shipment. */
export class TrackingItems implements ItemSource {
  readonly watch = 'tracking'
  readonly noun = "shipments' tracking"
  readonly hasRounds = false
  readonly #options: ItemSourceOptions

  constructor(options: ItemSourceOptions) {
    this.#options = options
  }

  async queue(readBefore: number, limit: number): Promise<readonly QueuedItem[]> {
    const { account, clock, store } = this.#options
    const now = clock.now()
    // A shipment that is closed meanwhile may be in two slices.
    const found = new Map<string, QueuedItem>()
    let after: TrackedPlace | null = null
    let neverRead = 0
    for (;;) {
      const query = { closedAfter: now - AFTER_CLOSED_MS, after, due: { readBefore, now, limit } }
      const slice: TrackedSlice = await store.trackedShipments(account.name, query)
      for (const { shipmentId: id, lastSentAt } of slice.shipments) found.set(id, { id, lastSentAt })
      after = slice.after
      neverRead += slice.shipments.filter(({ lastSentAt }) => lastSentAt === null).length
      if (after === null || neverRead >= limit) break
      await nextTurn()
    }
    return [...found.values()].sort(byLastRead).slice(0, limit)
  }

  async about(id: string, { passStartedAt }: ListState): Promise<AboutItem> {
    const { account, store } = this.#options
    const shipment = (await store.records(account.name, 'shipment', [id])).get(id)
    if (shipment === undefined) return { isBaseline: false, isGone: false, shipment: null, facts: null }
    const isKnown = shipment.atBaseline || (passStartedAt !== null && shipment.firstSeenAt < passStartedAt)
    return {
      isBaseline: isKnown,
      isGone: shipment.removedAt !== null,
      shipment: summaryOf(shipment),
      facts: trackingFacts(shipment),
    }
  }

  async existing(): Promise<readonly RecordState[]> {
    return []
  }

  /** Whether no live shipment that has its own baseline is left unread. */
  async isBaselineRead(isGivenUp: (id: string) => boolean): Promise<boolean> {
    const { account, store } = this.#options
    const shipments = await store.listState(account.name, 'shipment')
    if (shipments.baselinedAt === null) return false
    // Asked after every batch of a baseline. Until the next item is given up, the others do not matter.
    const next = await this.#unread(1)
    if (!next.every(isGivenUp)) return false
    return next.length === 0 || (await this.#unread(Number.MAX_SAFE_INTEGER)).every(isGivenUp)
  }

  async #unread(limit: number): Promise<readonly string[]> {
    const items = await this.queue(Number.MIN_SAFE_INTEGER, limit)
    return items.filter(({ lastSentAt }) => lastSentAt === null).map(({ id }) => id)
  }
}

/** Never read first. */
function byLastRead({ lastSentAt: one }: QueuedItem, { lastSentAt: other }: QueuedItem): number {
  if (one === null || other === null) return Number(other === null) - Number(one === null)
  return one - other
}

/** The order preparations whose references are configured, and those that were created through Shipbell. */
export class OrderPreparationItems implements ItemSource {
  readonly watch = 'order_preparations'
  readonly noun = 'order preparations'
  readonly hasRounds = true
  readonly #options: ItemSourceOptions

  constructor(options: ItemSourceOptions) {
    this.#options = options
  }

  async queue(readBefore: number, limit: number): Promise<readonly QueuedItem[]> {
    const { account, clock, store } = this.#options
    const now = clock.now()
    const references = await this.#references()
    const known = await store.known(account.name, 'order_preparation', references)
    return references
      .map((id) => ({ id, lastSentAt: known.get(id)?.lastRead.sentAt ?? null }))
      .filter(({ lastSentAt }) => lastSentAt === null || lastSentAt < readBefore || lastSentAt > now)
      .sort((left, right) => (left.lastSentAt ?? -1) - (right.lastSentAt ?? -1))
      .slice(0, limit)
  }

  /** One that is configured later, or was created, has no part in the baseline; one that failed then has. */
  async about(id: string, { baselinedAt }: ListState): Promise<AboutItem> {
    const { account, store } = this.#options
    const isCreated = (await createdThroughShipbell(store, account.name)).includes(id)
    const isUnread = async (): Promise<boolean> => {
      const { memory } = (await store.records(account.name, 'account', [account.name])).get(account.name) ?? {}
      return memory?.unreadAtBaseline?.order_preparations?.includes(id) === true
    }
    const target = { kind: 'item', resource: 'order_preparation', id } as const
    return {
      isBaseline: !isCreated && (baselinedAt === null || (await isUnread())),
      isGone: false,
      shipment: null,
      facts: { target, phase: null, endsAt: null },
    }
  }

  async existing(): Promise<readonly RecordState[]> {
    const { account, store } = this.#options
    const states = [...(await store.records(account.name, 'order_preparation', await this.#references())).values()]
    return states.filter(({ seen, removedAt }) => seen !== null && removedAt === null)
  }

  async isBaselineRead(isGivenUp: (id: string) => boolean): Promise<boolean> {
    const all = await this.queue(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
    return all.every(({ id, lastSentAt }) => lastSentAt !== null || isGivenUp(id))
  }

  async #references(): Promise<readonly string[]> {
    const { account, store } = this.#options
    const { references = [] } = account.watch.order_preparations ?? {}
    return watchedPreparations(store, { account: account.name, references })
  }
}
