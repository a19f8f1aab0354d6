/** What a copy of a store holds. */
export interface StoreContents {
  readonly bytes: number
  /** The version of its schema. */
  readonly schema: number
  readonly events: number
  /** How many records there are; those that were removed are left out. */
  readonly records: number
  /** The `sequence` of each account's last event, 0 where there is none. */
  readonly lastSequences: Readonly<Record<string, number>>
}
