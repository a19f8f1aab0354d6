import type { RecordResource } from '../model/resource.ts'

/** Why records could not be understood, as far as it rang (guarantee D8). */
export interface QuarantineStore {
  /** The remembered reasons of those of `ids` that have any; the id '' stands for every record without one. */
  rejections(
    account: string,
    source: RejectionSource,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, readonly string[]>>
}

/** Where records are read: what a list shows well may be broken where it is fetched by its id, and the other way round. */
export interface RejectionSource {
  readonly resource: RecordResource
  readonly via: 'list' | 'item'
}

export interface Rejection {
  /** null: the record has none that can be read. */
  readonly id: string | null
  readonly reason: string
}

export interface QuarantineWrite extends RejectionSource {
  /** The oldest beyond 50,000 of a resource are forgotten. */
  readonly remember: readonly Rejection[]
  /** Ids whose reasons are all forgotten; '' as above. */
  readonly forget: readonly string[]
}
