import type { RecordResource } from '../model/resource.ts'

/** Why records could not be understood, as far as it rang (contract section 3.8). */
export interface QuarantineStore {
  /** The remembered reasons of those of `ids` that have any; the id '' stands for every record without one. */
  rejections(
    account: string,
    resource: RecordResource,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, readonly string[]>>
}

export interface Rejection {
  /** null: the record has none that can be read. */
  readonly id: string | null
  readonly reason: string
}

export interface QuarantineWrite {
  readonly resource: RecordResource
  /** The oldest beyond 50,000 of a list are forgotten. */
  readonly remember: readonly Rejection[]
  /** Ids whose reasons are all forgotten; '' as above. */
  readonly forget: readonly string[]
}
