import type { EventType } from '../model/event-catalogue.ts'
import type { Cause } from '../model/event.ts'
import type { JsonObject } from '../model/json.ts'
import type { RecordMemory } from '../model/record-state.ts'
import type { LeafChange } from './compare/leaf-change.ts'

const NONE: readonly LeafChange[] = []

/** The leaves of a difference that no rule has claimed yet: each is claimed once, by the first rule that asks for it. */
export class Claims {
  #unclaimed: readonly LeafChange[]

  constructor(leaves: readonly LeafChange[]) {
    this.#unclaimed = leaves
  }

  take(wanted: (leaf: LeafChange) => boolean): readonly LeafChange[] {
    if (!this.#unclaimed.some(wanted)) return NONE
    const taken = this.#unclaimed.filter(wanted)
    this.#unclaimed = this.#unclaimed.filter((leaf) => !wanted(leaf))
    return taken
  }

  /** The leaves at or below a path of field names. */
  takeUnder(...path: readonly string[]): readonly LeafChange[] {
    return this.hasUnder(...path) ? this.take((leaf) => isUnder(leaf, path)) : NONE
  }

  /** The leaves under a path, left unclaimed. */
  peekUnder(...path: readonly string[]): readonly LeafChange[] {
    return this.#unclaimed.filter((leaf) => isUnder(leaf, path))
  }

  /** Whether there are any. Most rules find none: nothing is made to say so. */
  hasUnder(...path: readonly string[]): boolean {
    for (const leaf of this.#unclaimed) if (isUnder(leaf, path)) return true
    return false
  }

  takeRest(): readonly LeafChange[] {
    const rest = this.#unclaimed
    this.#unclaimed = NONE
    return rest
  }
}

export function isUnder({ keys }: LeafChange, path: readonly string[]): boolean {
  for (let index = 0; index < path.length; index += 1) if (keys[index] !== path[index]) return false
  return true
}

/** An event that a comparison calls for, before it has its place in the subject's chain. */
export interface Finding {
  readonly type: EventType
  readonly about: About
  /** `change` unless said. */
  readonly cause?: Cause
  readonly extras: JsonObject
  /** What the record must remember of the event that this becomes. */
  readonly remember?: (memory: RecordMemory, eventId: string) => RecordMemory
}

/**
 * - `leaves`: the part of the difference that the event reports
 * - `record`: the whole record
 * - `rule`: an edge of the calendar; `edge` names it within the record
 */
export type About =
  | { readonly kind: 'leaves'; readonly leaves: readonly LeafChange[] }
  | { readonly kind: 'record' }
  | { readonly kind: 'rule'; readonly edge: readonly string[] }

/** A finding about leaves; none where there are no leaves. */
export function leavesFinding(
  type: EventType,
  leaves: readonly LeafChange[],
  rest: Partial<Omit<Finding, 'type' | 'about'>> = {},
): readonly Finding[] {
  return leaves.length === 0 ? [] : [{ type, about: { kind: 'leaves', leaves }, extras: {}, ...rest }]
}
