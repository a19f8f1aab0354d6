import type { Exchange } from '../../model/exchange.ts'
import type { Hold, HoldReason } from '../../model/hold.ts'
import type { JsonObject } from '../../model/json.ts'
import type { ListState, MissingRecord } from '../../store/ports/list-port.ts'
import type { ReadResult } from '../requests/account-client.ts'
import type { FailedProofs } from './unproved.ts'

/** Whether a record exists: `value` is null where it does not. */
export type Proof = (id: string) => Promise<ReadResult<JsonObject>>

export interface CompletePass {
  /** The state of the list, with the end of this pass. */
  readonly state: ListState
  /** How many records were known before the pass. */
  readonly known: number
  /** What was held when the pass began. */
  readonly hold: Hold | null
  /** The last request of the pass. */
  readonly lastExchange: Exchange
  readonly proof: Proof
  /** Fetches by id that failed in earlier passes; left out: every fetch was made before. */
  readonly failedProofs?: FailedProofs
  /** What explains a removal: that passes over a list missed the record, or the fetches that did not find it. */
  readonly removedBy: 'absence' | 'item'
}

export interface PassEnd {
  /** The known records that it did not meet, fewest misses first; this miss is not counted yet. */
  readonly missing: readonly MissingRecord[]
  /** Rows received, good or bad. */
  readonly rows: number
  /** Rows came twice, or without an id: the pass may have missed what is there. */
  readonly inMotion: boolean
  /** A record that the pass showed; null where it showed none. */
  readonly shownId: string | null
}

export interface Settled {
  readonly removed: number
  readonly events: number
  readonly held: HoldReason | null
}
