import type { PhaseSpan } from '../../model/phase.ts'
import type { Read, RecordState } from '../../model/record-state.ts'
import type { RecordResource, SubjectResource } from '../../model/resource.ts'

/** What is known of records. Each method only reads; what is learnt of them is committed (`CommitStore`). */
export interface RecordStore {
  /** Content hash and last read of those of `ids` that are known; cheap, reads no body. */
  known(account: string, resource: RecordResource, ids: readonly string[]): Promise<ReadonlyMap<string, KnownRecord>>

  /** Whole states of those of `ids` that are known. The account of a subscription is null. */
  records(
    account: string | null,
    resource: SubjectResource,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, RecordState>>

  /**
   * A slice of the shipments whose tracking is read, with what says how often it changes: neither closed nor closed before
   * `closedAfter`. With `due`, of each slice the first that are due are shown: never-read ones first, then by the age of the last
   * read.
   */
  trackedShipments(account: string, query: TrackedQuery): Promise<TrackedSlice>

  readonly calendar: CalendarStore
  readonly settling: SettleStore
}

/** What is known of a record without its content. */
export interface KnownRecord {
  /** The hash of what the last read showed; null: it showed nothing, or the record was stored without one. */
  readonly contentHash: string | null
  /** The ETag of the last answer, where the record is read by its id. */
  readonly etag: string | null
  readonly lastRead: Read
  readonly removed: boolean
  /** Reads in a row that should have shown the record and did not; 0 where it is removed. */
  readonly misses: number
}

export interface TrackedQuery {
  readonly closedAfter: number
  /** `after` of the slice before; null: the first. */
  readonly after: TrackedPlace | null
  /** Which of them are to be read; left out: all are shown. */
  readonly due?: DueTracking
}

interface DueTracking {
  /** Shipments whose last read was sent at or after it are left out. */
  readonly readBefore: number
  /** Reads that seem to lie after it come from before a clock was set back: those items are due. */
  readonly now: number
  /** How many of a slice are shown at most. */
  readonly limit: number
}

export interface TrackedSlice {
  readonly shipments: readonly TrackedShipment[]
  /** Where the next slice begins; null: none follows. */
  readonly after: TrackedPlace | null
}

/** The last shipment of a slice. */
export interface TrackedPlace {
  readonly shipmentId: string
  readonly closedAt: number | null
}

export interface TrackedShipment {
  readonly shipmentId: string
  /** When the last request for its tracking was sent; null where it was never read. */
  readonly lastSentAt: number | null
  readonly closedAt: number | null
  /** The phase of the shipment; null: not known. */
  readonly phase: PhaseSpan | null
}

/** Instants in a range that records wait for: all, unless a bound is given. */
export interface DueQuery {
  readonly after?: number
  readonly until?: number
  /** How many records at most. */
  readonly most?: number
}

export interface DueRecord {
  readonly resource: RecordResource
  readonly id: string
  /** What the record waits for. */
  readonly at: number
}

/** The edges of the calendar: what is due at an instant of it, without reading bodies. */
export interface CalendarStore {
  /** Records whose `nextEdgeAt` is in a range, earliest first; removed ones are left out. */
  due(account: string, query: DueQuery): Promise<readonly DueRecord[]>

  /**
   * Stores the settings that the calendar goes by. Where they differ from the last time, every invoice and shipment becomes due
   * for a look: its edges may lie elsewhere now. Idempotent; returns whether they differed.
   */
  configure(account: string, settings: string): Promise<boolean>
}

/** Records with estimates that wait to ring (guarantee K6, `settle`), found without reading bodies. */
interface SettleStore {
  /**
   * Those whose first estimate has waited for long enough at an instant in a range, earliest first. Removed ones are left out, and
   * the tracking of removed shipments, which rings nothing (guarantee D4).
   */
  due(account: string, query: DueQuery): Promise<readonly DueRecord[]>
}
