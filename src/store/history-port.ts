import type { RecordResource } from '../model/resource.ts'

/** What the log says of how soon changes were seen. */
export interface HistoryStore {
  /**
   * Changes that events which rang since tell of: once for each read of a record that showed any, in the order in which they
   * were seen. Left out is what no read before bounds, and what several reads had to tell together (removals).
   */
  changesSeen(account: string, since: number): Promise<readonly SeenChange[]>
}

export interface SeenChange {
  readonly resource: RecordResource
  readonly id: string
  /** When the last read with the old value was sent, and the first answer with the new one had arrived. */
  readonly notBefore: number
  readonly notAfter: number
  /** The page that the record is on now; null: on none. */
  readonly skip: number | null
}
