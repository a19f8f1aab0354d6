import type { Read } from '../model/record-state.ts'

/** What is known of a record without its content. */
export interface KnownRecord {
  /** null where the last read showed nothing, or the record was stored without one. */
  readonly contentHash: string | null
  /** Of the last answer, where the record is read by its id. */
  readonly etag: string | null
  readonly lastRead: Read
  readonly removed: boolean
  /** Reads in a row that should have shown the record and did not; 0 where it is removed. */
  readonly misses: number
}
