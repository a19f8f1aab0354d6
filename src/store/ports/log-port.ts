import type { DeliveryDraft } from '../../model/delivery.ts'
import type { EventDraft, LoggedEvent } from '../../model/event.ts'
import type { AccountDates } from '../../model/routing.ts'

/** The event log, read from one end to the other, and rows made for what it holds. */
export interface LogStore {
  /** The log in the order of storing, page by page: each page costs the same, wherever it lies. */
  logPage(query: LogQuery): Promise<LogPage>

  /**
   * Sees that events reach subscriptions, in the order given: a pair without a row gets one, and the row of any other is
   * retried unless it was delivered (`AdminStore.retry`). Unknown events, and those whose payload has expired, are left
   * alone. Remembers the dates that are sent by it, as `commit` does. Idempotent. Returns the ids of the rows that are pending or
   * held by it, in the order given.
   */
  backfill(backfill: Backfill): Promise<readonly string[]>

  /**
   * Stores a sample with a row for one subscription, which is sent like a test's. It is of cause `test`, is no event of any
   * account, and moves no sequence, record or date; `sequence` counts the samples. Returns the id of the row. Its id must be new.
   */
  addSample(sample: SampleDelivery): Promise<string>
}

export interface SampleDelivery {
  /** Shown as of the samples' account, or of none where the sample is. */
  readonly event: EventDraft
  readonly subscription: string
  readonly at: number
}

export interface Backfill {
  readonly deliveries: readonly DeliveryDraft[]
  readonly dates?: readonly AccountDates[]
  readonly at: number
}

export interface LogQuery {
  /** The event rang at or after. */
  readonly since: number
  /** The place behind which the page begins, as `end` of the page before it; null: from the first. */
  readonly after: number | null
  /** Shows which events have a row of this subscription; tests are left out. */
  readonly rowsOf?: string
  /** With `rowsOf`: leaves out what was delivered to it. */
  readonly undelivered?: boolean
  /**
   * Whose records are read: of all events; `shown`: of all, but not what they were; `whole`: of those that report a record whole, such as
   * `created`; of none. What is not read is null, `object` or `before`. Left out: of all.
   */
  readonly records?: LoggedRecords
  /** Events looked at; with `rowsOf`, a page may show fewer. */
  readonly limit: number
}

/** The most first: each has what follows it. */
export const LOGGED_RECORDS = ['all', 'shown', 'whole', 'none'] as const
export type LoggedRecords = (typeof LOGGED_RECORDS)[number]

/** An event at its place in the log. */
export interface PlacedEvent {
  readonly event: LoggedEvent
  /** Grows with every event that is stored. */
  readonly place: number
  /** When it rang: later than its `timestamp` where an estimate waited. */
  readonly rangAt: number
}

export interface LoggedRow {
  readonly id: string
  readonly delivered: boolean
}

export interface LogPage {
  readonly events: readonly PlacedEvent[]
  /** With `rowsOf`: the rows that they have, by event id. */
  readonly rows: ReadonlyMap<string, LoggedRow>
  /** Where the next page begins; null: nothing follows. */
  readonly end: number | null
}
