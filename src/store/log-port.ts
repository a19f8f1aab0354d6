import type { DeliveryDraft } from '../model/delivery.ts'
import type { LoggedEvent } from '../model/event.ts'

/** The event log, read from one end to the other, and rows made for what it holds. */
export interface LogStore {
  /** The log in the order of storing, page by page: each page costs the same, wherever it lies. */
  log(query: LogQuery): Promise<LogPage>

  /**
   * Sees that events reach subscriptions, in the order given: a pair without a row gets one, and the row of any other is
   * retried unless it was delivered (`AdminStore.retry`). Unknown events, and those whose payload has expired, are left
   * alone. Idempotent. Returns the ids of the rows that are pending or held by it, in the order given.
   */
  backfill(deliveries: readonly DeliveryDraft[], at: number): Promise<readonly string[]>
}

export interface LogQuery {
  /** The event rang at or after. */
  readonly since: number
  /** `end` of the page before; null: from the first. */
  readonly after: number | null
  /** Only events that have no row of this subscription or one that was not delivered; tests are left out. */
  readonly undeliveredTo?: string
  /** Events looked at; with `undeliveredTo`, a page may show fewer. */
  readonly limit: number
}

export interface LogPage {
  readonly events: readonly LoggedEvent[]
  /** With `undeliveredTo`: which of them have a row, by event id. */
  readonly rows: ReadonlyMap<string, string>
  /** Where the next page begins; null: nothing follows. */
  readonly end: number | null
}
