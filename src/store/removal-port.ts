import type { Hold } from '../model/hold.ts'
import type { RecordResource } from '../model/resource.ts'

/** What complete passes missed (guarantee D6). */
export interface RemovalStore {
  /** How many records of a list are known; a removed record is not known. */
  amountKnown(account: string, resource: RecordResource): Promise<number>

  /** How many known records of a list the pass has not met. */
  unmet(account: string, resource: RecordResource, pass: number): Promise<number>

  /** Those records, fewest misses first. */
  missing(account: string, resource: RecordResource, pass: number): Promise<readonly MissingRecord[]>

  /** The removals of a list that are not believed; null where there are none. */
  hold(account: string, resource: RecordResource): Promise<Hold | null>
}

export interface MissingRecord {
  readonly id: string
  /** Complete passes in a row that missed it. */
  readonly misses: number
  /** The last pass that met it. */
  readonly lastPass: number
}
