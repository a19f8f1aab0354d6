import type { PhaseSpan } from '../model/phase.ts'
import type { Mix } from './change-rates.ts'
import type { ItemTarget, PageTarget } from './target.ts'

interface ReadReport {
  /** When the request was sent. */
  readonly at: number
  /**
   * A longer time since the last read was spent in sleep, or leapt over by the clock, and teaches no more than this one; left out:
   * whatever it was.
   */
  readonly longestMs?: number
}

/** A read of a page. */
export interface PageReadReport extends ReadReport {
  readonly target: PageTarget
  /** The rows that it shows now; null: the same as before. */
  readonly mix: Mix | null
  /** How many rows of each kind had changed or were new. */
  readonly changed: Mix
}

/** A read of an item. */
export interface ItemReadReport extends ReadReport {
  readonly target: ItemTarget
  readonly changed: boolean
  /** Something else had said that it would show something. */
  readonly announced: boolean
}

/** What is known of an item beside its reads. */
export interface ItemFacts {
  readonly target: ItemTarget
  /** Of its shipment; null where it has none. */
  readonly phase: PhaseSpan | null
  /** From when on it is read no more; null: always. */
  readonly endsAt: number | null
}
