import type { Validator } from '../../model/exchange.ts'
import type { EndProbe } from '../../model/end-probe.ts'
import type { Hold, HoldVerdict } from '../../model/hold.ts'
import type { ListAudit } from '../../model/list-audit.ts'
import type { ListGaps } from '../../model/list-gaps.ts'
import type { PhaseSpan } from '../../model/phase.ts'
import type { Read } from '../../model/record-state.ts'
import type { RecordResource } from '../../model/resource.ts'

/** A list of an account. */
export interface ListKey {
  readonly account: string
  readonly resource: RecordResource
}

/**
 * Lists, their passes and their pages. A record on a page was last read when that page was, so moving the page's last read moves
 * that of all its records. A record that leaves the page takes the page's last read and pass with it.
 *
 * All methods but `startPass` only read; what a page or a pass shows is committed (`CommitStore`).
 */
export interface ListStore {
  /** Zero values for a list that was never read. */
  listState(account: string, resource: RecordResource): Promise<KnownList>

  /**
   * Starts the next pass: the state with `pass` increased and `passStartedAt` set. Pages that the last complete pass did not
   * read are forgotten with it, in one transaction. Each call starts another one.
   */
  startPass(account: string, resource: RecordResource, at: number): Promise<KnownList>

  /** The known records of a list that the pass has not met, fewest misses first. */
  missing(account: string, resource: RecordResource, pass: number): Promise<readonly MissingRecord[]>

  /** What of a list's removals is not believed. */
  doubts(account: string, resource: RecordResource): Promise<ListDoubts>

  /** The page at `skip`; null where no page was ever read there, or it holds nothing any more. */
  page(account: string, resource: RecordResource, skip: number): Promise<StoredPage | null>

  /** The ids of the records on pages, in no order; a removed record is on none. */
  idsOn(account: string, resource: RecordResource, skips: readonly number[]): Promise<readonly string[]>

  /** The phase of each shipment on a page; null for each record that is none. */
  phasesOn(account: string, resource: RecordResource, skip: number): Promise<readonly (PhaseSpan | null)[]>

  /** A page and what is on it; null where there is none. */
  contents(account: string, resource: RecordResource, skip: number): Promise<PageContents | null>

  /** The pages that the last complete pass read, and those that a pass since then has, by `skip`. */
  pageUnits(account: string, resource: RecordResource): Promise<readonly PageUnit[]>
}

/** What is known of a list as a whole. */
export interface ListState {
  /** Number of the current or last pass; 0 before the first. */
  readonly pass: number
  readonly passStartedAt: number | null
  /** When the last complete pass ended. */
  readonly completedAt: number | null
  /** When the last complete pass started, of those before the current or last one; null: none is known of. */
  readonly completeFrom: number | null
  /** When the first complete pass ended; null: nothing rings yet. */
  readonly baselinedAt: number | null
  /** The largest page that this list gave, lately: `largestAfter` says what counts. */
  readonly largestPage: number
  /** The last request beyond the list's end, which showed nothing; null: none is known of. */
  readonly endProbe: EndProbe | null
  /** The field that identifies a shipment, once found (guarantee D11). */
  readonly shipmentIdField: string | null
  /** The pass that was the baseline; null before it. */
  readonly baselinePass: number | null
  /** Whether a fetch by id ever showed a record of this list (guarantee D6). */
  readonly fetchWorks: boolean
  /** Fields outside the interface that are absorbed (guarantee D8): JSON Pointers with `*` for elements. */
  readonly absorbed: readonly string[]
  /** Ids that the last complete passes met with different records, for as long as they do. */
  readonly idCollisions: readonly IdCollision[]
  /** What its passes leave out (guarantee D9). */
  readonly gaps: ListGaps
}

/** A list as it is: its state, and what is known of it beside. */
export interface KnownList extends ListState {
  /** How many records of the list are known; a removed record is not known. */
  readonly records: number
  /** Paths that change on most reads and were reported, so that a restart does not report them again. */
  readonly churning: readonly string[]
  /** Whether ETags of the list were caught lying, so that a restart does not believe them again. */
  readonly validatorsLie: boolean
  /** What samples of its records came to; null: there was none. */
  readonly audit: ListAudit | null
}

/** An id that a pass met with several records that do not mean the same. */
export interface IdCollision {
  readonly id: string
  /** What they mean, each as a short text. */
  readonly hashes: readonly string[]
  /** Complete passes in a row that met at least two of them again. */
  readonly passes: number
  /** Whether a fetch by its id says that they are two records, not one that changes; left out: it was not asked yet. */
  readonly isProved?: boolean
}

export interface MissingRecord {
  readonly id: string
  /** Complete passes in a row that missed it. */
  readonly misses: number
  /** The last pass that met it. */
  readonly lastPass: number
}

export interface ListDoubts {
  /** The removals of a pass that are not believed; null where there are none. */
  readonly hold: Hold | null
  /** Records that passes miss while a fetch by id proves nothing, once that rang, until they are met or removed; by their ids. */
  readonly unproved: readonly UnprovedRecord[]
}

export interface UnprovedRecord {
  readonly id: string
  /** `accept`: it is removed by the next complete pass; `reject`: it exists; null: nobody has said. */
  readonly verdict: HoldVerdict | null
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
  /** A hash that pages of the same rows share, whatever they hold. */
  readonly contentHash: string
  /** By what its answers were judged. */
  readonly rules: string
  /** The field that identifies its shipments, where nothing else on them could be taken for it. */
  readonly certainIdField: string | null
  /**
   * Of the last answer; null unless the same answer would teach nothing: it showed exactly the records on this page, each as it is
   * known, and none was missed since. `PageReader` relies on it.
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
  /** What this answer is known by: the same content hash, perhaps another ETag. */
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
  /** What the answer is known by; null where it showed anything that the batch does not hold. */
  readonly validator: Validator | null
  /** Records in `unchanged` and `records` of the batch. Without a pass, only those that were on the page stay on it. */
  readonly ids: readonly string[]
}
