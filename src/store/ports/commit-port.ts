import type { AccountPause, LearnedCeiling } from '../../model/account-limits.ts'
import type { DeliveryDraft } from '../../model/delivery.ts'
import type { EventDraft } from '../../model/event.ts'
import type { ExceptionNews } from '../../model/exception.ts'
import type { ExpectedRecord, KnownRule } from '../../model/expectation.ts'
import type { Hold, HoldVerdict } from '../../model/hold.ts'
import type { ListAudit } from '../../model/list-audit.ts'
import type { LearntNews } from '../../model/learnt.ts'
import type { PhaseSpan } from '../../model/phase.ts'
import type { NewNote, NoteTopic, ShipmentLink, TakenNote } from '../../model/note.ts'
import type { Provenance } from '../../model/provenance.ts'
import type { NewReminder, ReminderStep } from '../../model/reminder.ts'
import type { EventType } from '../../model/event-catalogue.ts'
import type { Read, RecordState } from '../../model/record-state.ts'
import type { RecordResource } from '../../model/resource.ts'
import type { SnapshotProgress } from '../../model/snapshot-run.ts'
import type { NotifiedDate, RoutingQuery, RoutingState } from '../../model/routing.ts'
import type { QuarantineWrite, RequestCount } from './account-state-port.ts'
import type { ListState, PageWrite } from './list-port.ts'

/** The way of everything that polling learns into the store. */
export interface CommitStore {
  /**
   * Everything that one answer taught, atomically: records, events in the order given (each gets the account's next
   * `sequence`), deliveries (`pending`, or `held` where the endpoint is disabled or missing from the configuration) and changes.
   * Idempotent as to what rings: an event id that is already stored is not stored again, nor are its deliveries.
   * Throws `store_conflict` and changes nothing where a record's version is not the expected one.
   */
  commit(batch: ReadBatch): Promise<void>

  /**
   * What routing must know of the past: the `sequence` that an account's events have reached (null: those of no account), and
   * the dates that its subscriptions were sent last, of the subjects that are asked for. Cheap: reads no body.
   */
  routingState(account: string | null, query: RoutingQuery): Promise<RoutingState>
}

/** What one answer taught. A change that is not named leaves things as they were. */
export interface ReadBatch {
  readonly account: string
  /** When it is committed, which is when its events ring; left out: at the `timestamp` of each. */
  readonly storedAt?: number
  /** Records of the account, but for those of resource `subscription`, which are of none. */
  readonly records: readonly RecordWrite[]
  readonly events: readonly EventDraft[]
  readonly deliveries: readonly DeliveryDraft[]
  /** Dates that subscriptions were sent. A date of a later version of the subject stays. */
  readonly dates: readonly NotifiedDate[]
  /** Records of the batch that moved, for those who derive something of them; each once for a topic. Left out: none. */
  readonly notes?: readonly NewNote[]
  /** How Shipbell came to know what the events say; kept with the new ones. */
  readonly provenance?: Provenance
  /** What it does to exceptions beside what follows from its new events. */
  readonly exceptions?: ExceptionNews
  /** Which subscriptions are told again of the exceptions that its new events open. */
  readonly reminders?: readonly NewReminder[]
  /** The present of the account's calendar, by which a date lies ahead; left out: `storedAt`. */
  readonly calendarAt?: number
  /** Whatever else it taught, at most one of each kind; applied in this order, after the records. */
  readonly changes: readonly BatchChange[]
}

export type BatchChange = ListChange | AccountChange

/** What an answer, or the end of a pass, says of a list beside the records that it changed. */
type ListChange =
  /** The page that the answer is; without it the rows of the batch are on no page from now on. */
  | { readonly kind: 'page'; readonly page: PageWrite }
  /** Rows that are committed ahead of a page that no pass read: they count for none, as that page does. `current`: see `ShownPage`. */
  | { readonly kind: 'ahead'; readonly current: number }
  /** The new state of a list; every record of the batch and of its changes that is of this list counts as met by its `pass`. */
  | { readonly kind: 'list'; readonly resource: RecordResource; readonly state: ListState }
  /** Records whose content hash was the same: only their last read and pass move on. */
  | {
      readonly kind: 'unchanged'
      readonly resource: RecordResource
      readonly ids: readonly string[]
      readonly read: Read
      /** The ETag of the answer, where it is of one record; left out: as it was. */
      readonly etag?: string | null
    }
  /**
   * `met`: the answer proves that they exist and shows no more of them: met by the pass, missed no longer.
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
  /** Records of which no fetch proves anything begin to wait for a person (`add`), or no longer do (`drop`). */
  | {
      readonly kind: 'unproved'
      readonly resource: RecordResource
      readonly add: readonly string[]
      readonly drop: readonly string[]
      readonly at: number
    }

/** What is remembered of an account, in place of what was. */
type AccountChange =
  /**
   * A topic begins with these settings, or anew: every record of its resources is noted, none as fresh, the new ones of the batch
   * included. null: the topic ends, and its notes with it.
   */
  | {
      readonly kind: 'topic'
      readonly topic: NoteTopic
      readonly settings: string | null
      readonly resources: readonly RecordResource[]
      readonly number: number
    }
  /** Notes of a topic that what the batch says was derived from. Of records that moved meanwhile they stay. */
  | { readonly kind: 'taken'; readonly topic: NoteTopic; readonly notes: readonly TakenNote[] }
  /** Records that belong to shipments from now on, and those that no longer do. */
  | { readonly kind: 'links'; readonly found: readonly ShipmentLink[]; readonly gone: readonly ShipmentLink[] }
  /** Shipments that may have arrived, as they are known: what is kept of their arrivals is made anew. */
  | { readonly kind: 'arrivals'; readonly shipments: readonly RecordState[]; readonly at: number }
  /**
   * Where the expectations of records stand from now on. `rules`: those of the account in place of the former ones; left out: they stay.
   * `forget`: what was remembered of all others goes first.
   */
  | {
      readonly kind: 'expectations'
      readonly rules?: readonly KnownRule[]
      readonly records: readonly ExpectedRecord[]
      readonly forget?: boolean
    }
  /** Requests that are about to be sent, counted as `countRequests` does. */
  | { readonly kind: 'requests'; readonly count: RequestCount }
  /** What is learnt of records that cannot be understood. */
  | ({ readonly kind: 'quarantine' } & QuarantineWrite)
  /** Reminders that were due, and when they are next. */
  | { readonly kind: 'reminded'; readonly steps: readonly ReminderStep[] }
  /** A subscription that is to be told again of what is open and was sent to it: what has no reminder yet gets one. */
  | {
      readonly kind: 'remind'
      readonly subscription: string
      readonly types: readonly EventType[]
      readonly everyMs: number
      readonly at: number
    }
  /**
   * How far a part of a run is once the events of the batch are sent by it. `store_conflict` where the run is not under way any more, or the
   * part is elsewhere than `before`.
   */
  | {
      readonly kind: 'snapshot'
      readonly subscription: string
      readonly run: string
      readonly before: SnapshotProgress
      readonly after: SnapshotProgress
    }
  /** What is learnt of how often things change. */
  | { readonly kind: 'learnt'; readonly learnt: LearntNews }
  /** All paths of a resource that are reported to change on most reads. */
  | { readonly kind: 'churning'; readonly resource: RecordResource; readonly paths: readonly string[] }
  /** What samples of a list have come to, in place of what they had. */
  | { readonly kind: 'audit'; readonly resource: RecordResource; readonly audit: ListAudit }
  /** The resource whose ETags were caught lying. */
  | { readonly kind: 'lying_validators'; readonly resource: RecordResource }
  /** How long the account's platform is left alone from now on; null: it is not. */
  | { readonly kind: 'pause'; readonly pause: AccountPause | null }
  /** What of its budget the account's key bears from now on; null: all of it. */
  | { readonly kind: 'ceiling'; readonly ceiling: LearnedCeiling | null }

/** What a record was when it was loaded. */
export type LoadedRecord = Pick<RecordState, 'version' | 'seen' | 'reported' | 'removedAt' | 'memory'>

export interface RecordWrite {
  readonly state: RecordState
  /**
   * Content hash of `state.seen`; null where the read did not show the record (its misses stay as they are), or it is not
   * the platform's.
   */
  readonly contentHash: string | null
  /** What `state` was derived from, as it was loaded: the record must still be at this version; null: it must not exist yet. */
  readonly before: LoadedRecord | null
  /** The phase of a shipment, where it was read; left out: as it was. */
  readonly phase?: PhaseSpan
  /** The ETag of the answer that showed the record, where it was read by its id. */
  readonly etag?: string | null
  /** `none`: no read taught this; the last read, its content hash and the misses stay as they are. */
  readonly read?: 'none'
}
