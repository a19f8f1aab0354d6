import type { Exchange } from './exchange.ts'
import type { Read } from './record-state.ts'
import type { RecordResource } from './resource.ts'

/**
 * How Shipbell came to know what an event says. The events of one commit share it. It explains and decides nothing: neither an
 * event's id nor its payload depends on it. `QueryStore.story` gives it back with the event's neighbours and corrections;
 * `event-rule.ts` derives the rule from the event itself.
 */
export interface Provenance {
  readonly by: ProvenanceSource
  /** The list, or what was read item by item; null for the account's health. */
  readonly resource: RecordResource | null
  /** The requests that showed it, in the order they were sent; what each means is said by `by`. */
  readonly exchanges: readonly Exchange[]
  /** Why the read that showed the change happened when it did; left out where the question does not arise. */
  readonly why?: ReadReason
  /** The pass over the list; left out where no pass had part in it. */
  readonly pass?: ProvenancePass
  /** IANA name of the zone whose days decide; where the calendar was asked. */
  readonly timeZone?: string
  /** The last read of the record, where no read by itself made it ring. */
  readonly lastRead?: Read
  /** Whether a fetch contradicted `pass` for a day of the calendar, and `pass` was believed. */
  readonly overruled?: boolean
  /** The passes that missed a record which is gone. */
  readonly missed?: Missed
}

/**
 * - `page`: a page of a list: its request
 * - `pass`: a complete pass over a list as a whole: its last request
 * - `absence`: a complete pass that missed a record: the fetch by id that answered 404, where one was needed
 * - `item`: a fetch by id
 * - `items`: several items that were read together, none of them alone
 * - `calendar`: a date that came: the fetch that verified it, where one was needed; or the one that answered 404, where
 *   `pass` verified it, or that contradicted `pass` in vain
 * - `settled`: no read: a changed estimate was held for as long as `settle` says
 * - `derived`: no read: what records together mean, some of which reads showed moved
 * - `health`: requests that failed, or the one that worked again
 */
type ProvenanceSource = 'page' | 'pass' | 'absence' | 'item' | 'items' | 'calendar' | 'settled' | 'derived' | 'health'

export interface ProvenancePass {
  /** Counts the passes over the list from 1. */
  readonly number: number
  readonly startedAt: number | null
}

export interface Missed {
  /** Complete passes in a row that missed it, `Provenance.pass` the last of them. */
  readonly passes: number
  /** The last pass that met it. */
  readonly lastMetBy: number
  /** A person said that the removals are right (`shipbell holds accept`). */
  readonly accepted: boolean
}

/** Why something was read just then. It explains and decides nothing. */
export type ReadReason =
  /** Nothing had been read of the target before. */
  | { readonly kind: 'first' }
  /**
   * The target may go unread no longer: `every`, as it held then, which is longer where the budget does not cover all refresh
   * targets.
   */
  | { readonly kind: 'promise'; readonly everyMs: number }
  /** Changes were to be expected since the last read, so many that it was worth a request that nothing else needed. */
  | { readonly kind: 'likely'; readonly expected: number; readonly waitedMs: number }
  /** The row of its shipment had just changed. */
  | { readonly kind: 'announced' }
  /** A command read everything. */
  | { readonly kind: 'once' }
