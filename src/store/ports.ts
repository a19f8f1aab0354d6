import type { Attempt, DeliveryDraft } from '../model/delivery.ts'
import type { EventDraft, ShipbellEvent } from '../model/event.ts'
import type { Read, RecordState } from '../model/record-state.ts'
import type { NotifiedDate } from '../model/routing.ts'
import type { LearntNews } from '../model/learnt.ts'
import type { PhaseSpan } from '../model/phase.ts'
import type { Hold, HoldVerdict } from '../model/hold.ts'
import type { RecordResource, SubjectResource } from '../model/resource.ts'
import type { Provenance } from '../model/provenance.ts'
import type { AdminStore } from './admin-port.ts'
import type { AccountPause, LearnedCeiling } from '../model/account-limits.ts'
import type { CalendarStore } from './calendar-port.ts'
import type { ConfiguredSubscription } from './configured-subscription.ts'
import type { ChurnStore } from './churn-port.ts'
import type { EndpointStore } from './endpoint-port.ts'
import type { KnownRecord } from './known-record.ts'
import type { LearntStore } from './learnt-port.ts'
import type { ListState } from './list-state.ts'
import type { PageStore, PageWrite } from './page-port.ts'
import type { PauseStore } from './pause-port.ts'
import type { Cooldown, CooldownStore } from './cooldown-port.ts'
import type { QuarantineStore, QuarantineWrite } from './quarantine-port.ts'
import type { LogStore } from './log-port.ts'
import type { QueryStore } from './query-port.ts'
import type { RemovalStore } from './removal-port.ts'
import type { RoutingStore } from './routing-port.ts'
import type { SettleStore } from './settle-port.ts'
import type { SteadyStore } from './steady-port.ts'
import type { RetentionStore } from './retention-port.ts'
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

// ── delivering ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** Instants of claims, retries and what is due next are of steady time. */
export interface DeliveryStore extends EndpointStore, CooldownStore, SteadyStore {
  /**
   * Makes the configured subscriptions known: rows of missing ones and of ones disabled in the file become `held`, those
   * of returned or enabled ones `pending` again, unless they are disabled. A changed `order` holds for the
   * rows that are there, too. Dates that were told to those without a `min_shift` are forgotten, and rows
   * that were put off without an attempt are due again. In force at once; `AdminStore.settleRows` moves all but the first rows.
   */
  syncSubscriptions(subscriptions: readonly ConfiguredSubscription[], at: number): Promise<void>

  /**
   * Takes due rows for `owner`, oldest event first, at most `slots` of each subscription. Nobody else gets them until
   * `now + leaseMs`; after that they are due again, so a killed process's work is taken up.
   * With `order: subject` a row is taken only while no older row of its account and subject is pending or held, and none is
   * under way: at most one of them at a time. Of an endpoint that is not open only tests are taken, whatever state its rows
   * are in; of one that has recovered from four failures in a row also what waits for its schedule, brought forward.
   */
  claim(request: ClaimRequest): Promise<readonly ClaimedDelivery[]>

  /**
   * The rows that a claim would take now, oldest event first, and behind them the tests that wait, without taking any: what a
   * channel goes by that tells several together.
   */
  waiting(request: WaitingRequest): Promise<readonly WaitingDelivery[]>

  /** Writes the outcomes of attempts. Idempotent: rows that `owner` no longer holds are left alone. */
  settle(owner: string, attemptResults: readonly AttemptResult[]): Promise<void>

  /** Ends all claims of processes that died. Call it only while holding the store's lock. */
  recoverClaims(): Promise<number>

  /**
   * When a claim may next find a row of these subscriptions (of any, where they are left out): its due time, or the end of
   * its claim; of a row that is due now, when it became so; null where none is pending. Name those with free slots: the
   * backlog of the others is no reason to look.
   */
  nextDueAt(subscriptions?: readonly string[]): Promise<number | null>
}

export interface ClaimRequest {
  readonly owner: string
  readonly now: number
  /** What the wall clock shows; left out: `now`. */
  readonly wallNow?: number
  readonly leaseMs: number
  readonly slots: ReadonlyMap<string, number>
  /** Deliveries to choose from; left out: all. */
  readonly only?: readonly string[]
  /** Of which subscriptions other rows than the oldest are taken. */
  readonly among?: ReadonlyMap<string, ClaimAmong>
  /** Of each subscription that recovers, how many rows may be brought forward; left out: as many as have a slot. */
  readonly forward?: ReadonlyMap<string, number>
}

export type ClaimAmong = 'tests' | 'newest'

export interface WaitingRequest {
  readonly now: number
  /** How many of each subscription are looked at. */
  readonly most: ReadonlyMap<string, number>
  /** Deliveries to choose from; left out: all. */
  readonly only?: readonly string[]
  /** `tests`: of these subscriptions nothing else is looked at. */
  readonly among?: ReadonlyMap<string, ClaimAmong>
  /** Of subscriptions that recover, those of 1 or more are shown what is brought forward, too; left out: all. */
  readonly forward?: ReadonlyMap<string, number>
}

/** A row that is due, and of its event what it costs nothing to know. */
export interface WaitingDelivery {
  readonly id: string
  readonly subscription: string
  /** Attempts made before this one since the row was made, released or retried by command: its place in the retry schedule. */
  readonly attempts: number
  /** When it was due, by the wall clock. For a row that nothing happened to since its event rang: `rangAt`. */
  readonly dueAt: number
  /** When its event rang: later than the event's `timestamp` where an estimate waited (guarantee K6, `settle`). */
  readonly rangAt: number
  readonly event: Pick<ShipbellEvent, 'account' | 'cause'> & {
    readonly subject: Pick<ShipbellEvent['subject'], 'resource'>
  }
}

export interface ClaimedDelivery extends WaitingDelivery {
  /** Its documents are unpacked where they are first asked for; a damaged one throws `store_unusable` there. */
  readonly event: ShipbellEvent
  /** `event.object` as JSON in UTF-8, where it is at hand: what is sent need not serialise it. Likewise. */
  readonly objectJson?: Uint8Array
  /** Of one that was brought forward: when its retry was due. A failure before then puts it back, and takes none of its retries. */
  readonly resumesAt?: number | null
}

export interface AttemptResult {
  readonly id: string
  /** null: none was made, or it was cut by shutdown and does not count. */
  readonly attempt: Attempt | null
  /** When the attempt ended, in steady time; left out: as its own instants and the wall clock of now have it. */
  readonly endedAt?: number
  /** The attempt told several deliveries together and counts for the endpoint with another of them. */
  readonly shared?: boolean
  /** Of the retry schedule: of the time since the failure before this one at most so much counts for giving up. Left out: none. */
  readonly longestStepMs?: number
  /** What the address asked of everything that is sent to it; kept also where `owner` no longer holds the row. */
  readonly cooldown?: Cooldown
  readonly result:
    | { readonly kind: 'delivered' }
    /** Due again at `at`; without an attempt: not due before, unless the wall clock is set. */
    | {
        readonly kind: 'retry'
        readonly at: number
        /** What `Retry-After` asks for: it is not brought forward before. */
        readonly notBefore?: number
        /** `false`: the attempt was none of the schedule's. */
        readonly scheduled?: false
      }
    | { readonly kind: 'exhausted' }
    | { readonly kind: 'released' }
    /** The endpoint is gone (410): this row and every pending one of the subscription become `held`. */
    | { readonly kind: 'disable'; readonly reason: string }
}
