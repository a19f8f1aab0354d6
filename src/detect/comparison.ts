import { field, type JsonObject } from '../model/json.ts'
import type { RecordMemory } from '../model/record-state.ts'
import type { LeafChange } from './compare/leaf-change.ts'
import type { Shape } from './compare/shape.ts'
import type { Finding } from './claims.ts'
import type { Estimates } from './settle/estimates.ts'

/** Two readings of a record and what is remembered of it. */
export interface Comparison {
  /** The record as events have reported it so far, without what is ignored; empty where they reported nothing. */
  readonly before: JsonObject
  /** What the read showed, without what is ignored. */
  readonly after: JsonObject
  /** The whole of it. */
  readonly sent: JsonObject
  /** When the answer that shows `after` had arrived. */
  readonly at: number
  /** The memory of the record before this read. */
  readonly memory: RecordMemory
  /** With what this read teaches, whether or not it rings. */
  readonly learnt: RecordMemory
}

/** What is particular to one resource: what its fields mean and which event reports which change. */
export interface ResourceRules {
  readonly shape: Shape
  /** Whether a top-level field of this name holds the record's identity. */
  readonly isIdentity: (name: string) => boolean
  /** What may wait in these records; left out: nothing. */
  readonly estimates?: Estimates
  readonly learn: (comparison: Omit<Comparison, 'learnt'>) => RecordMemory
  /** Events of a record that no read had shown before; `leaves` is all of it. */
  readonly appeared: (comparison: Comparison, leaves: () => readonly LeafChange[]) => readonly Finding[]
  /** Events of a difference: each leaf in exactly one of them. */
  readonly changed: (comparison: Comparison, leaves: readonly LeafChange[]) => readonly Finding[]
}

/** A field as it was and as it is, as sent; null where absent. */
export function fromTo({ before, after }: Comparison, name: string): JsonObject {
  return { from: field(before, name) ?? null, to: field(after, name) ?? null }
}
