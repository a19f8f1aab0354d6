import type { AccountRestraint, Spending } from '../../model/account-limits.ts'
import type { Learnt } from '../../model/learnt.ts'
import type { RecordResource } from '../../model/resource.ts'

/**
 * What outlives a process about how an account is asked, and what was reported of it. All methods but `countRequests` only
 * read. What is remembered is committed (`CommitStore`), together with what rings because of it.
 */
export interface AccountStateStore {
  /** What keeps the account from asking: what was committed last, and what it has spent of its budget in a span of time. */
  restraint(account: string, span: SpentSpan): Promise<KnownRestraint>

  /**
   * Counts requests before they are sent, so that requests under way count when the process dies. Not idempotent: each call
   * counts. What else is to be written then goes with it in one commit (`BatchChange`).
   */
  countRequests(account: string, count: RequestCount): Promise<void>

  /** Why records could not be understood, as far as it rang (guarantee D8): the remembered reasons of those of `ids` that have any; the id '' stands for every record without one. */
  rejections(
    account: string,
    source: RejectionSource,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, readonly string[]>>

  /** What polling learnt of how often things change, for the next process. */
  learnt(account: string): Promise<Learnt>
}

interface SpentSpan {
  readonly since: number
  readonly now: number
}

interface KnownRestraint extends AccountRestraint {
  /**
   * The requests counted in the minutes that lie, if only partly, in the span, earliest first. Each counts as sent after it was
   * counted, at the end of its minute or at `now` at the latest.
   */
  readonly spent: readonly Spending[]
}

/** Requests that an account sent. */
export interface RequestCount {
  readonly at: number
  readonly amount: number
  /** What the budget allows in an hour. */
  readonly budgetPerHour: number
  /** For how long they count, where that is longer than a week. */
  readonly countForMs?: number
}

/** How a record was read: a row of a list may be fine while a fetch by the id is broken, and the other way round. */
export interface RejectionSource {
  readonly resource: RecordResource
  readonly via: 'list' | 'item'
}

export interface Rejection {
  /** The id of the record; null: it has none that can be read. */
  readonly id: string | null
  readonly reason: string
}

export interface QuarantineWrite extends RejectionSource {
  /** The oldest beyond 50,000 of a resource are forgotten. */
  readonly remember: readonly Rejection[]
  /** Ids whose reasons are all forgotten; '' as above. */
  readonly forget: readonly string[]
}
