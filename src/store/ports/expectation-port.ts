import type { ExpectedRecord, ExpectedSubject, KnownRule } from '../../model/expectation.ts'
import type { NotedRecord } from '../../model/note.ts'

/** What is remembered of expectations. All methods only read: what becomes of them is committed (`BatchChange` `expectations`). */
export interface ExpectationStore {
  /** The rules of an account as they were judged by last, and where those of these records stand that were ever judged. */
  expected(account: string, records: readonly ExpectedKey[]): Promise<Expected>

  /** Records that were judged, in the order of the query, behind a place. */
  expectedRecords(account: string, query: ExpectedQuery): Promise<readonly ExpectedRecord[]>

  /**
   * These records, and what belongs to these shipments: themselves, their trackings, and what names them, removed ones too; each with
   * when it changed. Found by search terms, so that some may name another shipment.
   */
  related(account: string, asked: RelatedQuery): Promise<readonly RelatedRecord[]>
}

export interface ExpectedKey {
  readonly resource: ExpectedSubject
  readonly id: string
}

interface Expected {
  readonly rules: readonly KnownRule[]
  readonly records: readonly ExpectedRecord[]
}

/**
 * `due`: those that are to be judged by an instant, earliest first; `failing`: those that a rule fails on; `all` of them. The last two by
 * resource and id.
 */
export interface ExpectedQuery {
  readonly which: { readonly dueUntil: number } | 'failing' | 'all'
  /** The last record of the page before; null: the first page. */
  readonly after: Pick<ExpectedRecord, 'resource' | 'id' | 'dueAt'> | null
  readonly most: number
}

export interface RelatedQuery {
  readonly records: readonly NotedRecord[]
  readonly shipments: readonly string[]
}

export interface RelatedRecord extends NotedRecord {
  /** The shipment that it was found for; null: it was asked for itself. */
  readonly shipment: string | null
  /** When a read last showed it changed, or first showed it; null: none did. */
  readonly changedAt: number | null
}
