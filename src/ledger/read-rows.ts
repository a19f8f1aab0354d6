import type { Validator } from '../model/exchange.ts'
import type { Read } from '../model/record-state.ts'
import type { RecordResource, SubjectResource } from '../model/resource.ts'

/** A record within its account. */
export interface ReadKey {
  readonly resource: SubjectResource
  readonly id: string
}

/** When something was read last, and by which pass. */
export interface LastRead {
  readonly sentAt: number
  readonly answeredAt: number
  readonly pass: number
}

/** What is kept of the reads of a record. While it is on a page, its page was read last, and tells when. */
export interface ReadRow extends ReadKey, LastRead {
  readonly fingerprint: string | null
  readonly etag: string | null
  /** How often passes have missed the record since one met it; null: the record is removed. */
  readonly misses: number | null
  /** `ref` of the page that the record is on; null: it is on none. */
  readonly page: number | null
}

/** What a record is compared by, which moves without its page. */
export type ReadPrint = Pick<ReadRow, 'resource' | 'id' | 'fingerprint' | 'etag'>

/** A read, and the last one of its page; null: it is on none, or that page is gone. */
export interface KnownRead {
  readonly row: ReadRow
  readonly ofPage: LastRead | null
}

/** What is kept of a page and moves with every answer. `digest` null: the next answer is parsed, whatever its bytes. */
export interface PageRead extends LastRead {
  readonly ref: number
  readonly digest: string | null
  readonly etag: string | null
}

/** What becomes of an answer's page. `same`: what the page holds stays as it is. `emptied`: the page goes. */
export type PageAfter =
  (PageRead & { readonly kind: 'same' | 'shown' }) | { readonly kind: 'emptied'; readonly ref: number }

interface PageAnswer {
  readonly resource: RecordResource
  readonly read: Read
  /** The pass that read the page; null: none did, and what the answer shows counts for none. */
  readonly pass: number | null
}

/** An answer with the bytes that are known. */
interface SameAnswer extends PageAnswer {
  readonly kind: 'same'
  readonly known: { readonly validator: Validator | null; readonly lastRead: Read }
  readonly validator: Validator
  readonly isFresh: boolean
}

/** An answer whose rows are looked at. */
interface ShownAnswer extends PageAnswer {
  readonly kind: 'shown'
  readonly rows: number
  /** The pass that the list is at: what no pass read first need not be met by it. */
  readonly current: number
  readonly validator: Validator | null
  readonly ids: readonly string[]
}

/** A record that is written since an answer showed it, or showed it to be gone. */
export interface ShownRecord {
  readonly state: ReadKey & { readonly lastRead: Read; readonly removedAt: number | null }
  /** The hash of what the answer showed; null: it did not show the record. */
  readonly contentHash: string | null
  readonly etag?: string | null
  /** The version of the record that is replaced; null: the record is new. */
  readonly expectedVersion: number | null
}

/** Records of which an answer says something, and shows nothing new. */
export type ReadNews = UnchangedNews | OtherNews

export interface UnchangedNews {
  readonly kind: 'unchanged'
  readonly resource: SubjectResource
  readonly ids: readonly string[]
  readonly read: Read
  /** The ETag from now on; left out: it is as it was. */
  readonly etag?: string | null
}

interface OtherNews {
  readonly kind: 'met' | 'missed'
  readonly resource: SubjectResource
  readonly ids: readonly string[]
}

/** What one answer says of reads. */
export interface ReadAnswer {
  readonly page: SameAnswer | ShownAnswer | null
  /** The list that the answer is of, and the pass that meets its records; null: no pass does. */
  readonly met: { readonly resource: SubjectResource; readonly pass: number } | null
  readonly shown: readonly ShownRecord[]
  readonly news: readonly ReadNews[]
}
