import type { PhaseSpan } from '../model/phase.ts'
import type { Mix } from './change-rates.ts'
import type { ItemTarget, PageTarget } from './target.ts'

/** A read of a page. Instants are when its request was sent. */
export interface PageReadReport {
  readonly target: PageTarget
  readonly at: number
  /** The rows that it shows now; null: the same as before. */
  readonly mix: Mix | null
  /** How many rows of each kind had changed or were new. */
  readonly changed: Mix
}

/** A read of an item. */
export interface ItemReadReport {
  readonly target: ItemTarget
  readonly at: number
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
