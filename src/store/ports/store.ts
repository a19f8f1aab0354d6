import type { AccountStateStore } from './account-state-port.ts'
import type { AdminStore } from './admin-port.ts'
import type { ArrivalStore } from './arrival-port.ts'
import type { CommitStore } from './commit-port.ts'
import type { DeliveryStore } from './delivery-port.ts'
import type { ExceptionStore, ExceptionTimeStore } from './exception-port.ts'
import type { ExpectationStore } from './expectation-port.ts'
import type { FeedStore } from './feed-port.ts'
import type { ListStore } from './list-port.ts'
import type { LivingMessageStore } from './living-message-port.ts'
import type { LogStore } from './log-port.ts'
import type { LogQueryStore } from './log-query-port.ts'
import type { NoteStore } from './note-port.ts'
import type { QueryStore } from './query-port.ts'
import type { RecordStore } from './record-port.ts'
import type { RecordQueryStore } from './record-query-port.ts'
import type { RetentionStore } from './retention-port.ts'
import type { RuntimeStore } from './runtime-port.ts'
import type { SearchStore } from './search-port.ts'
import type { SnapshotSource, SnapshotStore } from './snapshot-port.ts'

/**
 * Ports by role. Every method is one transaction: it happens whole or not at all, and it is durable against the death of the
 * process when its promise resolves. No method assumes that it is the only process at work unless its comment says so.
 * All throw `ShipbellError` `store_unusable` where the database cannot be read or written.
 */
export interface Store
  extends
    PollStore,
    DeliveryStore,
    QueryStore,
    LogQueryStore,
    RecordQueryStore,
    ArrivalStore,
    ExceptionStore,
    FeedStore,
    LogStore,
    AdminStore,
    RuntimeStore,
    SnapshotStore,
    LivingMessageStore,
    SearchStore,
    RetentionStore,
    AsyncDisposable {}

/** What polling needs, by role: records, lists and their pages, commits, notes, expectations, exceptions, what runs look at, and the state of the account itself. */
export interface PollStore
  extends
    RecordStore,
    ListStore,
    CommitStore,
    NoteStore,
    ExpectationStore,
    ExceptionTimeStore,
    Pick<ExceptionStore, 'exceptionPage'>,
    SnapshotSource,
    AccountStateStore {}
