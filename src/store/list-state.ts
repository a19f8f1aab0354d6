import type { EndProbe } from '../model/end-probe.ts'

/** What is known of a list as a whole. */
export interface ListState {
  /** Number of the current or last pass; 0 before the first. */
  readonly pass: number
  readonly passStartedAt: number | null
  /** When the last complete pass ended. */
  readonly completedAt: number | null
  /** When the first complete pass ended; null: nothing rings yet. */
  readonly baselinedAt: number | null
  /** The largest page that this list gave, lately: `largestAfter` says what counts. */
  readonly largestPage: number
  /** The last request beyond the list's end, which showed nothing; null: none is known of. */
  readonly endProbe: EndProbe | null
  /** The field that identifies a shipment, once found (contract section 3.11). */
  readonly shipmentIdField: string | null
  /** The pass that was the baseline; null before it. */
  readonly baselinePass: number | null
  /** Whether a fetch by id ever showed a record of this list (contract section 3.6). */
  readonly fetchWorks: boolean
  /** Fields outside the interface that are absorbed (contract section 3.8): JSON Pointers with `*` for elements. */
  readonly absorbed: readonly string[]
  /** Ids that the last complete passes met with different records, for as long as they do. */
  readonly idCollisions: readonly IdCollision[]
}

/** An id that a pass met with several records that do not mean the same. */
export interface IdCollision {
  readonly id: string
  /** What they mean, each as a short text. */
  readonly prints: readonly string[]
  /** Complete passes in a row that met at least two of them again. */
  readonly passes: number
  /** Whether a fetch by its id says that they are two records, not one that changes; left out: it was not asked yet. */
  readonly isProved?: boolean
}
