import type { DeliveryDraft } from '../model/delivery.ts'
import type { EventDraft } from '../model/event.ts'
import type { Hold, HoldVerdict } from '../model/hold.ts'
import type { LearntNews } from '../model/learnt.ts'
import type { PhaseSpan } from '../model/phase.ts'
import type { Provenance } from '../model/provenance.ts'
import type { Read, RecordState } from '../model/record-state.ts'
import type { RecordResource, SubjectResource } from '../model/resource.ts'
import type { NotifiedDate } from '../model/routing.ts'
import type { AdminStore } from './admin-port.ts'
import type { AccountPause, LearnedCeiling } from '../model/account-limits.ts'
import type { CalendarStore } from './calendar-port.ts'
import type { ChurnStore } from './churn-port.ts'
import type { DeliveryStore } from './delivery-port.ts'
import type { KnownRecord } from './known-record.ts'
import type { LearntStore } from './learnt-port.ts'
import type { ListState } from './list-state.ts'
import type { LogStore } from './log-port.ts'
import type { PageStore, PageWrite } from './page-port.ts'
import type { PauseStore } from './pause-port.ts'
import type { QuarantineStore, QuarantineWrite } from './quarantine-port.ts'
import type { QueryStore } from './query-port.ts'
import type { RemovalStore } from './removal-port.ts'
import type { RetentionStore } from './retention-port.ts'
import type { RoutingStore } from './routing-port.ts'
import type { SettleStore } from './settle-port.ts'
import type { TrackingStore } from './tracking-port.ts'
import type { ValidatorStore } from './validator-port.ts'

/**
 * Ports by role. Every method is one transaction: it happens whole or not at all, and it is durable against the death of the
 * process when its promise resolves. No method assumes that it is the only process at work unless its comment says so.
 * All throw `ShipbellError` `store_unusable` where the database cannot be read or written.
 */
export interface Store
  extends PollStore, DeliveryStore, QueryStore, LogStore, AdminStore, RetentionStore, AsyncDisposable {}

// ── polling ──────────────────────────────────────────────────────────────────────────────────────────────────────────

export interface PollStore
  extends
    RemovalStore,
    QuarantineStore,
    PauseStore,
    ChurnStore,
    RoutingStore,
    TrackingStore,
    LearntStore,
    PageStore,
    ValidatorStore {
  /** Zero values for a list that was never read. */
  listState(account: string, resource: RecordResource): Promise<ListState>

  /** Starts the next pass: the state with `pass` increased and `passStartedAt` set. */
  startPass(account: string, resource: RecordResource, at: number): Promise<ListState>

  /** Content hash and last read of those of `ids` that are known; cheap, reads no body. */
  known(account: string, resource: RecordResource, ids: readonly string[]): Promise<ReadonlyMap<string, KnownRecord>>

  /** Whole states of those of `ids` that are known. The account of a subscription is null. */
  records(
    account: string | null,
    resource: SubjectResource,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, RecordState>>

  /**
   * Everything that one answer taught, atomically: records, events in the order given (each gets the account's next
   * `sequence`) and deliveries (`pending`, or `held` where the endpoint is disabled or missing from the configuration).
   * Idempotent: an event id that is already stored is not stored again, nor are its deliveries.
   * Throws `store_conflict` and changes nothing where a record's version is not the expected one.
   */
  commit(batch: ReadBatch): Promise<void>

  readonly calendar: CalendarStore
  readonly settling: SettleStore
}

/** What one answer taught. A change that is not named leaves things as they were. */
export interface ReadBatch {
  readonly account: string
  /** When it is committed, which is when its events ring; left out: at the `timestamp` of each. */
  readonly storedAt?: number
  /** Of the account, but for those of resource `subscription`, which are of none. */
  readonly records: readonly RecordWrite[]
  readonly events: readonly EventDraft[]
  readonly deliveries: readonly DeliveryDraft[]
  /** Dates that subscriptions were told. Where a later version of the subject told one already, that stays. */
  readonly dates: readonly NotifiedDate[]
  /** How it came to know what its events tell; kept with those that are new. */
  readonly provenance?: Provenance
  /** Whatever else it taught, at most one of each kind; applied in this order, after the records. */
  readonly changes: readonly Change[]
}

export type Change = ListChange | AccountChange

/** What an answer, or the end of a pass, says of a list beside the records that it changed. */
type ListChange =
  /** The page that the answer is; without it the rows of the batch are on no page from now on. */
  | { readonly kind: 'page'; readonly page: PageWrite }
  /** The new state of a list; every record of the batch and of its changes that is of this list counts as met by its `pass`. */
  | { readonly kind: 'list'; readonly resource: RecordResource; readonly state: ListState }
  /** Records whose content hash was the same: only their last read and pass move on. */
  | {
      readonly kind: 'unchanged'
      readonly resource: RecordResource
      readonly ids: readonly string[]
      readonly read: Read
      /** Of the answer, where it is of one record; left out: as it was. */
      readonly etag?: string | null
    }
  /**
   * `met`: the answer proves that they exist without telling more of them: met by the pass, missed no longer.
   * `missed`: the answer, or the pass that it ends, should have shown them and did not: one more miss each.
   */
  | { readonly kind: 'met'; readonly resource: RecordResource; readonly ids: readonly string[] }
  | { readonly kind: 'missed'; readonly resource: RecordResource; readonly ids: readonly string[] }
  /** The new hold of a list, or its end. `store_conflict` where its verdict is no longer the expected one. */
  | {
      readonly kind: 'hold'
      readonly resource: RecordResource
      readonly hold: Hold | null
      readonly expectedVerdict: HoldVerdict | null
    }

/** What is remembered of an account, in place of what was. */
type AccountChange =
  /** What is learnt of records that cannot be understood. */
  | ({ readonly kind: 'quarantine' } & QuarantineWrite)
  /** What is learnt of how often things change. */
  | { readonly kind: 'learnt'; readonly learnt: LearntNews }
  /** All paths of a resource that are reported to change on most reads. */
  | { readonly kind: 'churning'; readonly resource: RecordResource; readonly paths: readonly string[] }
  /** The resource whose ETags were caught lying. */
  | { readonly kind: 'lying_validators'; readonly resource: RecordResource }
  /** How long the account's platform is left alone from now on; null: it is not. */
  | { readonly kind: 'pause'; readonly pause: AccountPause | null }
  /** What of its budget the account's key bears from now on; null: all of it. */
  | { readonly kind: 'ceiling'; readonly ceiling: LearnedCeiling | null }

export interface RecordWrite {
  readonly state: RecordState
  /**
   * Content hash of `state.seen`; null where the read did not show the record (its misses stay as they are), or it is not
   * the platform's.
   */
  readonly contentHash: string | null
  /** `version` of the state this one was derived from; null where the record must not exist yet. */
  readonly expectedVersion: number | null
  /** Of a shipment, where it was read; left out: as it was. */
  readonly phase?: PhaseSpan
  /** Of the answer that showed the record, where it was read by its id. */
  readonly etag?: string | null
  /** `none`: no read taught this; the last read, its content hash and the misses stay as they are. */
  readonly read?: 'none'
}
