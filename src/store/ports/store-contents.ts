/** What a copy of a store holds. */
export interface StoreContents {
  readonly bytes: number
  /** The version of its schema. */
  readonly schema: number
  readonly events: number
  /** Those that were removed are left out. */
  readonly records: number
  /** Of each account: the `sequence` of its last event, 0 where there is none. */
  readonly lastSequences: Readonly<Record<string, number>>
}
