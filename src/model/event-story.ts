import type { LoggedEvent, ShipbellEvent } from './event.ts'
import type { Provenance } from './provenance.ts'

/** An event with what led to it and what came after it. */
export interface EventStory {
  readonly event: LoggedEvent
  /** null: it tells of nothing that was read. */
  readonly provenance: Provenance | null
  /** The events of the same subject just before and after it; null at the ends of the chain. */
  readonly previous: ShipbellEvent | null
  readonly next: ShipbellEvent | null
  /** The event that it corrects (`corrects` in its `data`); null: none. */
  readonly corrects: ShipbellEvent | null
  /** The events that corrected it, in the order they were stored. */
  readonly correctedBy: readonly ShipbellEvent[]
}
