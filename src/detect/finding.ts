import type { EventType } from '../model/event-catalogue.ts'
import type { Cause } from '../model/event.ts'
import type { JsonObject } from '../model/json.ts'
import type { RecordMemory } from '../model/record-state.ts'
import type { LeafChange } from './compare/leaf-change.ts'

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
