import type { Validator } from '../model/validator.ts'
import type { PhaseSpan } from '../model/phase.ts'
import type { Read } from '../model/record-state.ts'
import type { RecordResource } from '../model/resource.ts'

/**
 * Where the records of a list were last met. A record on a page was last read when that page was: what moves the page's last
 * read moves that of all its records, and a record that leaves takes with it what its page's was until then.
 */
export interface PageStore {
  /** null where no page was ever read there, or it holds nothing any more. */
  page(account: string, resource: RecordResource, skip: number): Promise<StoredPage | null>

  /** The ids of the records on pages, in no order; a removed record is on none. */
  idsOn(account: string, resource: RecordResource, skips: readonly number[]): Promise<readonly string[]>

  /** Where the shipments on a page are on their way; null for each record that is none. */
  phasesOn(account: string, resource: RecordResource, skip: number): Promise<readonly (PhaseSpan | null)[]>

  /** A page and what is on it; null where there is none. */
  contents(account: string, resource: RecordResource, skip: number): Promise<PageContents | null>

  /** The pages that the last complete pass read, and those that a pass since then has, by `skip`. */
  pageUnits(account: string, resource: RecordResource): Promise<readonly PageUnit[]>
}

export interface PageUnit {
  readonly skip: number
  /** Rows received, good or bad. */
  readonly rows: number
  /** When the last request was sent whose answer showed its records. */
  readonly lastSentAt: number
}

export interface StoredPage {
  readonly skip: number
  /** Rows received, good or bad. */
  readonly rows: number
  /** The same for pages of the same rows, whatever they hold. */
  readonly contentHash: string
  /** By what its answers were judged. */
  readonly rules: string
  /** The field that identifies its shipments, where nothing else on them could be taken for it. */
  readonly certainIdField: string | null
  /**
   * Of the last answer; null unless all that it showed are the records on this page, each as it is known, none of them missed,
   * so that the same answer would teach nothing.
   */
  readonly validator: Validator | null
  readonly lastRead: Read
}

export interface PageContents extends StoredPage {
  /** The ids of its records by their content hashes, but for those without one. */
  readonly ids: ReadonlyMap<string, string>
}

/** What an answer to a page of a list says of where its records are. */
export type PageWrite = SamePage | ShownPage

interface PageRead {
  readonly resource: RecordResource
  readonly skip: number
  readonly read: Read
  /** The pass that it was read by; null: by none, and what it shows counts for none. */
  readonly pass: number | null
}

/** The answer that was known. `store_conflict` where the page is no longer the `known` one. */
export interface SamePage extends PageRead {
  readonly kind: 'same'
  readonly known: Pick<StoredPage, 'validator' | 'lastRead'>
  /** Of this answer: the same digest, perhaps another ETag. */
  readonly validator: Validator
  /** An answer that was overtaken by a later one moves no last read. */
  readonly isFresh: boolean
}

/** An answer whose rows are in the same batch: those in `ids` are on this page from now on. */
export interface ShownPage extends PageRead {
  readonly kind: 'shown'
  readonly rows: number
  readonly contentHash: string
  readonly rules: string
  readonly certainIdField: string | null
  /** The pass that the list is at: what no pass read first need not be met by it. */
  readonly current: number
  /** null where the answer showed anything that the batch does not hold. */
  readonly validator: Validator | null
  /** Records in `unchanged` and `records` of the batch. Without a pass, only those that were on the page stay on it. */
  readonly ids: readonly string[]
}
