import type { ShipbellEvent } from '../../model/event.ts'
import type { SubjectResource } from '../../model/resource.ts'
import type { Severity } from '../../model/severity.ts'

/** One or more events, oldest first. */
export type Several<E extends ShipbellEvent = ShipbellEvent> = readonly [E, ...E[]]

/** What became of one thing: of a date, a status, a container. */
export interface NetChange<E extends ShipbellEvent = ShipbellEvent> {
  /** The event that says the change: the one that rang, or one that goes from the first value of several to the last. */
  readonly event: ShipbellEvent
  /** The events that the change sums up; several where they are said as one. */
  readonly events: Several<E>
  readonly tone: Severity
  /** How far a date went in all, in minutes; null: no date did. */
  readonly minutes: number | null
}

/**
 * What became of one shipment and all that belongs to it, or of another record that belongs to none, over events that go
 * together: one commit, one digest, one quiet time, one burst. No change contradicts another, and each date and each status is
 * in one change at most.
 */
export interface NetEntry<E extends ShipbellEvent = ShipbellEvent> {
  readonly account: string | null
  /** `shipment` where the events belong to one, else what they are about. */
  readonly resource: SubjectResource
  readonly id: string
  /** What people call the shipment; null: by its id, or it is no shipment. */
  readonly name: string | null
  /** The gravest of the changes. */
  readonly tone: Severity
  /** The changes by weight, the heaviest first; none where all is back to what the reader knew. */
  readonly changes: readonly NetChange<E>[]
  /** All events, oldest first, those of what returned and of echoes too. */
  readonly events: Several<E>
}
