import type { Delivery, DeliveryState } from '../../model/delivery.ts'
import type { LoggedEvent } from '../../model/event.ts'
import type { Page, PageQuery } from '../../model/page.ts'
import type { AccountChoice, SubscriptionChoice } from '../../model/scope.ts'
import type { RecordResource, SubjectResource } from '../../model/resource.ts'

/**
 * The log and the ledger as people look through them. A page costs the same wherever it lies, however long the log is: where
 * few of the rows that are looked at match, it shows fewer and says where to go on. Throws `bad_cursor` for a cursor that is
 * not of such a list.
 */
export interface LogQueryStore {
  /** Newest first, unless it is asked for otherwise. */
  eventPage(query: EventQuery): Promise<Page<LoggedEvent>>
  /** Newest event first, unless it is asked for otherwise. */
  deliveryPage(query: DeliveryQuery): Promise<Page<Delivery>>
  /** A slice of the rows that a retry would send again, oldest event first: tests are none, nor are rows whose payload has expired. */
  retryable(query: RetryableQuery): Promise<RetryableSlice>
  /** How many such rows there are in a slice of them; nothing bounds the place of their events. */
  countRetryable(query: RetryableCountQuery): Promise<RetryableCount>
  /** Ids of events that `name` may mean, at most `limit`: an id, its beginning, or `#` and a sequence (of the accounts that are chosen). */
  eventsNamed(name: string, options: AccountChoice & { readonly limit: number }): Promise<readonly string[]>
  /** From where to where the log goes. */
  logEnds(): Promise<LogEnds>
  /** How many events rang in each hour since, by account and type. */
  eventHours(since: number): Promise<readonly EventHour[]>
  /** Why rows are not delivered: the newest of each subscription's open and exhausted ones that failed, grouped by cause. */
  failures(filter?: FailureFilter): Promise<readonly FailureGroup[]>
  /** Records that cannot be understood, by account. */
  quarantine(query: PageQuery & { readonly account?: string }): Promise<Page<QuarantinedRecord>>
}

export interface LogEnds {
  /** The time up to which what ended may have been dropped from log and ledger; null: nothing was. */
  readonly droppedTo: number | null
  /** The place of the last event; 0: there is none. */
  readonly lastPlace: number
}

/** Which rows are looked at; what is left out chooses all. */
export interface FailureFilter extends AccountChoice, SubscriptionChoice {
  /** The states of the rows: `pending`, `held` or `exhausted`. */
  readonly states?: readonly DeliveryState[]
  /** The event rang at or after. */
  readonly since?: number
}

export interface EventQuery extends PageQuery, AccountChoice {
  /** Exact types. */
  readonly types?: readonly string[]
  readonly resource?: SubjectResource
  readonly subjectId?: string
  /** The events of these ids, as far as there are such, on one page. */
  readonly ids?: readonly string[]
  /** `true`, with a `subjectId` or `ids`: those too that are made for one subscription alone, which no list shows. */
  readonly addressed?: boolean
  /** Rang at or after, and before. */
  readonly since?: number
  readonly until?: number
  readonly oldestFirst?: boolean
  /** `true`: what happened and what changed alone, without the records as they were: `object` and `before` are null. */
  readonly bare?: boolean
}

export interface DeliveryQuery extends PageQuery, AccountChoice, SubscriptionChoice {
  readonly states?: readonly DeliveryState[]
  /** Only rows that should have been delivered at `now`: pending, held and exhausted ones, but for tests and for what waits to be sent together (`QueryStore.deferredRows`). */
  readonly undelivered?: { readonly now: number }
  readonly eventId?: string
  /** The event rang at or after. */
  readonly since?: number
  /** `FailureGroup.cause`: of open and exhausted rows. */
  readonly cause?: string
  /** `false` leaves out those of test events, which nobody misses. */
  readonly tests?: boolean
  readonly oldestFirst?: boolean
}

interface RetryableFilter {
  readonly subscription: string
  /** `delivered` is none of them. */
  readonly states: readonly DeliveryState[]
  /** The event rang at or after. */
  readonly since: number
  readonly account?: string
  /** The cause of the events, as in `DeliveryQuery`. */
  readonly cause?: string
}

export interface RetryableQuery extends RetryableFilter {
  /** `RetryableSlice.after` of the slice before; null: the first. */
  readonly after: number | null
  /** The place of the last event that counts. */
  readonly upTo: number
}

export interface RetryableSlice {
  readonly ids: readonly string[]
  /** Where the next slice begins; null: none follows. */
  readonly after: number | null
}

export interface RetryableCountQuery extends RetryableFilter {
  /** `RetryableCount.after` of the slice before; null: the first. */
  readonly after: CountedPlace | null
}

export interface RetryableCount {
  readonly amount: number
  /** Where the next slice begins; null: none follows. */
  readonly after: CountedPlace | null
}

/** Where a count has come to; only the store reads it. */
export interface CountedPlace {
  readonly pass: number
  readonly event: number
}

export interface EventHour {
  /** When it began. */
  readonly hour: number
  /** The account of the events; null: they are of none. */
  readonly account: string | null
  readonly type: string
  readonly amount: number
}

export interface FailureGroup {
  readonly subscription: string
  /** The status of the last attempt's answer; null: no answer came. */
  readonly status: number | null
  /** What the rows have in common, in one sentence. */
  readonly cause: string
  readonly rows: number
  /** Whether more rows failed than were looked at. */
  readonly more: boolean
  /** The newest of them. */
  readonly example: Delivery
}

export interface QuarantinedRecord {
  readonly account: string
  readonly resource: RecordResource
  /** The id of the record; null: it has none. */
  readonly id: string | null
  readonly reason: string
}
