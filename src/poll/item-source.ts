import type { RecordState } from '../model/record-state.ts'
import type { ShipmentSummary } from '../model/shipment.ts'
import type { ItemFacts } from '../plan/target.ts'
import type { ListState } from '../store/list-state.ts'

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
  /** Whether every item that the baseline covers was read, but for those given up. */
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
  /** What it belongs to is removed: it rings nothing any more. */
  readonly isGone: boolean
  /** The shipment that the item belongs to, where it is known. */
  readonly shipment: ShipmentSummary | null
  /** What says how often it changes; null where nothing is known of it. */
  readonly facts: ItemFacts | null
}
