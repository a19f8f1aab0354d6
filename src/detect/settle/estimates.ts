import type { JsonObject } from '../../model/json.ts'
import type { ShipmentSummary } from '../../model/shipment.ts'
import type { LeafChange } from '../compare/leaf-change.ts'

/** Which parts of a resource's records are estimates that `settle` may hold (guarantee K6). */
export interface Estimates {
  /** The estimate that a changed leaf belongs to; null: it belongs to none, and rings at once. */
  readonly of: (leaf: LeafChange, records: TwoReadings) => Estimate | null
  /** `after` with the estimates that these leaves belong to as they were. */
  readonly keep: (leaves: readonly LeafChange[], records: TwoReadings) => JsonObject
}

export interface TwoReadings {
  readonly before: JsonObject
  readonly after: JsonObject
  /** The shipment that the record belongs to, where it is known. */
  readonly shipment: ShipmentSummary | null
}

export interface Estimate {
  /** Names it within its record for as long as it is held. */
  readonly key: string
  /** The part of the record that the estimate is of, where several of one key may be told apart only within one comparison. */
  readonly part?: object
  /** Whether the date is an estimate still: what became actual, a problem or anything unknown never waits. */
  readonly mayWait: boolean
}

const WAITING = new Set(['estimated', 'planned'])

/** A status that says that a date is expected; case and spaces are no difference. */
export function isExpected(foldedStatus: string | null): boolean {
  return foldedStatus !== null && WAITING.has(foldedStatus)
}
