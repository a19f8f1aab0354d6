import type { PhaseSpan } from '../model/phase.ts'

/** Which shipments' tracking is to be read, oldest read first. */
export interface TrackingStore {
  /**
   * Shipments whose tracking is read: neither closed nor closed before `closedAfter`; never-read ones first, then by the age
   * of the last read. `readBefore` leaves out those whose last read was sent at or after it.
   */
  trackingQueue(account: string, query: TrackingQuery): Promise<readonly TrackingItem[]>

  /** The same shipments, those whose tracking was read, with what says how often it changes; in the order of their reads. */
  trackedShipments(account: string, closedAfter: number): Promise<readonly TrackedShipment[]>
}

interface TrackingQuery {
  readonly closedAfter: number
  readonly readBefore: number
  /** Reads that seem to lie after it come from before a clock was set back: those items are due. */
  readonly now: number
  readonly limit: number
}

export interface TrackingItem {
  readonly shipmentId: string
  /** When the last read was sent; null where there was none. */
  readonly lastSentAt: number | null
}

export interface TrackedShipment {
  readonly shipmentId: string
  readonly lastSentAt: number
  readonly closedAt: number | null
  /** null: not known. */
  readonly phase: PhaseSpan | null
}
